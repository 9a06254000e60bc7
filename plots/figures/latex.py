"""LaTeX of tables (booktabs) and charts (pgfplots), with every string from a record escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

from .style import light

if TYPE_CHECKING:
    from .bars import Bars, Series
    from .chart import Chart, Line
    from .stacks import Stacks
    from .tornado import Tornado

_ESCAPES = {
    **{c: "\\" + c for c in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u2009": r"\,",
    "…": r"\ldots{}",
    "–": "--",
    "−": r"$-$",
    "±": r"$\pm$",
    "µ": r"\textmu{}",
    "≥": r"$\ge$",
    "₂": r"\textsubscript{2}",
    "ϑ": r"$\vartheta$",
    "θ": r"$\theta$",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "÷": r"$\div$",
    **{s: rf"\textsuperscript{{{d}}}" for s, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")},
}


def escape(text: str) -> str:
    """Text as LaTeX shows it; line breaks become spaces, so that nothing ends a comment or an argument."""
    return "".join(_ESCAPES.get(c, c if c.isprintable() else " ") for c in text)


def table(
    columns: str, lines: Sequence[str], caption: str, label: str, needs: str = "booktabs, graphicx, xcolor"
) -> str:
    """A table environment around ready lines (cells joined by &, rules)."""
    return "\n".join(
        [
            f"% needs the packages {needs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{{label}}}",
            rf"\resizebox{{\linewidth}}{{!}}{{\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
            "",
        ]
    )


def _style(line: "Line", colour: str) -> str:
    dash = {"published": "densely dotted, mark=o", "predicted": "dashed, no marks"}.get(line.voice, "mark=*")
    dash = dash if line.joined else "only marks, mark=*"
    return f"{colour}, {dash}, mark size=1.2pt" + (", very thick" if line.strong else ", thick")


def plot(chart: "Chart", caption: str, label: str) -> str:
    """A figure environment with one pgfplots axis a panel and the interval as error bars."""
    colours = _colours({line.role for panel in chart.panels for line in panel.lines})
    kind = "semilogyaxis" if chart.log else "axis"
    body = []
    for panel in chart.panels:
        if not any(line.x for line in panel.lines):
            continue
        body += [
            r"\begin{tikzpicture}",
            rf"\begin{{{kind}}}[title={{{escape(panel.title)}}},",
            rf"  xlabel={{{escape(chart.x_label)}}}, ylabel={{{escape(panel.y_label or chart.y_label)}}},",
            r"  width=0.48\linewidth, legend pos=outer north east, legend cell align=left,",
            r"  legend style={font=\tiny, draw=none}]",
        ]
        for line in panel.lines:
            if not line.x:
                continue
            points = " ".join(
                f"({x:g},{y:.6g}) += (0,{high - y:.3g}) -= (0,{y - low:.3g})"
                for x, y, low, high in zip(line.x, line.y, line.low, line.high)
            )
            bars = "error bars/.cd, y dir=both, y explicit"
            body.append(rf"\addplot[{_style(line, 'sortlab-' + line.role)}, {bars}] coordinates {{{points}}};")
            body.append(rf"\addlegendentry{{{escape(line.label)}}}")
        body += [rf"\end{{{kind}}}", r"\end{tikzpicture}"]
    return _figure(colours, body, caption, label)


def bars(chart: "Bars", caption: str, label: str) -> str:
    """A figure environment with one pgfplots bar axis per panel; a prediction is a mark without a bar."""
    names = ",".join(f"{{{escape(category)}}}" for category in chart.categories)
    body = []
    for panel in chart.panels:
        if not panel.series:
            continue
        body += [
            r"\begin{tikzpicture}",
            rf"\begin{{axis}}[title={{{escape(panel.title)}}}, ybar, ymin=0, bar width=4pt,",
            rf"  symbolic x coords={{{names}}}, xtick=data, x tick label style={{rotate=30, anchor=east}},",
            rf"  ylabel={{{escape(chart.y_label)}}}, width=0.7\linewidth, legend pos=outer north east,",
            r"  legend style={font=\tiny, draw=none}]",
        ]
        for series in panel.series:
            body += _bars_of(series, chart.categories)
        body += [r"\end{axis}", r"\end{tikzpicture}"]
    roles = {series.role for panel in chart.panels for series in panel.series}
    return _figure(_colours(roles), body, caption, label)


def _bars_of(series: "Series", categories: Sequence[str]) -> list[str]:
    values = [(c, series.values[c]) for c in categories if c in series.values]
    points = " ".join(
        f"({{{escape(c)}}},{v.value:.6g}) += (0,{v.high - v.value:.3g}) -= (0,{v.value - v.low:.3g})" for c, v in values
    )
    fill = "white" if series.voice == "published" else f"sortlab-{series.role}"
    bars_ = "error bars/.cd, y dir=both, y explicit"
    lines = [rf"\addplot[draw=sortlab-{series.role}, fill={fill}, {bars_}] coordinates {{{points}}};"]
    lines.append(rf"\addlegendentry{{{escape(series.label)}}}")
    if series.predicted:
        marks = " ".join(f"({{{escape(c)}}},{p:.6g})" for c, p in series.predicted.items())
        lines.append(
            rf"\addplot[sharp plot, only marks, mark=-, sortlab-{series.role}, forget plot] coordinates {{{marks}}};"
        )
    return lines


def stacks(chart: "Stacks", caption: str, label: str) -> str:
    """A figure environment with one pgfplots axis of stacked bars per panel; what is predicted of a whole bar stands in
    its category's name."""
    body = []
    for panel in chart.panels:
        if not panel.stacks:
            continue
        names = {
            s.category: s.category if s.predicted is None else f"{s.category} ({s.predicted:.4g} predicted)"
            for s in panel.stacks
        }
        coordinates = ",".join(f"{{{escape(name)}}}" for name in names.values())
        body += [
            r"\begin{tikzpicture}",
            rf"\begin{{axis}}[title={{{escape(panel.title)}}}, ybar stacked, ymin=0, bar width=9pt,",
            rf"  symbolic x coords={{{coordinates}}}, xtick=data, x tick label style={{rotate=30, anchor=east}},",
            rf"  ylabel={{{escape(chart.y_label)}}}, width=0.7\linewidth, legend pos=outer north east,",
            r"  legend style={font=\tiny, draw=none}]",
        ]
        for part, role in chart.colours.items():
            if not any(part in s.parts for s in panel.stacks):
                continue
            # Stacking wants a value of each part in each bar.
            points = " ".join(f"({{{escape(names[s.category])}}},{s.parts.get(part, 0):.6g})" for s in panel.stacks)
            fill = "white" if panel.voice == "published" else f"sortlab-{role}"
            body.append(rf"\addplot[draw=sortlab-{role}, fill={fill}] coordinates {{{points}}};")
            body.append(rf"\addlegendentry{{{escape(part)}}}")
        body += [r"\end{axis}", r"\end{tikzpicture}"]
    return _figure(_colours(set(chart.colours.values())), body, caption, label)


def tornado(chart: "Tornado", caption: str, label: str) -> str:
    """A figure environment with one pgfplots axis of horizontal bars a panel, on a logarithmic scale around 1."""
    body = []
    for panel in chart.panels:
        if not panel.swings:
            continue
        names = ",".join(f"{{{escape(s.resource)}}}" for s in reversed(panel.swings))
        body += [
            r"\begin{tikzpicture}",
            rf"\begin{{axis}}[title={{{escape(panel.title)}}}, xbar, xmode=log, log origin=0, bar width=5pt,",
            rf"  bar shift=0pt, symbolic y coords={{{names}}}, ytick=data, xlabel={{times as fast}},",
            r"  xtick={0.5,0.7,1,1.4,2}, xticklabels={0.5,0.7,1,1.4,2}, extra x ticks={1}, extra x tick labels={},",
            r"  extra x tick style={grid=major}, width=0.48\linewidth, legend style={font=\tiny, draw=none}]",
        ]
        for role, better in (("series-2", False), ("series-1", True)):
            points = " ".join(
                f"({(s.better if better else s.worse):.6g},{{{escape(s.resource)}}})" for s in panel.swings
            )
            how = f"{chart.by:g} x as {'good' if better else 'bad'}"
            body.append(rf"\addplot[draw=sortlab-{role}, fill=sortlab-{role}] coordinates {{{points}}};")
            body.append(rf"\addlegendentry{{{escape(how)}}}")
        body += [r"\end{axis}", r"\end{tikzpicture}"]
    return _figure(_colours({"series-1", "series-2"}), body, caption, label)


def _colours(roles: set[str]) -> list[str]:
    return [rf"\definecolor{{sortlab-{role}}}{{HTML}}{{{light(role)[1:].upper()}}}" for role in sorted(roles)]


def _figure(colours: Sequence[str], body: Sequence[str], caption: str, label: str) -> str:
    return "\n".join(
        [
            "% needs the packages pgfplots, xcolor",
            r"\begin{figure}",
            r"\centering",
            *colours,
            *body,
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{{label}}}",
            r"\end{figure}",
            "",
        ]
    )
