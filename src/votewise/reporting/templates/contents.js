"use strict";
/* Folds the contents on narrow pages, and marks the current section. */
(() => {
  const contents = document.querySelector("nav.contents details");
  const wide = matchMedia("(min-width: 70rem)"); // next to the text, it has no summary to open it with
  const unfold = () => { contents.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();

  const links = [...contents.querySelectorAll("a")].map((link) => ({ link, target: document.getElementById(link.hash.slice(1)) }));
  let current = null;
  const mark = () => {
    const line = innerHeight / 3; // the last heading above this line is the current section
    const bottom = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const passed = links.filter(({ target }) => target && (bottom || target.getBoundingClientRect().top < line));
    const next = (passed.at(-1) ?? links[0])?.link;
    if (!next || next === current) return;
    current?.removeAttribute("aria-current");
    next.setAttribute("aria-current", "true");
    current = next;
    const nav = contents.parentElement, room = nav.getBoundingClientRect(), place = next.getBoundingClientRect();
    if (wide.matches && (place.top < room.top || place.bottom > room.bottom)) nav.scrollTop += place.top - room.top - room.height / 2;
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  mark();
})();
