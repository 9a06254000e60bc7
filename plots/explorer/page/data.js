"use strict";
// Receives the files of data: the index, each chosen machine, and original records on request.
// Each file is a script, since a page opened from a folder may load nothing else.
window.sortlab = (() => {
  const loading = new Map(), machines = new Map(), chunks = new Map();
  const self = { index: null };

  const load = (file) => {
    if (!loading.has(file)) {
      loading.set(file, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = file;
        script.onload = done;
        script.onerror = () => { loading.delete(file); failed(new Error(file + " cannot be loaded")); };
        document.head.append(script);
      }));
    }
    return loading.get(file);
  };

  // A column as data.py writes it: a value for each row, or one value for all rows.
  const at = (column, i) => (Array.isArray(column) ? column[i] : column);
  const NAMED = ["algorithm", "parameters", "type", "layout", "place", "input", "status", "reason", "run"];
  const PLAIN = ["threads", "n", "entropy", "s", "low", "high", "cycles", "samples", "flags", "line"];

  const rowsOf = (machine, columns, predictions) => {
    const { names } = columns;
    const rows = Array.from({ length: columns.count }, (_, i) => {
      const row = { machine: machine.id, from: machine, predictions: [] };
      for (const name of NAMED) row[name] = names[name][at(columns[name], i)];
      for (const name of PLAIN) row[name] = at(columns[name], i);
      row.ok = row.status === "ok";
      return row;
    });
    for (let i = 0; i < columns.predicted; i++) {
      rows[at(predictions.row, i)].predictions.push({
        kind: self.index.kinds[at(predictions.kind, i)],
        model: names.model[at(predictions.model, i)],
        s: at(predictions.s, i),
        line: at(predictions.line, i),
      });
    }
    // If there are two models of a kind, the first by name counts.
    for (const row of rows) row.predictions.sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0));
    return rows;
  };

  return Object.assign(self, {
    DISTURBED: 1, EXPECTED: 2, FEW_SAMPLES: 4,
    setIndex(index) {
      self.index = index;
      self.byId = new Map(index.machines.map((machine) => [machine.id, machine]));
      self.sorts = new Map(index.sorts.map((sort) => [sort.name, sort]));
    },
    machine(file, columns, predictions) {
      const machine = self.index.machines.find((known) => known.file === file);
      machines.set(machine.id, rowsOf(machine, columns, predictions));
    },
    records(file, part, lines) { chunks.set(file + "/" + part, lines); },

    // Loads the rows of machines, by id, unless they are loaded already.
    async rows(ids) {
      await Promise.all(ids.map((id) => load("data/" + encodeURIComponent(self.byId.get(id).file) + ".js")));
      return ids.flatMap((id) => machines.get(id));
    },
    // Loads the original record on one line of a machine's records.
    async original(machine, line) {
      const part = Math.floor(line / self.index.linesAFile), file = machine.file + "/" + part;
      await load("records/" + encodeURIComponent(machine.file) + "/" + part + ".js");
      return chunks.get(file)[line % self.index.linesAFile];
    },
  });
})();
