"""A document of sections, paragraphs, commands and tables, written as Markdown or LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Sequence, Union

from ..figures import latex

_PACKAGES = "booktabs, longtable, array, textcomp"


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    shares: Sequence[float]  # shares of the line's width, by column
    code: Sequence[int] = ()  # columns of commands


@dataclass(frozen=True)
class Commands:
    lines: Sequence[str]


Block = Union[str, Table, Commands]


@dataclass(frozen=True)
class Section:
    title: str
    blocks: Sequence[Block]
    level: int = 1


def markdown(title: str, sections: Sequence[Section]) -> str:
    parts = [f"# {_plain(title)}"]
    for section in sections:
        parts.append(f"{'#' * (section.level + 1)} {_plain(section.title)}")
        parts += [_markdown(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, str):
        return _plain(block)
    if isinstance(block, Commands):
        return "\n".join(f"    {line}" for line in block.lines)
    lines = ["| " + " | ".join(map(_plain, block.head)) + " |", "|" + "---|" * len(block.head)]
    for row in block.rows:
        cells = [_code(text) if i in block.code and text else _plain(text) for i, text in enumerate(row)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text that Markdown does not take for markup, on one line."""
    return re.sub(r"[\\`*_\[\]<>|#]", lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def _code(text: str) -> str:
    return "`" + " ".join(text.split()).replace("`", "'").replace("|", "\\|") + "`"


def latex_text(title: str, sections: Sequence[Section]) -> str:
    """Sections to \\input into a paper's appendix."""
    parts = [f"% {latex.escape(title)}", f"% needs the packages {_PACKAGES}", rf"\section{{{latex.escape(title)}}}"]
    for section in sections:
        kind = "sub" * section.level + "section"
        parts.append(rf"\{kind}{{{latex.escape(section.title)}}}")
        parts += [_latex(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _latex(block: Block) -> str:
    if isinstance(block, str):
        return latex.escape(block)
    if isinstance(block, Commands):
        lines = [rf"\texttt{{{_breakable(line)}}}" for line in block.lines]
        return "\\begin{flushleft}\n" + " \\\\\n".join(lines) + "\n\\end{flushleft}"
    columns = "".join(rf">{{\raggedright\arraybackslash}}p{{{share:.3f}\linewidth}}" for share in block.shares)
    head = " & ".join(rf"\textbf{{{latex.escape(text)}}}" for text in block.head) + r" \\"
    lines = [rf"{{\small\setlength{{\tabcolsep}}{{3pt}}\begin{{longtable}}{{{columns}}}", r"\toprule", head]
    lines += [r"\midrule", r"\endhead"]
    for row in block.rows:
        cells = [
            rf"\texttt{{\footnotesize {_breakable(text)}}}" if i in block.code and text else _breakable(text)
            for i, text in enumerate(row)
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{longtable}}"])


def _breakable(text: str) -> str:
    """Text whose long words may be broken after a slash or an underscore, and whose two hyphens stay two."""
    return re.sub(r"(/|\\_)(?=\S)", r"\1\\allowbreak{}", latex.escape(text)).replace("--", "-{}-")
