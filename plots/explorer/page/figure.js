"use strict";
// The chart, drawn by Chart.js: measured values as solid lines with intervals, predictions as dashed lines.
sortlab.figure = (() => {
  const { digits, raised, count } = sortlab.format;
  const { looks } = sortlab;
  const WIDTH_OF_CAP = 3, MARGIN = 8, WIDE = 20;
  const canvas = document.getElementById("canvas");
  const colour = (role) => getComputedStyle(document.documentElement).getPropertyValue("--" + role).trim();
  let chart = null, drawn = null, cursor = null, opened = () => {}, announce = () => {};

  // Draws a bar from the low end of a point's interval to the high end.
  const intervals = {
    id: "intervals",
    afterDatasetsDraw({ ctx, chartArea, scales: { x, y }, data }) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left - MARGIN, chartArea.top - MARGIN, chartArea.width + 2 * MARGIN, chartArea.height + 2 * MARGIN);
      ctx.clip();
      ctx.lineWidth = 1.25;
      for (const { data: points, borderColor } of data.datasets) {
        ctx.strokeStyle = borderColor;
        for (const point of points) {
          if (point.low === undefined) continue;
          const [at, low, high] = [x.getPixelForValue(point.x), y.getPixelForValue(point.low), y.getPixelForValue(point.high)];
          ctx.beginPath();
          ctx.moveTo(at, low);
          ctx.lineTo(at, high);
          for (const end of [low, high]) {
            ctx.moveTo(at - WIDTH_OF_CAP, end);
            ctx.lineTo(at + WIDTH_OF_CAP, end);
          }
          ctx.stroke();
        }
      }
      ctx.restore();
    },
  };

  const saying = (line, point, choice, unit) => {
    const at = choice.chart === "entropy" ? digits(point.x) + " bits of entropy" : "n = " + count(point.row.n);
    const value = digits(point.y) + " " + unit;
    if (point.prediction) return [line.label + ", " + at, "predicted (" + point.prediction.kind + "): " + value];
    return point.low === undefined ? [line.label + ", " + at, (line.published ? "published: " : "") + value]
      : [line.label + ", " + at, value + " [" + digits(point.low) + ", " + digits(point.high) + "]"];
  };

  const datasets = ({ lines }, hidden) => lines.filter((line) => !hidden.has(line.label)).flatMap((line) => {
    const own = colour(line.role), ground = colour("ground");
    const look = { borderColor: own, backgroundColor: own, pointBackgroundColor: own, pointStyle: line.shape[0], parsing: false, clip: MARGIN, line };
    const hollow = { pointBackgroundColor: ground, pointBorderColor: own, pointBorderWidth: 1.4 };
    const published = line.published ? { ...hollow, borderWidth: 1.2, borderDash: looks.PUBLISHED_DASH } : {};
    return [
      { ...look, data: line.points, borderWidth: 2, pointRadius: 3.5, pointHoverRadius: 6, ...published },
      // Predictions have no points, except where one alone would be invisible.
      ...line.predicted.map(({ kind, points }) => ({
        ...look, ...hollow, data: points, borderWidth: 1.5, borderDash: looks.dash(kind), pointRadius: points.length > 1 ? 0 : 3.5, pointHitRadius: 4,
      })),
    ].filter((set) => set.data.length);
  });

  const axes = (choice, unit, sets) => {
    const values = sets.flatMap((set) => set.data.map((point) => point.y)).filter((y) => y > 0);
    const places = sets.flatMap((set) => set.data.map((point) => point.x));
    const wide = Math.max(...values) / Math.min(...values) > WIDE;
    const log = choice.scale === "log" || (choice.scale === "auto" && wide);
    const ticks = { color: colour("muted"), font: { size: 12 } };
    const grid = { color: colour("grid"), borderColor: colour("axis") };
    const title = (text) => ({ display: true, text, color: colour("muted") });
    const round = (value) => [1, 2, 5].includes(Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(2)));
    return {
      x: {
        type: "linear", grid, border: { color: colour("axis") },
        min: Math.floor(Math.min(...places)), max: Math.ceil(Math.max(...places)),
        title: title(choice.chart === "entropy" ? "entropy of the keys, bits" : "n, elements"),
        ticks: { ...ticks, precision: 0, maxRotation: 0, callback: (value) => (choice.chart === "entropy" ? value : Number.isInteger(value) ? "2" + raised(value) : null) },
      },
      y: {
        type: log ? "logarithmic" : "linear", beginAtZero: !log, grid, border: { color: colour("axis") }, title: title(unit),
        ticks: { ...ticks, callback: (value) => (!log || round(value) ? String(Number(value.toPrecision(6))) : null) },
      },
    };
  };

  const draw = (result, choice) => {
    drawn = { result, choice };
    looks.give(choice, result.lines);
    const sets = datasets(result, new Set(choice.hidden)), font = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.family = font;
    const options = {
      animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
      interaction: { mode: "nearest", intersect: false }, scales: axes(choice, result.unit, sets),
      onClick: (_, found) => { if (found.length) open(found[0]); },
      plugins: {
        legend: { display: false },
        tooltip: {
          displayColors: false, bodySpacing: 3,
          callbacks: { title: () => "", label: ({ dataset, raw }) => saying(dataset.line, raw, choice, result.unit) },
        },
      },
    };
    if (chart) chart.destroy();
    cursor = null;
    chart = new Chart(canvas, { type: "line", data: { datasets: sets }, options, plugins: [intervals] });
  };

  const open = ({ datasetIndex, index }) => opened(chart.data.datasets[datasetIndex].data[index].row);

  // Arrow keys move left and right along a line, and up and down to the next line at the nearest x.
  const step = (along, across) => {
    const sets = chart.data.datasets;
    if (!sets.length) return;
    const at = cursor || { datasetIndex: 0, index: across ? 0 : -1 };
    const next = (at.datasetIndex + across + sets.length) % sets.length, points = sets[next].data;
    let index = Math.min(Math.max(at.index + along, 0), points.length - 1);
    if (across && cursor) {
      const x = sets[at.datasetIndex].data[at.index].x;
      index = points.reduce((best, point, i) => (Math.abs(point.x - x) < Math.abs(points[best].x - x) ? i : best), 0);
    }
    cursor = { datasetIndex: next, index };
    chart.setActiveElements([cursor]);
    const { x, y } = chart.getDatasetMeta(next).data[index];
    chart.tooltip.setActiveElements([cursor], { x, y });
    chart.update();
    announce(saying(sets[next].line, points[index], drawn.choice, drawn.result.unit).join(": "));
  };
  const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  canvas.addEventListener("keydown", (event) => {
    if (STEPS[event.key]) step(...STEPS[event.key]);
    else if (event.key === "Enter" && cursor) open(cursor);
    else return;
    event.preventDefault();
  });

  // Colours follow the theme.
  const again = () => { if (drawn) draw(drawn.result, drawn.choice); };
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);

  return {
    draw,
    get chart() { return chart; },
    onOpen(handler) { opened = handler; },
    onSay(handler) { announce = handler; },
  };
})();
