"""The generated counts belong to the code and the records at hand."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "models" / "kernels"))
import count_kernels  # noqa: E402
import operation_counts  # noqa: E402

COUNTED = sorted(path.parents[1].name for path in ROOT.glob("algorithms/*/model/counts.py"))
RECORDS = ROOT / "results" / "reference" / "intel-xeon-emeraldrapids-16c-f8c882fd"


def test_some_sorts_are_counted():
    assert COUNTED and COUNTED == sorted(path.parents[1].name for path in ROOT.glob("algorithms/*/model/counts.inc"))


@pytest.mark.parametrize("sort", COUNTED)
def test_counts_are_of_the_kernels_at_hand(sort):
    text = (ROOT / "algorithms" / sort / "model" / "counts.inc").read_text(encoding="utf-8")
    stated = count_kernels.stated_digest(text)
    assert stated == count_kernels.source_digest(sort), (
        f"the kernels of {sort} have changed since they were counted: build them with CUDA and run "
        f"models/kernels/count_kernels.py {sort} BUILD; without BUILD if their compiled code is the same"
    )


@pytest.mark.parametrize("sort", COUNTED)
def test_counts_are_written_as_the_script_writes_them(sort):
    text = (ROOT / "algorithms" / sort / "model" / "counts.inc").read_text(encoding="utf-8")
    assert count_kernels.counts_text(sort, count_kernels.written_rows(text)) == text


def test_digest_ignores_words_and_sees_code():
    code = 'int f(int a) { return __popc(a) + 3; }  // a comment\n#include "algorithms/x.cuh"\n'
    renamed = "int  count_bits(int word)\n{ /* other */ return __popc(word) + 3; }"
    assert count_kernels.code_tokens(code) == count_kernels.code_tokens(renamed)
    for changed in (code.replace("3", "4"), code.replace("__popc", "__clz"), code.replace("+", "-")):
        assert count_kernels.code_tokens(code) != count_kernels.code_tokens(changed)


def test_operation_counts_are_of_the_kept_records():
    written = (ROOT / "models" / "kernels" / "operation_counts.inc").read_text(encoding="utf-8")
    assert operation_counts.counts_text([RECORDS / "counts.jsonl", RECORDS / "h100" / "counts.jsonl"]) == written
