"use strict";
// The table of the chart's cells or of all chosen cells: sorted by a head, filtered by words, a hundred rows at a time.
sortlab.table = (() => {
  const { digits, count, seconds, rate: rateText, percent, element } = sortlab.format;
  const A_PAGE = 100;
  const table = document.getElementById("table"), head = table.tHead.rows[0], body = table.tBodies[0];
  const [before, after, place] = ["before", "after", "place"].map((id) => document.getElementById(id));
  let page = 0, shown = [], opened = () => {}, ordered = () => {};

  const rate = (row) => sortlab.series.rate(row).value, { isTimed } = sortlab.series;
  const width = (row) => (row.high - row.low) / 2 / row.s;
  const spread = (row) => (row.flags & sortlab.FEW_SAMPLES ? `(${row.samples} sample${row.samples === 1 ? "" : "s"})` : percent(width(row)).slice(1));
  const predictionOf = (choice) => (row) => row.predictions.find((one) => one.kind === choice.kind[0]) || row.predictions[0];
  const status = ({ status: text, flags }) => text + (flags & sortlab.DISTURBED ? ", disturbed" : "") + (flags & sortlab.EXPECTED ? ", expected" : "");
  // Name in the address, head, value to sort by (null for none), text, and true for a number.
  const columns = (choice, value) => {
    const predicted = predictionOf(choice), error = (row) => (row.ok && predicted(row) ? predicted(row).s / row.s - 1 : null);
    const ratio = (row) => (row.ok ? value.measured(row) : null);
    return [
      ["sort", "Sort", (row) => row.algorithm],
      ["n", "n", (row) => row.n, (row) => count(row.n)],
      ["rate", "Keys/s", (row) => (isTimed(row) ? rate(row) : null), (row) => rateText(rate(row))],
      ["interval", "± half the 95 % interval", (row) => (row.ok ? width(row) : null), spread],
      ["time", "Time", (row) => (isTimed(row) ? row.s : null), (row) => seconds(row.s)],
      ["cycles", "Cycles an element", (row) => row.cycles || null, (row) => digits(row.cycles)],
      ...(choice.chart !== "ratio" ? [] : [
        ["ratio", "Times as fast as " + choice.ratio, (row) => ratio(row)?.value ?? null,
          (row) => { const { value: v, low, high } = ratio(row); return `${digits(v)} [${digits(low)}, ${digits(high)}]`; }]]),
      ...(choice.chart !== "energy" && choice.chart !== "power" ? [] : [
        ["joules", "Joules a sort", (row) => row.joules || null, (row) => digits(row.joules)],
        ["per_joule", "Keys/J", (row) => (row.joules ? row.n * row.times / row.joules : null), (row) => rateText(row.n * row.times / row.joules)],
        ["watts", "Power, W", (row) => row.watts || null, (row) => digits(row.watts)]]),
      ...(choice.chart !== "counts" ? [] : [
        ["counted", choice.counter + " per element", (row) => value.measured(row)?.value ?? null, (row) => digits(value.measured(row).value)]]),
      ["predicted", "Predicted", (row) => predicted(row)?.s ?? null, (row) => seconds(predicted(row).s)],
      ["kind", "By", (row) => predicted(row)?.kind ?? ""],
      ["error", "Error", error, (row) => percent(error(row))],
      ["machine", "Machine", (row) => row.from.name], ["place", "Processor", (row) => row.place],
      ["threads", "Threads", (row) => row.threads], ["part", "Part", (row) => (row.part === sortlab.index.whole ? "" : row.part)], ["type", "Keys and values", (row) => row.type],
      ["input", "Input", (row) => row.input], ["entropy", "Entropy, bits", (row) => row.entropy, (row) => digits(row.entropy)],
      ["samples", "Samples", (row) => row.samples || null], ["processes", "Processes", (row) => row.processes || null],
      ["status", "Status", status, (row, text) => text + (row.reason ? ": " + row.reason : "")],
      ["parameters", "Parameters", (row) => row.parameters],
    ].map(([name, title, of, text = (row, v) => String(v)]) => {
      const written = (row) => { const v = of(row); return v === null ? "" : text(row, v); };
      return { name, title, of, text: written };
    });
  };

  const text = (all, row) => all.map((column) => column.text(row)).join(" ").toLowerCase();
  const filtered = (all, choice, rows) => {
    const words = choice.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length ? rows.filter((row) => { const line = text(all, row); return words.every((word) => line.includes(word)); }) : [...rows];
  };
  // Rows without a value stay last.
  const sorted = (all, choice, rows) => {
    const [, down, name] = /^(-?)(.*)$/.exec(choice.order || "sort"), column = all.find((one) => one.name === name) || all[0];
    const keyed = rows.map((row) => [column.of(row), row]), turn = down ? -1 : 1;
    const nothing = (v) => v === null || v === "";
    keyed.sort(([a, x], [b, y]) => (nothing(a) || nothing(b) ? nothing(a) - nothing(b)
      : turn * (typeof a === "number" ? a - b : sortlab.series.compare(a, b)) || x.n - y.n));
    return keyed.map(([, row]) => row);
  };

  const heads = (all, choice) => {
    const [, down, name] = /^(-?)(.*)$/.exec(choice.order || "sort");
    const focused = document.activeElement?.closest?.("#table th")?.dataset.column;
    head.replaceChildren(...all.map((column) => {
      const here = column.name === name;
      const button = element("button", { type: "button", onclick: () => ordered(here && !down ? "-" + column.name : column.name) }, column.title);
      const th = element("th", { class: shown.some((row) => typeof column.of(row) === "number") ? "n" : "", scope: "col", "data-column": column.name }, button);
      if (here) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      return th;
    }));
    if (focused) head.querySelector(`[data-column="${focused}"] button`)?.focus();
  };

  const fill = (all) => {
    const first = page * A_PAGE, rows = shown.slice(first, first + A_PAGE);
    body.replaceChildren(...rows.map((row) => {
      const tr = element("tr");
      all.forEach((column, i) => {
        const number = typeof column.of(row) === "number", shown = column.text(row);
        tr.append(i ? element("td", { class: number ? "n" : column.name }, shown)
          : element("th", { scope: "row" }, element("button", { type: "button", title: "its record", onclick: () => opened(row) }, shown)));
      });
      return tr;
    }));
    const last = Math.min(first + A_PAGE, shown.length);
    place.textContent = shown.length ? `rows ${first + 1} to ${last} of ${shown.length}` : "no rows";
    before.disabled = page === 0;
    after.disabled = last >= shown.length;
    before.onclick = () => { page--; fill(all); };
    after.onclick = () => { page++; fill(all); };
  };

  return {
    show(choice, value, rows) {
      const all = columns(choice, value);
      shown = sorted(all, choice, filtered(all, choice, rows));
      page = 0;
      heads(all, choice);
      fill(all);
      return shown;
    },
    onOpen(handler) { opened = handler; },
    onOrder(handler) { ordered = handler; },
  };
})();
