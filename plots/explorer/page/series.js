"use strict";
// Makes the lines of a chart from rows and a choice.
sortlab.series = (() => {
  const MOST_LINES = 24, FASTEST = 6, SEVERAL = 12;
  // Thearling's family: keys ANDed with `ands` further random words. Uniform keys have none, constant keys all.
  const ofEntropies = (row) => row.entropy !== null && (row.flags & sortlab.IS_ENTROPY) !== 0;
  const FIELDS = { machine: "machine", place: "place", type: "type", threads: "threads", part: "part", input: "input", sort: "algorithm" };
  const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });

  // True if a list does not concern a row: a GPU has no number of threads, and a paper's number has its own processor.
  const isFree = (row, list) => (list === "threads" && row.threads === null) || (row.published && ["place", "part"].includes(list));

  // True if a row is chosen when one list is ignored. A list without ticks means all of its items.
  const chosen = (choice, but) => {
    const asked = Object.entries(FIELDS).filter(([list]) => list !== but && choice[list].length &&
      !(list === "input" && choice.chart === "entropy"));
    const sets = asked.map(([list, field]) => [list, field, new Set(choice[list])]);
    return (row) => sets.every(([list, field, items]) => items.has(String(row[field])) || isFree(row, list)) &&
      (choice.chart !== "entropy" || but === "input" || ofEntropies(row));
  };

  const x = (choice, row) => (choice.chart === "entropy" ? row.entropy : Math.log2(row.n));
  const interval = (value, low, high) => ({ value, low, high });
  // A component may do its work several times in one run.
  const rate = (row) => interval(row.n * row.times / row.s, row.n * row.times / row.high, row.n * row.times / row.low);
  const isTimed = (row) => row.ok || row.published;

  // The sorts of a chart without ticks: the fastest on each processor in turn, at the n that most of its sorts have.
  const fastest = (rows) => {
    const groups = group(rows, place), ranked = [...groups.values()].map(ranking), found = new Set();
    const most = groups.size > 1 ? Math.max(2, Math.floor(SEVERAL / groups.size)) : FASTEST;
    for (let rank = 0; found.size < most && ranked.some((names) => rank < names.length); rank++) {
      for (const names of ranked) if (rank < names.length && found.size < most) found.add(names[rank]);
    }
    return found;
  };
  const ranking = (here) => {
    const sizes = new Map();
    for (const row of here) sizes.set(row.n, (sizes.get(row.n) || new Set()).add(row.algorithm));
    const most = Math.max(...[...sizes.values()].map((sorts) => sorts.size));
    const n = Math.max(...[...sizes].filter(([, sorts]) => sorts.size === most).map(([size]) => size));
    const best = new Map();
    for (const row of here) {
      if (row.n === n) best.set(row.algorithm, Math.max(best.get(row.algorithm) || 0, n / row.s));
    }
    return [...best].sort((a, b) => b[1] - a[1]).map(([sort]) => sort);
  };
  const place = (row) => row.machine + "\n" + row.place;
  const group = (rows, key) => {
    const groups = new Map();
    for (const row of rows) {
      const name = key(row);
      if (groups.has(name)) groups.get(name).push(row); else groups.set(name, [row]);
    }
    return groups;
  };

  // The reference row for each row: the reference sort on the same processor and threads if it was measured there,
  // else its fastest row on that machine.
  const references = (choice, rows) => {
    const key = (machine, row) => [machine, row.type, row.input, row.n].join("\n");
    const found = group(rows.filter((row) => row.ok && row.algorithm === choice.ratio), (row) => key(row.machine, row));
    const quickest = (of) => of.reduce((a, b) => (b.s < a.s ? b : a));
    return (row) => {
      const there = found.get(key(choice.on || row.machine, row));
      if (!there) return null;
      const alike = there.filter((other) => other.place === row.place && other.threads === row.threads);
      return quickest(alike.length ? alike : there);
    };
  };

  // The ratio of two times with its interval, by the rule of plots/records/statistics.py (Interval.over). The ends
  // `least` and `most` allow for other processes.
  const over = (a, b) => {
    if (a === b) return interval(1, 1, 1);
    const value = a.s / b.s;
    const below = Math.hypot(Math.log(a.s / a.least), Math.log(b.most / b.s));
    const above = Math.hypot(Math.log(a.most / a.s), Math.log(b.s / b.least));
    return interval(value, value * Math.exp(-below), value * Math.exp(above));
  };

  // The value of a row in a chart with its interval, and its prediction; null if there is none.
  const values = (choice, rows) => {
    if (choice.chart === "cycles") {
      return {
        unit: "cycles per element", measured: (row) => (row.cycles
          ? interval(row.cycles, row.cycles * row.low / row.s, row.cycles * row.high / row.s) : null),
        predicted: (row, prediction) => (row.cycles ? row.cycles * prediction.s / row.s : null),
      };
    }
    if (choice.chart === "ratio") {
      const reference = references(choice, rows);
      return {
        unit: "times as fast", reference,
        measured: (row) => {
          const other = reference(row);
          return other && over(other, row);
        },
        predicted: (row, prediction) => {
          const other = reference(row), same = other && other.predictions.find((p) => p.kind === prediction.kind);
          return same ? same.s / prediction.s : null;
        },
      };
    }
    if (choice.chart === "counts") {
      const counted = (row) => row.counts.find(({ counter }) => counter === choice.counter);
      return {
        unit: choice.counter + " per element", measured: (row) => (counted(row) ? interval(...Array(3).fill(counted(row).value)) : null),
        predicted: () => null,
      };
    }
    if (choice.chart === "energy" || choice.chart === "power") {
      const isEnergy = choice.chart === "energy", keys = (row) => row.n * row.times;
      return {
        unit: isEnergy ? "keys/J" : "W", predicted: () => null,
        measured: (row) => {
          if (!row.joules) return null;
          return isEnergy ? interval(keys(row) / row.joules, keys(row) / row.joules_high, keys(row) / (row.joules_low || row.joules)) : interval(row.watts, row.watts, row.watts);
        },
      };
    }
    return { unit: "keys/s", measured: rate, predicted: (row, prediction) => row.n * row.times / prediction.s };
  };
  const isMetered = (choice) => choice.chart === "energy" || choice.chart === "power";
  // True if the chart can have a point of the row.
  const isShown = (choice, row) => (choice.chart === "counts" ? row.counts.length > 0 : isMetered(choice) ? row.joules > 0 : isTimed(row) || row.predictions.length > 0);
  // The counters of all rows.
  const counters = (rows) => [...new Set(rows.flatMap((row) => row.counts.map(({ counter }) => counter)))].sort(compare);

  // The sizes at which a chart over entropy has several points, with the number of entropies of each.
  const sizes = (choice, rows) => {
    const wanted = chosen({ ...choice, chart: "entropy" });
    const found = group(rows.filter((row) => isShown(choice, row) && wanted(row)), (row) => row.n);
    const each = [...found].map(([n, of]) => ({ n, entropies: new Set(of.map((row) => row.entropy)).size }));
    return each.filter(({ entropies }) => entropies > 1).sort((a, b) => a.n - b.n);
  };

  const lines = (choice, rows) => {
    const value = values(choice, rows);
    const drawn = rows.filter(chosen(choice)).filter((row) => row.n > 0 && isShown(choice, row) &&
      (choice.chart !== "entropy" || String(row.n) === choice.n));
    const shown = choice.sort.length || choice.chart === "counts" ? null : fastest(drawn.filter((row) => row.ok));
    // A cell without a measurement belongs to a line of predictions only, which is shown on request.
    const kept = drawn.filter((row) => (shown && shown.size ? shown.has(row.algorithm) || row.published : true));
    const apart = choice.parameters === "apart";
    const key = (row) => [row.algorithm, row.machine, row.place, row.type, row.threads, row.part,
      choice.chart === "entropy" ? "" : row.input, ...(apart ? [row.parameters, row.layout] : [])].join("\n");
    const made = [...group(kept, key)].map(([name, of]) => line(choice, value, name, of)).filter((one) => one.points.length || one.predicted.length);
    made.sort((a, b) => compare(a.key, b.key));
    label(made, apart, choice.chart === "entropy");
    const lines = made.slice(0, MOST_LINES);
    return { lines, left: Math.max(0, made.length - MOST_LINES), unit: value.unit.startsWith("keys/") ? scaled(lines, value.unit) : value.unit, value };
  };

  // Divides rates by a power of ten, which the unit that is returned names.
  const scaled = (lines, unit) => {
    const every = lines.flatMap((one) => [...one.points, ...one.predicted.flatMap((predicted) => predicted.points)]);
    const exponent = Math.max(...every.map(({ y }) => y)) >= 1e9 ? 9 : 6;
    for (const point of every) {
      for (const name of ["y", "low", "high"]) if (point[name] !== undefined) point[name] /= 10 ** exponent;
    }
    return `10${sortlab.format.raised(exponent)} ${unit}`;
  };

  const line = (choice, value, key, of) => {
    const best = new Map();
    for (const row of of) {
      const at = x(choice, row), other = best.get(at);
      if (!other || (isTimed(row) && (!isTimed(other) || row.s < other.s))) best.set(at, row);
    }
    const rows = [...best].sort((a, b) => a[0] - b[0]).map(([, row]) => row);
    const points = [], predicted = [];
    for (const row of rows) {
      const measured = isTimed(row) || choice.chart === "counts" ? value.measured(row) : null;
      if (measured) points.push({ x: x(choice, row), y: measured.value, ...(row.ok && choice.chart !== "counts" ? { low: measured.low, high: measured.high } : {}), row });
    }
    for (const kind of choice.kind) {
      const of_kind = rows.flatMap((row) => {
        const prediction = row.predictions.find((p) => p.kind === kind), y = prediction ? value.predicted(row, prediction) : null;
        return y ? [{ x: x(choice, row), y, row, prediction }] : [];
      });
      if (of_kind.length) predicted.push({ kind, points: of_kind });
    }
    return { key, row: rows[0], points, predicted, published: rows[0].published };
  };

  // A line's name holds the facts that the other lines of the chart do not share.
  const label = (made, apart, overEntropy) => {
    const fields = [
      ["machine", (row) => row.from.name + (twins(row) ? " (" + row.machine + ")" : "")], ["place", (row) => row.place],
      ["threads", (row) => sortlab.format.threads(row.threads)], ["part", (row) => row.part], ["type", (row) => row.type],
      ...(overEntropy ? [] : [["input", (row) => row.input]]),
      ...(apart ? [["parameters", (row) => row.parameters], ["layout", (row) => row.layout]] : []),
    ];
    const differ = fields.filter(([name]) => new Set(made.map((one) => one.row[name])).size > 1);
    for (const one of made) {
      one.details = differ.map(([, text]) => text(one.row)).filter(Boolean).join(", ");
      one.label = one.row.algorithm + (one.details ? ", " + one.details : "");
      one.variant = one.details;
    }
  };
  const twins = (row) => sortlab.index.machines.filter((machine) => machine.name === row.from.name).length > 1;

  return { lines, chosen, isFree, isTimed, rate, sizes, values, counters, ofEntropies, FIELDS, compare, group };
})();
