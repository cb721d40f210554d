"use strict";
/* Folds the contents where there is no room beside the text. */
(() => {
  const contents = document.querySelector("nav.contents details");
  const wide = matchMedia("(min-width: 70rem)"); // where it stands beside the text, it has no summary to open it with
  const unfold = () => { contents.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
})();
