"use strict";
// The page: takes a choice, loads its rows, draws chart and table, and updates the address.
(() => {
  const { choice: address, series, figure, lines, facets, table, record, download, format } = sortlab;
  const byId = (id) => document.getElementById(id);
  const fields = ["chart", "n", "ratio", "on", "counter", "parameters", "colours", "scale", "rows"].map(byId);
  const TITLES = {
    rate: "Rate over n", cycles: "Cycles an element over n", entropy: "Rate over the entropy of the keys", ratio: "Speed relative to ", counts: "Counted per element over n",
    energy: "Keys per joule over n", power: "Power while sorting over n",
  };
  const NOTES = {
    rate: "Keys, or keys with their values, a second: the median with its 95 % interval.",
    cycles: "Clock cycles of all cores together, by the clock measured during the run.",
    entropy: "Inputs of Thearling's family: uniform keys, keys ANDed with more and more random words, constant keys.",
    ratio: "Above 1: faster. On the same processor with as many threads where the other was measured so, else its fastest on that machine. Intervals allow for other processes.",
    energy: "All that the device, or the processors and their memory, draw while a sort runs back to back; with the 95 % interval of its windows.",
    power: "Mean power of the device, or of the processors and their memory, while a sort runs back to back.",
    counts: "Counted by a profiler, all phases together: exact, and without an interval.",
  };
  let choice = null, rows = [], shown = [], drawn = [], value = null, turn = 0;

  const say = (text) => { byId("said").textContent = text; };

  const options = (select, items, current) => {
    const now = [...select.options].map((option) => option.value + option.text).join("\n");
    if (now !== items.map(([item, text]) => item + text).join("\n")) {
      select.replaceChildren(...items.map(([item, text]) => format.element("option", { value: item }, text)));
    }
    select.value = current;
  };

  // Further inputs of some charts: a size, a sort to compare with, and its machine.
  const settle = () => {
    const sizes = choice.chart === "entropy" ? series.sizes(choice, rows) : [];
    if (sizes.length && !sizes.some(({ n }) => String(n) === choice.n)) {
      choice.n = String(sizes.reduce((best, size) => (size.entropies >= best.entropies ? size : best)).n);
    }
    options(byId("n"), sizes.map(({ n }) => [String(n), format.count(n)]), choice.n);
    const sorts = [...new Set(rows.filter((row) => row.ok).map((row) => row.algorithm))].sort(series.compare);
    if (!sorts.includes(choice.ratio)) choice.ratio = sorts.includes("std_sort") ? "std_sort" : sorts[0] || "";
    options(byId("ratio"), sorts.map((sort) => [sort, sort]), choice.ratio);
    if (choice.on && !choice.machine.includes(choice.on)) choice.on = "";
    options(byId("on"), [["", "the same machine"], ...choice.machine.map((id) => [id, sortlab.byId.get(id).name])], choice.on);
    const counters = choice.chart === "counts" ? series.counters(rows) : [];
    if (counters.length && !counters.includes(choice.counter)) choice.counter = counters.find((name) => name.startsWith("instructions")) || counters[0];
    options(byId("counter"), counters.map((name) => [name, name]), choice.counter);
    for (const id of ["chart", "parameters", "colours", "scale", "rows"]) byId(id).value = choice[id];
    if (byId("filter").value !== choice.filter) byId("filter").value = choice.filter;
    byId("n").parentElement.hidden = choice.chart !== "entropy";
    byId("counter").parentElement.hidden = choice.chart !== "counts";
    for (const id of ["ratio", "on"]) byId(id).parentElement.hidden = choice.chart !== "ratio";
    byId("more").textContent = choice.parameters === "apart" ? "each set of parameters" : "";
  };

  const draw = () => {
    settle();
    facets.show(choice, rows);
    const result = series.lines(choice, rows);
    value = result.value;
    drawn = result.lines;
    byId("chart-title").textContent = TITLES[choice.chart] + (choice.chart === "ratio" ? choice.ratio : "");
    const many = result.lines.length, left = result.left ? ` ${many} of ${many + result.left} lines are drawn: choose fewer.` : "";
    byId("chart-note").textContent = many ? NOTES[choice.chart] + left : choice.chart === "counts" && !choice.counter
      ? "No counts are among the records of these machines." : "Nothing was measured of this choice. The lists tell how many cells each item has.";
    byId("canvas").setAttribute("aria-label", `${byId("chart-title").textContent}, ${many} lines: ${result.lines.map((line) => line.label).join("; ")}`);
    figure.draw(result, choice);
    lines.show(result, choice, (label) => {
      const hidden = new Set(choice.hidden);
      if (!hidden.delete(label)) hidden.add(label);
      change({ hidden: [...hidden] });
    });
    const points = [...new Set(result.lines.filter((line) => !choice.hidden.includes(line.label))
      .flatMap((line) => [...line.points, ...line.predicted.flatMap((predicted) => predicted.points)].map((point) => point.row)))];
    shown = table.show(choice, value, choice.rows === "all" ? rows.filter(series.chosen(choice)) : points);
    say(`${many} lines, ${shown.length} rows in the table`);
  };

  // Loads the data of a choice, completes the choice and draws it. An answer to an older choice is dropped.
  const show = async (given) => {
    const mine = ++turn;
    try {
      const found = await sortlab.rows(address.machines(given));
      if (mine !== turn) return false;
      rows = found;
      choice = address.complete(given, rows);
      draw();
      return true;
    } catch (error) {
      say(error.message);
      byId("chart-note").textContent = error.message;
      return false;
    }
  };
  const change = async (changes) => {
    if (await show({ ...choice, ...changes })) history.pushState(null, "", address.write(choice));
  };
  const fromAddress = async () => {
    if (await show(address.read(location.hash))) history.replaceState(null, "", address.write(choice));
  };

  for (const field of fields) field.addEventListener("change", () => change({ [field.id]: field.value }));
  byId("choice").addEventListener("submit", (event) => event.preventDefault());
  let typing = 0;
  byId("filter").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ filter: byId("filter").value }), 150);
  });
  facets.onChange((name, items) => {
    if (name !== "machine" || items.length) return change({ [name]: items, hidden: [] });
    say("One machine at least is shown.");
    return facets.show(choice, rows);
  });
  table.onOrder((order) => change({ order }));
  table.onOpen(record.open);
  figure.onOpen(record.open);
  figure.onSay(say);
  byId("csv").addEventListener("click", () => download.save("sortlab.csv", "text/csv", download.csv(choice, value, shown)));
  byId("originals").addEventListener("click", async () => {
    say("collecting records …");
    const found = await download.originals(shown);
    download.save("sortlab.jsonl", "application/json", found.join(""));
    say(`${found.length} records`);
  });
  byId("every").addEventListener("click", async () => {
    say("collecting records …");
    const found = await sortlab.originals(choice.machine);
    download.save("sortlab-machines.jsonl", "application/json", found.map((line) => line + "\n").join(""));
    say(`${found.length} records`);
  });
  const picture = () => sortlab.picture.svg(figure.chart, byId("chart-title").textContent, drawn.filter((line) => !choice.hidden.includes(line.label)));
  byId("svg").addEventListener("click", () => download.save("sortlab.svg", "image/svg+xml", picture()));
  byId("png").addEventListener("click", async () => download.save("sortlab.png", "image/png", await sortlab.picture.png(picture())));
  byId("link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied; it holds the whole choice.");
    } catch {
      say("The address of this page holds the whole choice; copy it from there.");
    }
  });
  byId("reset").addEventListener("click", async () => {
    if (await show({})) history.pushState(null, "", address.write(choice));
  });
  addEventListener("hashchange", fromAddress);
  fromAddress().then(() => { performance.mark("sortlab-shown"); document.documentElement.dataset.shown = "yes"; });
})();
