"use strict";
// Theme: the system's, until the reader chooses one.
(() => {
  const root = document.documentElement, button = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  const kept = () => { try { return localStorage.getItem("sortlab-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("sortlab-theme", theme); } catch { /* a file may not store */ } };
  const show = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    button.dataset.theme = theme;
  };
  show(themes.includes(kept()) ? kept() : "auto");
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(button.dataset.theme) + 1) % themes.length];
    keep(next);
    show(next);
  });
})();

// The number at the start of a text, in its unit: 1.23† ± 4 %, −3.4 %, 2²⁰, 1.5 ms. record_tables.py reads it in the same
// way, and writes data-sort where that would be wrong.
const leadingNumber = (text) => {
  const found = text.match(/^([+−-]?[0-9\u2009]+(?:\.[0-9]+)?)([⁰¹²³⁴⁵⁶⁷⁸⁹]*)(?: (s|ms|µs|ns|%)$|(?=$|[† ]))/);
  if (!found) return text;
  const number = Number(found[1].replace("−", "-").replaceAll("\u2009", ""));
  const exponent = Number([...found[2]].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)).join("") || 1);
  return String(number ** exponent * ({ ms: 1e-3, "µs": 1e-6, ns: 1e-9, "%": 1e-2 }[found[3]] ?? 1));
};

// The rows of a long table are gzip in Base64 until the reader opens it: then they take the place of a note.
const unpack = async (body) => {
  const bytes = Uint8Array.from(atob(body.dataset.rows), (letter) => letter.charCodeAt(0));
  delete body.dataset.rows;
  body.innerHTML = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
for (const body of document.querySelectorAll("tbody[data-rows]")) {
  body.closest("details").addEventListener("toggle", () => unpack(body), { once: true });
}

// Tables: a click on a head sorts by that column, a second click reverses the order. Empty cells stay last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows].at(-1).cells;
  const value = (row, i) => {
    const cell = row.cells[i], text = cell.dataset.sort ?? leadingNumber(cell.textContent.trim());
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  [...heads].forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (a, b) => {
      const x = value(a, i), y = value(b, i);
      if (x === "" || y === "") return x === y ? 0 : x === "" ? 1 : -1;
      const step = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
      return down ? -step : step;
    };
    body.append(...[...body.rows].sort(order));
  }));
}

// Filters: rows, or claims, that contain all the words stay.
for (const field of document.querySelectorAll("input.filter")) {
  let next = field.nextElementSibling;
  while (next && !next.querySelector("table")) next = next.nextElementSibling;
  const claims = [...next.querySelectorAll(".claim")];
  const body = next.querySelector("table")?.tBodies[0];
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of claims.length ? claims : body.rows) {
      const text = (row.querySelector("summary") ?? row).textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
}

// A table that is wider than its place says so, since nothing else shows it on a phone.
const widths = new ResizeObserver((changes) => {
  for (const { target } of changes) target.classList.toggle("cut", target.scrollWidth > target.clientWidth + 1);
});
for (const place of document.querySelectorAll(".scroll")) widths.observe(place);
