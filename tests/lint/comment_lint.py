#!/usr/bin/env python3
"""Finds comments without a subject, and names that say a relation instead of a quantity.

A comment, docstring or table cell that begins with "Of", "What", "Whether" … leaves out its subject: the reader must
look for it in the code. Write a noun phrase with its head first ("Maximum digit width of a partition") or a whole
sentence ("Returns the first key of the tile"; "True if …"). Constants name a quantity (kMaxTileKeys, not kMostTile).
Functions are verbs or name the quantity (count_digits(), digit_shares(), not digits_of()).

Usage: comment_lint.py [FILE...]    without FILE: the whole tree
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "algorithms", "generators", "harness", "models", "configs", "results", "plots", "tests")
C_LIKE = {".c", ".h", ".hpp", ".cpp", ".cu", ".cuh", ".js"}
HASH_LIKE = {".sh", ".sbatch", ".cmake", ".yml", ".yaml", ".toml"}

SUBJECTLESS = re.compile(r"(?!by default\b)(of|by|what|whether|where|those|that|which|how)\s+\S", re.I)
C_TOKEN = re.compile(
    r'(?P<raw>R"(?P<tag>[^\s()\\]{0,16})\(.*?\)(?P=tag)")'
    r"|(?P<number>\b\d[\w.']*)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`)'
    r"|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)",
    re.S,
)
QUANTITYLESS = re.compile(r"\b(k(?:Most|Few|Many)(?:[A-Z0-9]\w*)?)\s*(?:\[[^]]*\]\s*)?(?:=(?!=)|\{)")
KEYWORDS = r"return|else|throw|case|new|delete|and|or|not|co_return|co_yield|co_await|typedef|goto"
STANDARD = r"(?:all|any|none)_of"
# A type directly before the name: a declaration or definition. The formatter binds & and * to the type.
FUNCTION = re.compile(
    rf"(?:(?!\b(?:{KEYWORDS})\s)\b[A-Za-z_]\w*|[\w>][&*]+|(?<=\S)>)\s+(?:\w+::)*(?!{STANDARD}\b)(?!is_)(\w+_of)\s*\(|"
    rf"\bauto\s+(?!{STANDARD}\b)(?!is_)(\w+_of)\s*=\s*\["
)


def begins_without_subject(text):
    """True if the text of a comment begins with a preposition or a relative word."""
    return SUBJECTLESS.match(text.lstrip(" \t\n*-")) is not None


class Comments:
    """Joins comments on lines of their own into blocks, since only the first line of a block begins a sentence."""

    def __init__(self):
        self.blocks = []
        self.last = (-2, -1)

    def add(self, line, column, text, alone):
        # A comment goes on in the next line if that holds nothing but a comment in the same column.
        if not alone or self.last != (line - 1, column):
            self.blocks.append((line, text))
        self.last = (line, column)


def c_like(source):
    """The comments of a C-like source as (line, text), and the source without comments and strings."""
    comments, code, end = Comments(), [], 0
    for token in C_TOKEN.finditer(source):
        code.append(source[end : token.start()])
        end = token.end()
        line_begin = source.rfind("\n", 0, token.start()) + 1
        line = source.count("\n", 0, token.start()) + 1
        alone = not source[line_begin : token.start()].strip()
        if token.lastgroup == "line":
            comments.add(line, token.start() - line_begin, re.sub(r"^//+[!<]*", "", token.group()).strip(), alone)
        elif token.lastgroup == "block":
            text = re.sub(r"^/\*+[!<]*|\*+/$", "", token.group()).strip()
            comments.add(line, token.start() - line_begin, text, False)
        code.append(token.group() if token.lastgroup == "number" else '""')
        code.append("\n" * token.group().count("\n"))
    code.append(source[end:])
    return comments.blocks, "".join(code)


def python_like(source):
    """The comments and docstrings of a Python source as (line, text), and the functions that it defines."""
    comments, functions = Comments(), []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            comments.add(token.start[0], token.start[1], token.string.lstrip("#:! "), alone)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text:
                comments.blocks.append((node.body[0].lineno, text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append((node.lineno, node.name))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            functions.extend((node.lineno, name.id) for name in node.targets if isinstance(name, ast.Name))
    return comments.blocks, functions


def hash_like(source):
    """The comments of a shell or CMake source as (line, text)."""
    comments = Comments()
    for number, line in enumerate(source.splitlines(), 1):
        found = re.match(r"(?P<code>(?:[^\"'#]|\"[^\"]*\"|'[^']*'|(?<=\S)#)*)#+(?P<text>.*)", line)
        if found and not found["text"].startswith("!"):
            comments.add(number, len(found["code"]), found["text"].strip(), not found["code"].strip())
    return comments.blocks


def table_cells(source):
    """The cells of a Markdown document's tables below their headings, as (line, text)."""
    in_code = below_heading = False
    for number, line in enumerate(source.splitlines(), 1):
        in_code ^= line.lstrip().startswith("```")
        if in_code or not line.lstrip().startswith("|"):
            below_heading = False
        elif re.fullmatch(r"[\s|:-]+", line):
            below_heading = True
        elif below_heading:
            yield from ((number, cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))


def findings(name, source):
    """The findings in a file of that name as (line, message), in the order of lines."""
    path, comments, names = Path(name), [], []
    if path.suffix in C_LIKE:
        comments, code = c_like(source)
        for pattern, problem in ((QUANTITYLESS, "constant"), (FUNCTION, "function")):
            for found in pattern.finditer(code):
                names.append((code.count("\n", 0, found.end()) + 1, problem, found[1] or found[2]))
    elif path.suffix == ".py":
        comments, functions = python_like(source)
        bad = (f for f in functions if re.fullmatch(rf"(?!{STANDARD}$)(?!is_)\w+_of", f[1]))
        names = [(line, "function", function) for line, function in bad]
    elif path.suffix in HASH_LIKE or path.name == "CMakeLists.txt":
        comments = hash_like(source)
    elif path.suffix == ".md":
        comments = table_cells(source)
    result = [
        (line, f'"{text.strip().splitlines()[0][:60]}" has no subject: begin with the noun that it is about, or a verb')
        for line, text in comments
        if begins_without_subject(text)
    ]
    remedy = {"constant": "name its quantity (kMax…, kMin…)", "function": "name the quantity, or begin with a verb"}
    result += [(line, f"{problem} {found}: {remedy[problem]}") for line, problem, found in names]
    return sorted(result)


def checked_files():
    """The repository's files that the lint reads, relative to its root."""
    own = [p for p in ROOT.iterdir() if p.is_file() and p.suffix in {".md", ".sh", ".py"}]
    own += [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.is_file()]
    suffixes = C_LIKE | HASH_LIKE | {".py", ".md"}
    relative = (p.relative_to(ROOT) for p in own if p.suffix in suffixes or p.name == "CMakeLists.txt")
    ignored = {"__pycache__", "build", "local"}
    return sorted(str(p) for p in relative if not ignored & set(p.parts))


def findings_in(name):
    """The findings in one of the repository's files."""
    return findings(name, (ROOT / name).read_text(encoding="utf-8"))


def main(arguments):
    """Prints the findings; returns the exit status."""
    named = [name for name in arguments if not name.startswith("-")]
    if named != arguments:
        print(__doc__)
        return 0 if {"-h", "--help"} & set(arguments) else 2
    missing = [name for name in named if not Path(name).is_file()]
    if missing:
        print(f"comment_lint.py: {missing[0]}: no such file; allowed: files of the repository", file=sys.stderr)
        return 2
    names = [str(Path(name).resolve().relative_to(ROOT)) for name in named]
    found = [(name, *finding) for name in names or checked_files() for finding in findings_in(name)]
    for name, line, message in found:
        print(f"{name}:{line}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
