"use strict";
// The panel of one point: its facts, its predictions and its original record.
sortlab.record = (() => {
  const { element, count, digits, seconds, rate, percent, threads } = sortlab.format;
  const [dialog, title, facts, save, close, pre] = ["record", "record-title", "record-facts", "record-save", "record-close", "record-text"]
    .map((id) => document.getElementById(id));

  const open = async (row) => {
    title.textContent = row.algorithm;
    const known = [
      ["Machine", row.from.name + (row.from.name === row.machine ? "" : ", " + row.machine)], ["Processor", [row.place, threads(row.threads)].filter(Boolean).join(", ")], ["Part", row.part],
      ["Keys and values", row.type + (row.layout ? ", " + row.layout : "")], ["Input", row.input + (row.entropy === null ? "" : `, ${digits(row.entropy)} bits of entropy`)],
      ["n", count(row.n)], ["Parameters", row.parameters || "none"],
      ["Status", row.status + (row.reason ? ": " + row.reason : "") + (row.flags & sortlab.DISTURBED ? "; disturbed while it ran" : "")],
      ...(row.ok ? [
        ["Time", `${seconds(row.s)} [${seconds(row.low)}, ${seconds(row.high)}], median of ${row.samples} samples of ${row.processes} process${row.processes === 1 ? "" : "es"}`
          + (row.flags & sortlab.FEW_SAMPLES ? ", too few for an interval: least and greatest" : " with its 95 % interval")],
        ["Rate", rate(sortlab.series.rate(row).value) + " keys/s"],
        ...(row.cycles ? [["Cycles an element", digits(row.cycles)]] : []),
        ...(row.joules ? [["Energy", `${digits(row.joules)} J [${digits(row.joules_low)}, ${digits(row.joules_high)}] a sort, at ${digits(row.watts)} W`]] : []),
        ["Run", row.run]] : []),
      ...(row.published ? [["Time", seconds(row.s) + ", as printed or by the printed rate"]] : []),
      ...row.counts.map(({ counter, value }) => ["Counted", `${digits(value)} ${counter} per element`]),
      ...row.predictions.map((prediction) => ["Predicted", `${seconds(prediction.s)} by ${prediction.model} (${prediction.kind})` + (row.ok ? `, error ${percent(prediction.s / row.s - 1)}` : "")]),
    ];
    facts.replaceChildren(element("dl", {}, ...known.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])));
    pre.textContent = "loading …";
    save.disabled = true;
    dialog.showModal();
    const lines = await sortlab.download.originals([row]);
    pre.textContent = lines.map(sortlab.format.indented).join("\n");
    save.disabled = false;
    save.onclick = () => sortlab.download.save(`${row.from.file}-record-${row.line}.jsonl`, "application/json", lines.join(""));
  };
  close.addEventListener("click", () => dialog.close());
  return { open };
})();
