"use strict";
// Formats numbers as quantities.py does, and makes elements of the page from texts, never from markup.
sortlab.format = (() => {
  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  // A number with three significant digits and no exponent: 0.0123, 1.23, 123, 12345.
  const digits = (value, significant = 3) => {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const rounded = Number(value.toPrecision(significant));
    const places = significant - 1 - Math.floor(Math.log10(Math.abs(rounded)));
    return rounded.toFixed(Math.min(Math.max(places, 0), 30));
  };
  const raised = (exponent) => [...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  // A number of elements: 2²⁰ for a power of two, otherwise with thin spaces.
  const count = (n) => {
    const exponent = Math.log2(n);
    return exponent >= 8 && Number.isInteger(exponent) ? "2" + raised(exponent)
      : String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");
  };
  const seconds = (s) => {
    const [factor, unit] = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]].find(([least]) => s >= least) || [1e-9, "ns"];
    return digits(s / factor) + " " + unit;
  };
  // A rate in keys a second, with its power of ten: 49.6 · 10⁹.
  const rate = (value) => {
    const exponent = value >= 1e9 ? 9 : value >= 1e6 ? 6 : 3;
    return digits(value / 10 ** exponent) + " · 10" + raised(exponent);
  };
  const percent = (share) => (share < 0 ? "−" : "+") +
    (Math.abs(share) < 0.1 ? digits(Math.abs(share) * 100, 2) : Math.round(Math.abs(share) * 100)) + " %";
  // A GPU, and a published number, has no number of threads.
  const threads = (many) => (many === null ? "" : many + (many === 1 ? " thread" : " threads"));

  // A record's JSON with line breaks, letter by letter: as numbers of JavaScript, integers above 2⁵³ would change.
  const indented = (line) => {
    let level = 0, inString = false, text = "";
    const broken = () => "\n" + " ".repeat(level);
    for (let i = 0; i < line.length; i++) {
      const letter = line[i];
      if (inString) {
        text += letter === "\\" ? letter + line[++i] : letter;
        inString = letter !== '"';
      } else if (letter === '"') {
        text += letter;
        inString = true;
      } else if (letter === "{" || letter === "[") {
        const end = line.slice(i + 1).trimStart()[0];
        if (end === "}" || end === "]") {
          text += letter + end;
          i = line.indexOf(end, i);
        } else {
          level += 1;
          text += letter + broken();
        }
      } else if (letter === "}" || letter === "]") {
        level -= 1;
        text += broken() + letter;
      } else if (letter === ",") {
        text += letter + broken();
      } else if (letter === ":") {
        text += ": ";
      } else if (letter.trim()) {
        text += letter;
      }
    }
    return text;
  };

  // Makes an element with attributes and children; a string among the children becomes a text.
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (key in made && typeof value !== "string") made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

  return { digits, raised, count, seconds, rate, percent, threads, indented, element };
})();
