"use strict";
// The legend of a chart: each line's name and look, a button that hides it, and a link to its sort's page.
sortlab.lines = (() => {
  const { element, digits, count } = sortlab.format;
  const list = document.getElementById("lines");

  const at = (choice, { x, row }) => (choice.chart === "entropy" ? digits(x) + " bits" : count(row.n));
  const item = (line, unit, choice, hidden, toggle) => {
    const shown = !hidden.has(line.label), glyph = element("span", { class: "glyph", "aria-hidden": "true" }, line.shape[line.hollow ? 2 : 1]);
    glyph.style.color = `var(--${line.role})`;
    const kinds = line.predicted.map(({ kind }) => kind).join(", ");
    const last = line.points.at(-1);
    const facts = [
      line.details, last ? `${digits(last.y)}${unit.startsWith("10") ? " · " : " "}${unit}${line.published ? ", published," : ""} at ${at(choice, last)}` : "", kinds ? "predicted: " + kinds : "",
    ].filter(Boolean).join(" · ");
    const button = element("button", { type: "button", "aria-pressed": String(shown), title: shown ? "hide this line" : "show this line", onclick: () => toggle(line.label) },
      glyph, " " + line.row.algorithm + " ", element("small", {}, facts));
    const sort = sortlab.sorts.get(line.row.algorithm);
    const about = sort ? element("a", { href: "algorithm/" + encodeURIComponent(sort.file) + ".html", "aria-label": "About " + sort.name }, "about") : null;
    return element("li", {}, button, about);
  };

  return {
    show({ lines, unit }, choice, toggle) {
      const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
      const hidden = new Set(choice.hidden);
      list.replaceChildren(...lines.map((line) => item(line, unit, choice, hidden, toggle)));
      if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
    },
  };
})();
