"""The lint of comments and names finds the pattern in every language, and nothing else."""

import comment_lint
import pytest

FLAGGED = {
    "leading.hpp": "/// Of the lanes up to this one.\nint prefix(int lane);\n",
    "trailing.hpp": "int side;  ///< which the level's partition leaves\n",
    "second_trailing.hpp": "int a;  ///< first digit\nint b;  ///< of the pass, where it has one\n",
    "two_trailing.hpp": "int a;  ///< first digit\nint b;  ///< of a block\nint c;  ///< whether it is set\n",
    "block.cu": "/* Whether words are one run. */\n",
    "doxygen.cuh": "/** What a pass must know.\n *  Its digit. */\n",
    "after_code.cpp": 'call("// not here");\n// Those of a level are judged anew.\n',
    "after_number.cpp": "int n = 1'000'000;  // by the look-back\n",
    "constant.hpp": "inline constexpr int kMostTile = 4;\n",
    "bare_constant.hpp": "constexpr std::size_t kFew = 4;\n",
    "array.hpp": "constexpr int kMany[] = {1, 2};\n",
    "function.hpp": "inline std::size_t size_of(int digit) { return digit; }\n",
    "reference.hpp": "const std::string& name_of(const Sort& sort);\n",
    "template.hpp": "std::vector<int> digits_of(Plan plan);\n",
    "method.cpp": "int Plan::digits_of(int bits) const { return bits; }\n",
    "lambda.cpp": "const auto tile_of = [&](int i) { return i; };\n",
    "comment.py": "x = 1  # of a block\n",
    "docstring.py": '"""What the tests share."""\n',
    "inner_docstring.py": 'def shares():\n    """Where each digit begins."""\n',
    "function.py": "def records_of(path):\n    return path\n",
    "lambda.py": "median_of = lambda values: values[0]\n",
    "comment.sh": "# Which files are checked.\nls\n",
    "trailing.sh": 'echo "#1"  # whether it is there\n',
    "CMakeLists.txt": "set(A b)  # where its tests lie\n",
    "script.js": "const a = 1; // how the page scrolls\n",
    "table.md": "| file | what it holds |\n|---|---|\n| `a.hpp` | what a pass does |\n",
}

CLEAN = {
    "head.hpp": "/// Inclusive prefix sum over the warp's lanes.\nint prefix(int lane);\n",
    "sentence.hpp": "/// True if the words are sorted. Of two equal keys the first comes first.\n",
    "continued.hpp": "// Largest class of the sample\n// of which the keys count as uniform.\n",
    "continued_trailing.hpp": "int a;  ///< first digit\n        ///< of the pass\n",
    "default.hpp": "int a;  ///< by default 8\n",
    "longer_word.hpp": "// Offset of the tile\n// Bytes per key\nint whichever;  // offset\n",
    "string.cpp": 'const char* text = "// of a block";\nauto raw = R"(\n// what it says\n)";\n',
    "quote.cpp": "char c = '\"';  // a quote\nchar d = '\\'';  // another\n",
    "division.cpp": "int a = b / c;\nint of = a;\n",
    "maximum.hpp": "inline constexpr int kMaxTileKeys = 4;\nbool b = n == kMost;\nif (kFew == n) return;\n",
    "calls.cpp": "return size_of(x);\nauto a = b * c_of(d) + (e > f_of(g)) + h.i_of(j) && k_of(l);\n",
    "standard.cpp": "if (std::all_of(a, b, c)) return;\nbool all_of(int a);\nbool is_multiple_of(int n);\n",
    "comment.py": '# Bytes per key.\nurl = "# of a block"\n',
    "docstring.py": '"""Records of a run.\n\nWhat follows is no beginning.\n"""\n',
    "standard.py": "def all_of(values):\n    return values\n",
    "comment.sh": '#!/bin/sh\necho "# which file"; echo ${#array}  # its length\n',
    "script.cmake": "# Bytes per key.\nset(A b)\n",
    "table.md": "| file | what it holds |\n|---|---|\n| `a.hpp` | one pass |\n\n```\n| a | of b |\n```\n",
    "prose.md": "What a pass does is said here.\n",
    "data.json": '{"a": "of b"}\n',
}


@pytest.mark.parametrize("name", FLAGGED)
def test_the_pattern_is_found(name):
    assert comment_lint.findings(name, FLAGGED[name])


@pytest.mark.parametrize("name", CLEAN)
def test_plain_comments_and_names_pass(name):
    assert comment_lint.findings(name, CLEAN[name]) == []


def test_each_trailing_comment_is_one_of_its_own():
    assert [line for line, _ in comment_lint.findings("a.hpp", FLAGGED["two_trailing.hpp"])] == [2, 3]


def test_a_finding_names_its_line_and_a_remedy():
    assert comment_lint.findings("a.py", "x = 1\n\n\ndef key_of(x):\n    return x  # of a pair\n") == [
        (4, "function key_of: name the quantity, or begin with a verb"),
        (5, '"of a pair" has no subject: begin with the noun that it is about, or a verb'),
    ]


def test_the_repository_is_clean(capsys):
    assert comment_lint.main([]) == 0, capsys.readouterr().out
