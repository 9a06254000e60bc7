"use strict";
// The reader's choice, and its form in the address behind #, so that a link to the page shows the same.
sortlab.choice = (() => {
  const LISTS = ["machine", "place", "type", "threads", "part", "input", "sort", "kind", "hidden"];
  const SINGLES = {
    chart: ["rate", "cycles", "entropy", "ratio", "counts", "energy", "power"],
    n: null, ratio: null, on: null, counter: null,
    colours: ["auto", "sort", "machine", "line"],
    parameters: ["fastest", "apart"],
    scale: ["auto", "linear", "log"],
    rows: ["chart", "all"],
    order: null, filter: null,
  };

  // An empty list is written as one empty text. It means all items, whereas an absent list means no choice yet.
  const write = (choice) => {
    const given = new URLSearchParams();
    for (const name of Object.keys(SINGLES)) if (choice[name]) given.append(name, choice[name]);
    for (const name of LISTS) for (const item of choice[name].length ? choice[name] : [""]) given.append(name, item);
    return "#" + given;
  };

  // Reads the choice from an address. Values that are not allowed are left out.
  const read = (hash) => {
    const given = new URLSearchParams(hash.replace(/^#/, "")), choice = {};
    for (const [name, allowed] of Object.entries(SINGLES)) {
      const value = given.get(name);
      if (value !== null && (!allowed || allowed.includes(value))) choice[name] = value;
    }
    for (const name of LISTS) if (given.has(name)) choice[name] = [...new Set(given.getAll(name).filter(Boolean))];
    return choice;
  };

  const first = (allowed) => (allowed ? allowed[0] : "");
  const singles = () => Object.fromEntries(Object.entries(SINGLES).map(([name, allowed]) => [name, first(allowed)]));

  // The chosen machines that exist, else this machine and all that were measured, else the one with most measurements.
  const machines = (given) => {
    const known = (given.machine || []).filter((id) => sortlab.byId.has(id)), every = sortlab.index.machines;
    if (known.length) return known;
    const beside = every.some(({ group }) => group === "here") ? ["here", "measured"] : [];
    const first = every.filter(({ group }) => beside.includes(group));
    return (first.length ? first : every.slice(0, 1)).map((machine) => machine.id);
  };

  // Completes a partial choice: the processor, one thread, 32-bit keys, uniform input.
  const complete = (given, rows) => {
    const has = (field, value) => rows.some((row) => row.ok && String(row[field]) === value);
    const usual = (field, ...values) => {
      const found = values.find((value) => has(field, value));
      return found === undefined ? [] : [found];
    };
    const usuals = {
      place: usual("place", "CPU"), type: usual("type", "u32", "u64"), threads: usual("threads", "1"), part: usual("part", sortlab.index.whole),
      input: usual("input", "uniform"), sort: [], kind: ["component", "hardware", "scaled"], hidden: [],
    };
    // Drops items that no row has, so that a link also works with other records.
    const there = (name, items) => (name in usuals && !["kind", "hidden"].includes(name)
      ? items.filter((item) => rows.some((row) => String(row[name === "sort" ? "algorithm" : name]) === item)) : items);
    const choice = { ...singles(), ...usuals, ...given, machine: machines(given) };
    for (const name of LISTS) if (name in given && name !== "machine") choice[name] = there(name, given[name]);
    return choice;
  };

  return { read, write, machines, complete, LISTS };
})();
