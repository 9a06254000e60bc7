"use strict";
// The lists of check boxes: machines, processors, types, threads, inputs, sorts, kinds of models.
sortlab.facets = (() => {
  const { element } = sortlab.format;
  const { FIELDS, chosen, isFree, compare } = sortlab.series;
  const SEARCHED = 12; // number of items above which a list has a search field
  const HEADS = {
    machine: ["Machines", ""], place: ["Processor", "all"], type: ["Keys and values", "all"], threads: ["Threads of a processor", "all"], part: ["Part of a sort", "all"],
    input: ["Input", "all"], sort: ["Sorts", "the fastest"], kind: ["Predicted by", "no model"],
  };
  const GROUPS = {
    here: "This machine", measured: "Measured elsewhere", predicted: "Predicted only, from datasheets or papers", published: "Printed in papers",
  };
  const all = document.getElementById("facets"), made = new Map();
  let changed = () => {};

  const make = (name) => {
    const [head] = HEADS[name];
    const says = element("span", { class: "chosen" }), boxes = element("div", { class: "boxes" });
    const search = element("input", { type: "search", placeholder: "Find", "aria-label": "Find in " + head, hidden: true });
    const none = element("button", { type: "button", onclick: () => changed(name, []) }, "Untick all");
    const details = element("details", { class: "facet", "data-facet": name },
      element("summary", {}, head + " ", says),
      element("fieldset", {}, element("legend", { class: "unseen" }, head), search, boxes, none));
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      for (const label of boxes.querySelectorAll("label")) label.hidden = !words.every((word) => label.textContent.toLowerCase().includes(word));
    });
    none.hidden = name === "machine"; // without a machine there is nothing to show
    details.open = matchMedia("(min-width: 62rem)").matches && ["machine", "sort"].includes(name);
    all.append(details);
    made.set(name, { details, says, boxes, search, items: new Map() });
  };

  const label = (name, value) => {
    if (name !== "machine") return name === "threads" ? sortlab.format.threads(Number(value)) : value;
    const machine = sortlab.byId.get(value);
    return machine.name === value ? value : machine.name;
  };

  const boxes = (name, values) => {
    const facet = made.get(name);
    if (values.join("\n") === [...facet.items.keys()].join("\n")) return;
    facet.items = new Map(values.map((value) => {
      const input = element("input", { type: "checkbox", value });
      const many = element("small");
      input.addEventListener("change", () => changed(name, [...facet.items].filter(([, box]) => box.input.checked).map(([item]) => item)));
      const id = name === "machine" && label(name, value) !== value ? element("small", {}, " " + value) : null;
      return [value, { input, many, label: element("label", {}, input, element("span", {}, label(name, value), id), " ", many) }];
    }));
    facet.boxes.replaceChildren(...[...facet.items].flatMap(([value, item], i) => {
      const group = name === "machine" ? sortlab.byId.get(value).group : "", before = i && sortlab.byId.get(values[i - 1])?.group;
      return group && group !== before ? [element("p", {}, GROUPS[group]), item.label] : [item.label];
    }));
    facet.search.hidden = values.length <= SEARCHED;
  };

  const options = (name, rows) => {
    if (name === "machine") return sortlab.index.machines.map((machine) => machine.id);
    if (name === "kind") return sortlab.index.kinds.filter((kind) => rows.some((row) => row.predictions.some((prediction) => prediction.kind === kind)));
    return [...new Set(rows.filter((row) => !isFree(row, name)).map((row) => String(row[FIELDS[name]])))].sort(compare);
  };

  // Number of cells of each item of a list, under the choice in the other lists.
  const counts = (name, choice, rows) => {
    const found = new Map(), wanted = chosen(choice, name);
    if (name === "machine") return new Map(sortlab.index.machines.map((machine) => [machine.id, machine.measurements + machine.predictions]));
    for (const row of rows.filter(wanted)) {
      const items = name === "kind" ? new Set(row.predictions.map((prediction) => prediction.kind)) : [String(row[FIELDS[name]])];
      for (const item of items) found.set(item, (found.get(item) || 0) + 1);
    }
    return found;
  };

  const show = (choice, rows) => {
    for (const name of Object.keys(HEADS)) {
      if (!made.has(name)) make(name);
      const facet = made.get(name), ticked = new Set(choice[name]);
      boxes(name, options(name, rows));
      const many = counts(name, choice, rows);
      for (const [value, item] of facet.items) {
        item.input.checked = ticked.has(value);
        item.many.textContent = name === "machine" ? "" : String(many.get(value) || 0);
        item.label.classList.toggle("none", !many.get(value) && !ticked.has(value));
      }
      const named = choice[name].map((value) => label(name, value));
      facet.says.textContent = named.length > 2 ? named.length + " chosen" : named.join(", ") || HEADS[name][1];
      facet.details.hidden = (name === "input" && choice.chart === "entropy") || !facet.items.size;
    }
  };

  return { show, onChange(handler) { changed = handler; } };
})();
