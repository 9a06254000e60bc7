"use strict";
// The chart as a picture to keep: an SVG with its legend, made of what the canvas shows, and a PNG of that.
sortlab.picture = (() => {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const FONT = "Liberation Sans, Arimo, Arial, Helvetica, sans-serif", SIZE = 12, ROW = 18, HEAD = 40, SCALE = 2;
  const colour = (role) => getComputedStyle(document.documentElement).getPropertyValue("--" + role).trim();

  const make = (name, attributes, ...children) => {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === "number" ? Math.round(value * 10) / 10 : value);
    made.append(...children);
    return made;
  };
  const text = (x, y, words, look = {}) => make("text", { x, y, fill: colour("ink"), "font-size": SIZE, ...look }, words);
  const line = (x1, y1, x2, y2, stroke, width = 1) => make("line", { x1, y1, x2, y2, stroke, "stroke-width": width });

  // A point's shape, around (x, y).
  const shape = (name, x, y, stroke, fill) => {
    const r = 3.6, at = { stroke, fill, "stroke-width": 1.4 };
    const polygon = (...points) => make("polygon", { ...at, points: points.map(([a, b]) => `${(x + a * r).toFixed(1)},${(y + b * r).toFixed(1)}`).join(" ") });
    const strokes = (...ends) => make("path", { ...at, fill: "none", d: ends.map(([a, b]) => `M${(x - a * r).toFixed(1)} ${(y - b * r).toFixed(1)}L${(x + a * r).toFixed(1)} ${(y + b * r).toFixed(1)}`).join("") });
    switch (name) {
      case "triangle": return polygon([0, -1.1], [1, 0.8], [-1, 0.8]);
      case "rect": return polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
      case "rectRot": return polygon([0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]);
      case "cross": return strokes([1, 0], [0, 1]);
      case "crossRot": return strokes([0.8, 0.8], [0.8, -0.8]);
      case "star": return strokes([1, 0], [0, 1], [0.8, 0.8], [0.8, -0.8]);
      default: return make("circle", { ...at, cx: x, cy: y, r });
    }
  };

  const axes = (chart, top) => {
    const { x, y } = chart.scales, area = chart.chartArea, parts = [];
    const muted = { fill: colour("muted") };
    for (const tick of y.ticks) {
      const at = top + y.getPixelForValue(tick.value);
      if (!tick.label) continue;
      parts.push(line(area.left, at, area.right, at, colour("grid")), text(area.left - 6, at + 4, String(tick.label), { ...muted, "text-anchor": "end" }));
    }
    for (const tick of x.ticks) {
      const at = x.getPixelForValue(tick.value);
      if (tick.label !== null && tick.label !== undefined) parts.push(text(at, top + area.bottom + 18, String(tick.label), { ...muted, "text-anchor": "middle" }));
    }
    parts.push(line(area.left, top + area.bottom, area.right, top + area.bottom, colour("axis")));
    parts.push(text((area.left + area.right) / 2, top + area.bottom + 36, x.options.title.text, { ...muted, "text-anchor": "middle" }));
    parts.push(text(area.left, top + area.top - 8, y.options.title.text, muted));
    return parts;
  };

  const series = (chart, top) => chart.data.datasets.flatMap((set) => {
    const { x, y } = chart.scales, stroke = set.borderColor, parts = [];
    const at = set.data.map((point) => [x.getPixelForValue(point.x), top + y.getPixelForValue(point.y)]);
    const dashes = set.borderDash ? { "stroke-dasharray": set.borderDash.join(" ") } : {};
    if (at.length > 1) {
      parts.push(make("polyline", { points: at.map((point) => point.map((v) => v.toFixed(1)).join(",")).join(" "), fill: "none", stroke, "stroke-width": set.borderWidth, ...dashes }));
    }
    set.data.forEach((point, i) => {
      if (point.low !== undefined) parts.push(line(at[i][0], top + y.getPixelForValue(point.low), at[i][0], top + y.getPixelForValue(point.high), stroke, 1.2));
      if (set.pointRadius) parts.push(shape(set.line.shape[0], ...at[i], stroke, set.pointBackgroundColor));
    });
    return parts;
  });

  const legend = (lines, top) => lines.flatMap((one, i) => {
    const stroke = colour(one.role), y = top + i * ROW, words = one.label + (one.published ? ", published" : one.points.length ? "" : ", predicted");
    return [shape(one.shape[0], 14, y - 4, stroke, one.hollow ? colour("ground") : stroke), text(26, y, words)];
  });

  const svg = (chart, title, lines) => {
    const { width } = chart, below = HEAD + chart.height + 20, height = below + lines.length * ROW + 26;
    const made = make("svg", { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`, "font-family": FONT },
      make("rect", { width: "100%", height: "100%", fill: colour("ground") }),
      text(10, 22, title, { "font-size": 15, "font-weight": "bold" }),
      ...axes(chart, HEAD), ...series(chart, HEAD), ...legend(lines, below + 6),
      text(10, height - 8, "Solid: measured, with 95 % intervals. Dashed: predicted. Hollow and dotted: published.", { fill: colour("muted"), "font-size": 11 }));
    return new XMLSerializer().serializeToString(made);
  };

  // The picture as a blob of PNG, at twice the size.
  const png = async (written) => {
    const image = new Image();
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("the chart cannot be drawn as PNG"));
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(written);
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  };

  return { svg, png };
})();
