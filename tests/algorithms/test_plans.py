"""A plan depends on nothing of its sort but headers that obey the same rule, since models read only plans of an
algorithm (tests/test_rooms.py)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include ([<"])([^">]+)[">]', re.MULTILINE)
LIBRARIES = ("cuda", "cub/", "thrust/", "hwy/", "fmt/", "nlohmann/")


def includes(path):
    """The project's headers that a file includes, and the headers in angle brackets."""
    found = INCLUDE.findall(path.read_text(encoding="utf-8"))
    return [name for kind, name in found if kind == '"'], [name for kind, name in found if kind == "<"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("algorithms/*/plan.hpp")), ids=lambda p: p.parent.name)
def test_plans_depend_on_nothing(path):
    seen, left = set(), [path]
    while left:
        header = left.pop()
        own, libraries = includes(header)
        assert [name for name in libraries if name.startswith(LIBRARIES)] == [], header
        for name in own:
            if name.startswith("core/"):
                assert not name.startswith("core/cuda/"), header
                continue
            # A header beside the plan, or the plan of passes that several sorts run.
            beside = Path(name).parent == header.parent.relative_to(ROOT)
            assert beside or re.fullmatch(r"algorithms/common/\w+/\w+/plan\.hpp", name), f"{header} includes {name}"
            if name not in seen:
                seen.add(name)
                left.append(ROOT / name)


def test_our_sorts_have_plans():
    """Algorithms of papers and Sortlab's own, by their Info."""
    ours = [p.parent for p in ROOT.glob("algorithms/*/*.cpp") if re.search(r"Origin::(paper|ours)", p.read_text())]
    assert ours
    assert [folder.name for folder in ours if not (folder / "plan.hpp").exists()] == []
