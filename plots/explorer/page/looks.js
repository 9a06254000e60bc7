"use strict";
// The look of each line: its colour, its shape, and dashes for what was not measured here.
sortlab.looks = (() => {
  const SHAPES = [["circle", "●", "○"], ["triangle", "▲", "△"], ["rect", "■", "□"], ["rectRot", "◆", "◇"], ["star", "✶", "✶"], ["crossRot", "✕", "✕"], ["cross", "✚", "✚"]];
  const COLOURS = 8;
  const DASHES = { component: [7, 4], hardware: [2, 3], paper: [9, 3, 2, 3], fitted: [12, 3], scaled: [5, 3] };
  const OTHER_DASH = [4, 4], PUBLISHED_DASH = [1, 4];

  // Colours stand for sorts, or machines, or if both differ for single lines, as far as colours reach.
  const coloured = (choice, lines) => {
    const many = (of) => new Set(lines.map(of)).size;
    if (choice.colours !== "auto") return choice.colours;
    const sorts = many((line) => line.row.algorithm), variants = many((line) => line.variant);
    if (sorts > 1 && variants > 1) return lines.length <= COLOURS ? "line" : sorts >= variants ? "sort" : "variant";
    return sorts > 1 ? "sort" : "variant";
  };
  const OF = {
    sort: (line) => line.row.algorithm, machine: (line) => line.row.machine + "\n" + line.row.place,
    variant: (line) => line.variant, line: (line) => line.key,
  };

  // No two lines have the same colour and shape, as long as there are enough of both.
  const give = (choice, lines) => {
    const of = OF[coloured(choice, lines)], groups = [...new Set(lines.map(of))], taken = new Set();
    const variants = [...new Set(lines.map((line) => line.variant))];
    for (const line of lines) {
      const group = groups.indexOf(of(line)), colour = group % COLOURS;
      let shape = variants.indexOf(line.variant) + Math.floor(group / COLOURS);
      for (let tried = 0; tried < SHAPES.length && taken.has(colour + "/" + shape % SHAPES.length); tried++) shape++;
      taken.add(colour + "/" + shape % SHAPES.length);
      line.role = "series-" + (colour + 1);
      line.shape = SHAPES[shape % SHAPES.length];
      line.hollow = line.published || !line.points.length;
    }
  };

  return { give, dash: (kind) => DASHES[kind] || OTHER_DASH, PUBLISHED_DASH, SHAPES };
})();
