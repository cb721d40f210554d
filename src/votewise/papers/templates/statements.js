"use strict";
/* Filters the claims by outcome, section and text, and opens the claim in the URL fragment. */
(() => {
  const form = document.getElementById("claims-filter");
  const claims = [...document.querySelectorAll("#claims-list details.claim")].map((element) => ({
    element, outcome: element.dataset.outcome, waits: "waits" in element.dataset, section: element.dataset.section, text: element.textContent.toLowerCase(),
  }));
  const shown = document.getElementById("claims-shown");
  const apply = () => {
    const outcomes = new Set([...form.querySelectorAll("input[name=outcome]:checked")].map((box) => box.value));
    const section = form.elements.section.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const count = { claim: 0, other: 0 };
    for (const claim of claims) {
      const here = (!outcomes.size || outcomes.has(claim.outcome)) && (form.elements.waits.checked || !claim.waits)
        && (!section || claim.section === section)
        && words.every((word) => claim.text.includes(word));
      claim.element.hidden = !here;
      count[claim.element.dataset.kind === "claim" ? "claim" : "other"] += here;
    }
    shown.textContent = `${count.claim} claims, ${count.other} procedures and guards`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const tile of document.querySelectorAll("a.tile")) { // the link leads to the list, filtered by this outcome
    tile.addEventListener("click", () => {
      for (const box of form.querySelectorAll("input[name=outcome]")) box.checked = box.value === tile.dataset.outcome;
      form.elements.waits.checked = true; // include everything that the tile counts
      apply();
    });
  }
  document.getElementById("claims-open").addEventListener("click", (event) => {
    const open = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", open);
    for (const { element } of claims) if (!element.hidden) element.open = open;
  });
  const follow = () => {
    const target = location.hash.startsWith("#claim-") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) {
      target.hidden = false;
      target.open = true;
      target.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", follow);
  apply();
  follow();
})();
