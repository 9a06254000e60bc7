"use strict";
// Downloads made in the page: CSV, and original records.
sortlab.download = (() => {
  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Puts an apostrophe before a text that a spreadsheet would take for a formula.
  const cell = (value) => {
    if (value === null || value === undefined) return "";
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? "'" + value : String(value);
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };

  const csv = (choice, value, rows) => {
    const { kinds } = sortlab.index;
    const measured = (of) => (row) => (row.ok ? of(row) : null);
    const columns = [
      ["sort", (row) => row.algorithm], ["parameters", (row) => row.parameters], ["machine", (row) => row.machine],
      ["machine_name", (row) => row.from.name], ["processor", (row) => row.place], ["threads", (row) => row.threads], ["part", (row) => row.part],
      ["keys_and_values", (row) => row.type], ["layout", (row) => row.layout], ["input", (row) => row.input],
      ["entropy_bits", (row) => row.entropy], ["n", (row) => row.n], ["status", (row) => row.status],
      ["reason", (row) => row.reason], ["disturbed", measured((row) => Boolean(row.flags & sortlab.DISTURBED))],
      ["samples", measured((row) => row.samples)], ["processes", measured((row) => row.processes)],
      ["median_s", measured((row) => row.s)], ["ci95_low_s", measured((row) => row.low)], ["ci95_high_s", measured((row) => row.high)],
      ["keys_per_s", measured((row) => Number(sortlab.series.rate(row).value.toPrecision(6)))], ["cycles_per_element", (row) => row.cycles || null],
      ...kinds.map((kind) => ["predicted_s_" + kind, (row) => row.predictions.find((prediction) => prediction.kind === kind)?.s ?? null]),
      ...(choice.chart === "ratio" ? [["value", ""], ["low", "_ci95_low"], ["high", "_ci95_high"]] : []).map(([end, suffix]) =>
        ["ratio_to_" + choice.ratio + suffix, measured((row) => value.measured(row)?.[end] ?? null)]),
      ["joules_per_sort", (row) => row.joules || null], ["ci95_low_joules_per_sort", (row) => (row.joules ? row.joules_low : null)],
      ["ci95_high_joules_per_sort", (row) => row.joules_high || null], ["mean_power_w", (row) => row.watts || null],
      ...(choice.chart === "counts" ? [["counted_per_element", (row) => value.measured(row)?.value ?? null]] : []),
      ["published_s", (row) => (row.published ? row.s : null)],
      ["run", (row) => row.run],
    ];
    const lines = [columns.map(([name]) => cell(name)), ...rows.map((row) => columns.map(([, of]) => cell(of(row))))];
    return lines.map((line) => line.join(",") + "\n").join("");
  };

  // The original records of the rows and of their predictions, each record once.
  const originals = async (rows) => {
    const wanted = new Map();
    for (const row of rows) {
      for (const line of [row.line, ...[...row.predictions, ...row.counts].map((one) => one.line)]) wanted.set(row.machine + "\n" + line, [row.from, line]);
    }
    const lines = [];
    for (const [machine, line] of wanted.values()) lines.push((await sortlab.original(machine, line)) + "\n");
    return lines;
  };

  return { save, csv, originals };
})();
