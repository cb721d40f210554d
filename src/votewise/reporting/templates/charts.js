"use strict";
/* Draws the charts in the available width. Their neutral colours are those of the page, so that dark mode and print need no redraw. */
(() => {
  const specs = JSON.parse(document.getElementById("figures-data").textContent);
  const options = {
    mode: "vega-lite", renderer: "svg", actions: false, defaultStyle: false, tooltip: { disableDefaultStyle: true },
    logLevel: 1, // only errors
    ast: true, // expressions are interpreted, because the content security policy forbids eval
    loader: { load: () => Promise.reject(new Error("this page does not load data")), sanitize: () => Promise.reject(new Error("this page has no external links")) },
  };
  const views = new Map();

  const save = (name, text, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  /* A saved file cannot use the colours of the page. */
  const alone = (svg) => Object.entries(ON_PAGE).reduce((text, [colour, name]) => text.replaceAll(name, colour), svg);

  const rowsOf = (part, found = []) => {
    if (Array.isArray(part)) part.forEach((each) => rowsOf(each, found));
    else if (part && typeof part === "object") {
      if (part.data && Array.isArray(part.data.values)) found.push(...part.data.values);
      if (part.datasets) Object.values(part.datasets).forEach((rows) => found.push(...rows));
      for (const key of ["layer", "concat", "hconcat", "vconcat", "spec"]) rowsOf(part[key], found);
    }
    return found;
  };
  const csv = (rows) => {
    const lines = new Set(), heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const cell = (value) => { const text = String(value ?? ""); return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; };
    for (const row of rows) lines.add(heads.map((head) => cell(row[head])).join(","));
    return [heads.map(cell).join(","), ...lines, ""].join("\n");
  };

  const draw = async (number) => {
    const box = document.getElementById(`chart-${number}`);
    const width = box.clientWidth;
    views.get(number)?.result.finalize();
    views.set(number, { width, result: await vegaEmbed(box, fit(specs[number], width - 6), options) });
  };

  const fill = async () => {
    for (const number of Object.keys(specs)) {
      await draw(number);
      const figure = document.getElementById(`chart-${number}`).closest("figure");
      figure.querySelector("button.svg").addEventListener("click", async () =>
        save(`figure-${number}.svg`, alone(await views.get(number).result.view.toSVG()), "image/svg+xml"));
      figure.querySelector("button.csv").addEventListener("click", () => save(`figure-${number}.csv`, csv(rowsOf(specs[number])), "text/csv"));
      await new Promise((resolve) => setTimeout(resolve, 0)); // the page stays responsive between two charts
    }
    document.documentElement.dataset.charts = "drawn";
  };

  let waiting;
  const refit = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      for (const [number, { width }] of views) {
        const now = document.getElementById(`chart-${number}`).clientWidth;
        if (Math.abs(now - width) > 8 && !matchMedia("print").matches) await draw(number);
      }
    }, 200);
  };
  fill().then(() => window.addEventListener("resize", refit));
})();
