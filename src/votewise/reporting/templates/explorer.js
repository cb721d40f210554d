"use strict";
/* The item explorer. Texts of the data are set with textContent, so that labels are shown and never executed. */
(() => {
  const root = document.getElementById("explorer");
  if (!root) return;
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const { classes, methods, names, colours, items, sprite } = data;
  const form = document.getElementById("explorer-form");
  const list = document.getElementById("explorer-items");
  const status = document.getElementById("explorer-status");
  const pager = document.getElementById("explorer-pager");
  const PAGE = 48, FEW = 5;
  let page = 0;

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "style") for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
      else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null)); // strings become text nodes
    return element;
  };

  /* --- sorting and filtering ----------------------------------------------------------------------------------------- */

  const picked = () => new Set([...form.querySelectorAll("input[name=method]:checked")].map((box) => Number(box.value)));

  /* The largest total variation distance between two selected methods, in thousandths. */
  const difference = (item, shown) => {
    let most = -1;
    const there = [...shown].filter((m) => item.q[m]);
    for (let a = 0; a < there.length; a++) {
      for (let b = a + 1; b < there.length; b++) {
        const one = item.q[there[a]], two = item.q[there[b]];
        let sum = 0, rest = 0;
        for (let c = 0; c < one.length; c++) { sum += Math.abs(one[c] - two[c]); rest += one[c] - two[c]; }
        most = Math.max(most, (sum + Math.abs(rest)) / 2);
      }
    }
    return most;
  };

  const keys = { entropy: (item) => item.e, difference: (item, shown) => difference(item, shown) };
  const valueOf = (sort) => keys[sort] || ((item) => item.k[Number(sort)]);

  const select = () => {
    const shown = picked();
    const text = form.elements.query.value.trim().toLowerCase();
    const only = form.elements.majority.value;
    const value = valueOf(form.elements.sort.value);
    const sign = form.elements.order.value === "low" ? 1 : -1;
    const found = [];
    for (const item of items) {
      if (only !== "" && item.c[0] !== Number(only)) continue;
      const id = item.id.toLowerCase();
      if (text && !id.includes(text) && !classes[item.c[0]].toLowerCase().includes(text)
          && !(item.x || "").toLowerCase().includes(text)) continue;
      const key = value(item, shown);
      if (key >= 0) found.push([id === text ? 0 : 1, sign * key, item]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return found.map((entry) => entry[2]);
  };

  /* --- one item ------------------------------------------------------------------------------------------------------ */

  const nats = (thousandths) => (thousandths / 1000).toFixed(2);
  const percent = (share) => (share >= 5 ? String(Math.round(share / 10)) : share > 0 ? "<1" : "");
  const linkTo = (item) => `#item=${encodeURIComponent(item.id)}`;

  const picture = (item, place) => {
    if (!sprite) return null;
    const scale = Math.max(1, Math.floor(96 / Math.max(sprite.width, sprite.height)));
    const [w, h] = [sprite.width * scale, sprite.height * scale];
    return make("div", {
      class: "picture", role: "img", "aria-label": `image of item ${item.id}, majority class ${classes[item.c[0]]}`,
      style: {
        width: `${w}px`, height: `${h}px`, "background-size": `${sprite.columns * w}px auto`,
        "background-position": `${-(place % sprite.columns) * w}px ${-Math.floor(place / sprite.columns) * h}px`,
      },
    });
  };

  const left = (shares, few) => Math.max(0, 1000 - shares.slice(0, few).reduce((sum, share) => sum + share, 0));

  /* Whether other classes have a share in some row, beyond rounding. */
  const hasRest = (item, few) => few < item.c.length || (few < classes.length
    && [item.p, item.t, ...item.q].some((shares) => shares && left(shares, few) > few / 2));

  /* The positions of the first classes of an item, in class order, so that the columns of all cards have the same order. */
  const placesOf = (item, few) => item.c.slice(0, few).map((_, place) => place).sort((a, b) => item.c[a] - item.c[b]);

  const row = (name, colour, shares, error, places, rest) => {
    const few = places.length;
    const cells = [...places.map((place) => shares[place]), ...(rest ? [left(shares, few)] : [])].map((share) => {
      const bar = make("span", { class: "bar", style: { width: `${Math.min(share / 10, 100)}%`, background: colour } });
      return make("td", {}, bar, make("span", { class: "number" }, percent(share)));
    });
    return make("tr", {}, make("th", { scope: "row", title: name }, make("span", { class: "dot", style: { background: colour } }), name),
      ...cells, make("td", { class: "error" }, error));
  };

  const card = (item, shown, whole) => {
    const few = whole ? item.c.length : Math.min(FEW, item.c.length);
    const places = placesOf(item, few);
    const heads = places.map((place) => item.c[place]).map((c) => make("th", { scope: "col", title: classes[c] }, make("span", {}, classes[c])));
    const rest = hasRest(item, few);
    const head = make("tr", {}, make("th", { scope: "col" }, "share in %"), ...heads,
      rest ? make("th", { scope: "col" }, make("span", {}, "rest")) : null, make("th", { scope: "col", title: "divergence from the votes, in nats" }, "KL"));
    const body = make("tbody", {}, row("annotators", "currentColor", item.p, "", places, rest));
    if (item.t) body.append(row("known distribution", "currentColor", item.t, "", places, rest));
    for (const m of shown) {
      if (item.q[m]) body.append(row(names[m], colours[m], item.q[m], nats(item.k[m]), places, rest));
      else if (whole) body.append(make("tr", {}, make("th", { scope: "row" }, names[m]), make("td", { colspan: few + 1 + rest, class: "none" }, "not held out by any run")));
    }
    const word = Math.max(...heads.flatMap((each) => each.textContent.split(/\s+/)).map((part) => part.length));
    const narrowest = `${Math.ceil((heads.length + rest) * (0.9 * Math.min(word, 20) + 1) / 0.6)}ch`; // classes have 60 % of the table, a letter at most 0.9 of a digit
    const facts = [`entropy ${nats(item.e)}`];
    if (item.n !== undefined) facts.unshift(`${item.n} votes`);
    const apart = difference(item, shown);
    if (apart >= 0) facts.push(`methods differ by ${nats(apart)}`);
    if (item.y !== undefined) facts.push(`label in the source: ${classes[item.y]}`);
    if (whole) facts.push(`runs that held it out: ${[...shown].map((m) => `${names[m]} ${item.r[m]}`).join(", ")}`);
    const table = make("div", { class: "box", tabindex: "0", role: "region", "aria-label": `shares of item ${item.id}` },
      make("table", { class: "shares", style: { "min-width": narrowest } }, make("thead", {}, head), body));
    return make("article", { class: whole ? "item whole" : "item", "data-id": item.id },
      make("div", { class: "about" },
        picture(item, items.indexOf(item)),
        make("h3", {}, make("a", { href: linkTo(item) }, item.id)),
        item.x ? make("p", { class: "text" }, whole || item.x.length < 200 ? item.x : `${item.x.slice(0, 200)}…`) : null,
        make("p", { class: "facts" }, facts.join(" · "))),
      table);
  };

  /* --- the page of items --------------------------------------------------------------------------------------------- */

  const named = () => {
    if (!location.hash.startsWith("#item=")) return null;
    try { return decodeURIComponent(location.hash.slice(6)); } catch { return ""; }
  };

  const show = () => {
    const shown = picked(), id = named();
    root.classList.toggle("single", id !== null);
    if (id !== null) {
      const item = items.find((entry) => entry.id === id);
      status.textContent = item ? "One item. " : `Item ${id} is not one of the ${items.length} items on this page. `;
      status.append(make("a", { href: "#items" }, "Back to all items"));
      list.replaceChildren(...(item ? [card(item, shown, true)] : []));
      pager.replaceChildren();
      return;
    }
    const found = select(), pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(page, pages - 1);
    const from = page * PAGE, part = found.slice(from, from + PAGE);
    status.textContent = found.length ? `Items ${from + 1} to ${from + part.length} of ${found.length}` : "No matching items.";
    list.replaceChildren(...part.map((item) => card(item, shown, false)));
    const step = (label, to, on) => {
      const button = make("button", { type: "button" }, label);
      button.disabled = !on;
      button.addEventListener("click", () => { page = to; show(); root.scrollIntoView(); });
      return button;
    };
    pager.replaceChildren(step("← previous", page - 1, page > 0), make("span", {}, `page ${page + 1} of ${pages}`), step("next →", page + 1, page + 1 < pages));
  };

  const option = (value, label) => make("option", { value }, label);
  form.elements.sort.append(option("entropy", "annotator disagreement"), option("difference", "difference between methods"),
    ...methods.map((_, m) => option(String(m), `error of ${names[m]}`)));
  const majorities = [...new Set(items.map((item) => item.c[0]))].sort((a, b) => a - b);
  form.elements.majority.append(option("", "any class"), ...majorities.map((c) => option(String(c), classes[c])));
  document.getElementById("explorer-methods").append(...methods.map((method, m) => {
    const box = make("input", { type: "checkbox", name: "method", value: m });
    box.checked = method !== "shuffled-sls"; // a control that is wrong by design would hide all other differences
    return make("label", { class: "choice" }, box, make("span", { class: "dot", style: { background: colours[m] } }), names[m]);
  }));
  const changed = (event) => {
    page = 0;
    if (named() !== null && event.target.name !== "method") history.replaceState(null, "", "#items");
    show();
  };
  form.elements.query.addEventListener("input", changed);
  form.addEventListener("change", (event) => { if (event.target !== form.elements.query) changed(event); });
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => {
    if (location.hash === "#items" || named() !== null) { show(); root.scrollIntoView(); }
  });
  show();
  if (named() !== null) root.scrollIntoView();
})();
