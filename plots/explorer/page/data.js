"use strict";
// Receives the files of data: the index, each chosen machine, and original records on request.
// Each file is a script, since a page opened from a folder may load nothing else; its text is gzip in Base64.
window.sortlab = (() => {
  const loading = new Map(), texts = new Map(), machines = new Map();
  const self = { index: null };

  const inflate = (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };

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
  const NAMED = ["algorithm", "parameters", "type", "layout", "place", "part", "input", "status", "reason", "run"];
  const PLAIN = ["threads", "n", "entropy", "s", "low", "high", "least", "most", "cycles", "samples", "processes", "times", "flags", "line", "joules", "joules_low", "joules_high", "watts"];

  const rowsOf = (machine, columns, predictions, counts) => {
    const { names } = columns;
    const rows = Array.from({ length: columns.count }, (_, i) => {
      const row = { machine: machine.id, from: machine, predictions: [], counts: [] };
      for (const name of NAMED) row[name] = names[name][at(columns[name], i)];
      for (const name of PLAIN) row[name] = at(columns[name], i);
      row.ok = row.status === "ok";
      row.published = row.status === "published";
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
    for (let i = 0; i < columns.counted; i++) {
      rows[at(counts.row, i)].counts.push({
        counter: names.counter[at(counts.counter, i)], value: at(counts.value, i), line: at(counts.line, i),
      });
    }
    // If there are two models of a kind, the first by name counts.
    for (const row of rows) row.predictions.sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0));
    return rows;
  };

  const machineRows = async (id) => {
    const machine = self.byId.get(id), { file } = machine;
    await load("data/" + encodeURIComponent(file) + ".js");
    if (!machines.has(id)) machines.set(id, rowsOf(machine, ...JSON.parse(await inflate(texts.get(`machine/${file}/0`)))));
    return machines.get(id);
  };
  const partRecords = async (file, part) => {
    const key = `records/${file}/${part}`;
    await load(`records/${encodeURIComponent(file)}/${part}.js`);
    if (typeof texts.get(key) === "string") texts.set(key, (await inflate(texts.get(key))).split("\n").slice(0, -1));
    return texts.get(key);
  };

  return Object.assign(self, {
    DISTURBED: 1, EXPECTED: 2, FEW_SAMPLES: 4, IS_ENTROPY: 8,
    setIndex(index) {
      self.index = index;
      self.byId = new Map(index.machines.map((machine) => [machine.id, machine]));
      self.sorts = new Map(index.sorts.map((sort) => [sort.name, sort]));
    },
    packed(kind, file, part, text) { texts.set(`${kind}/${file}/${part}`, text); },

    // Loads the rows of machines, by id, unless they are loaded already.
    async rows(ids) { return (await Promise.all(ids.map(machineRows))).flat(); },
    // Loads the original record on one line of a machine's records.
    async original(machine, line) {
      return (await partRecords(machine.file, Math.floor(line / self.index.linesAFile)))[line % self.index.linesAFile];
    },
    // Loads all original records of machines, by id.
    async originals(ids) {
      const every = ids.map((id) => self.byId.get(id)).flatMap(({ file, lines }) =>
        Array.from({ length: Math.ceil(lines / self.index.linesAFile) }, (_, part) => partRecords(file, part)));
      return (await Promise.all(every)).flat();
    },
  });
})();
