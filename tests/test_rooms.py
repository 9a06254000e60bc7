"""Include rules. Core lies under generators, these under algorithms and models, all under the harness. The rooms of the
harness include each other as the table in harness/README.md allows. A model that lies with its sort reads only models/
and plans."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {".cpp", ".hpp", ".cu", ".cuh"}
FLOORS = ["core", "generators", "algorithms", "models", "harness"]


def tracked():
    """The sources that git tracks, or all sources if this is no clone."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", *FLOORS], capture_output=True, text=True, check=False)
    paths = listing.stdout.split() or [str(p.relative_to(ROOT)) for f in FLOORS for p in (ROOT / f).rglob("*")]
    return sorted(Path(p) for p in paths if Path(p).suffix in SOURCES and (ROOT / p).exists())


def includes(path):
    """The project's files that a source includes, as paths from the root."""
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', (ROOT / path).read_text(encoding="utf-8"), re.M):
        if (ROOT / name).exists():
            yield Path(name)
        elif (ROOT / path.parent / name).exists():
            yield (path.parent / name)


def harness_rooms():
    """Maps each room of the harness to the rooms that it may include, from the table of harness/README.md."""
    table = re.findall(r"^\| `(\w+)/` \| .* \| ?(.*) ?\|$", (ROOT / "harness/README.md").read_text("utf-8"), re.M)
    rooms = {room: set(re.findall(r"`(\w+)/`", may)) for room, may in table}
    for room, may in table:
        if may.strip() == "all others":
            rooms[room] = set(rooms) - {room}
    return rooms


ROOMS = harness_rooms()


def is_test(path):
    """A test may include whatever it needs."""
    return path.name.endswith("_test.cpp")


def is_model_of_sort(path):
    """True for a model that lies with its sort: model.cpp, or a file of model/."""
    return path.parts[0] == "algorithms" and (path.parts[2:] == ("model.cpp",) or path.parts[2:3] == ("model",))


def may_include(source, target):
    """True if the floors and rooms allow the arrow."""
    here, there = source.parts, target.parts
    if is_model_of_sort(target):
        return is_model_of_sort(source) and here[1] == there[1]
    if is_model_of_sort(source):
        return there[0] in {"core", "generators", "models"} or there[0] == "algorithms" and there[2:] == ("plan.hpp",)
    if here[0] == "harness" and there[0] == "harness":
        if len(here) < 3 or len(there) < 3:
            return len(here) < 3  # main.cpp
        return here[1] == there[1] or there[1] in ROOMS[here[1]]
    if here[0] == "algorithms" and there[0] == "algorithms":
        return len(there) == 2 or there[1] in {"common", here[1]}
    if here[0] == "models":
        return there[0] in {"core", "generators", "models"}
    if here[0] in {"generators", "algorithms"}:
        return there[0] in {"core", here[0]}
    return FLOORS.index(there[0]) <= FLOORS.index(here[0]) if there[0] in FLOORS else False


ARROWS = {(source, target) for source in tracked() if not is_test(source) for target in includes(source)}


def test_there_are_arrows():
    assert len(ARROWS) > 300


def test_each_folder_of_the_harness_is_a_room_of_the_table():
    folders = {p.parts[1] for p in tracked() if p.parts[0] == "harness" and len(p.parts) > 2}
    assert folders == set(ROOMS)


def test_the_rooms_of_the_harness_have_no_circle():
    left = dict(ROOMS)
    while left:
        ground = [room for room, may in left.items() if not may & set(left)]
        assert ground, f"a circle among {sorted(left)}"
        for room in ground:
            del left[room]


@pytest.mark.parametrize("floor", FLOORS)
def test_no_arrow_runs_up(floor):
    wrong = {f"{s} -> {t}" for s, t in ARROWS if s.parts[0] == floor and not may_include(s, t)}
    assert sorted(wrong) == []


def test_intrinsics_of_a_processor_lie_in_core():
    """Sorts and the harness use Highway's vectors, or a primitive of core/, so that they run on every processor."""
    header = re.compile(r"#include <(\w*(mm|x86)intrin|arm_\w+)\.h>")
    allowed = {Path("algorithms/stehle_heterogeneous/vector_chain.hpp")}  # declines other processors by name
    found = {p for p in tracked() if header.search((ROOT / p).read_text("utf-8"))}
    assert {p for p in found if p.parts[0] != "core"} == allowed


def test_models_include_no_file_of_an_algorithm():
    assert [f"{s} -> {t}" for s, t in ARROWS if s.parts[0] == "models" and t.parts[0] == "algorithms"] == []


def plots_rooms():
    """The folders of plots/ with those that each may import: the table of plots/README.md."""
    table = re.findall(r"^\| `(\w+)/` \| .* \|(.*)\|$", (ROOT / "plots/README.md").read_text("utf-8"), re.M)
    return {room: set(re.findall(r"`(\w+)/`", may)) for room, may in table}


def imported_rooms(path):
    """The rooms of plots/ whose modules a file imports, with the line of each."""
    package = path.relative_to(ROOT / "plots").parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - (node.level - 1)]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            for name in names:
                yield (*base, *name.split("."))[0], node.lineno


def test_sorts_and_probes_are_timed_by_the_clock_that_nothing_slews():
    timed = re.compile(r"algorithms/|harness/measure/(cuda/|timed_call|host_testbed)|harness/calibrate/(host|device)/")
    sources = [path for path in tracked() if timed.match(str(path)) and not path.name.endswith("_test.cpp")]
    assert len(sources) > 300
    slewed = [str(p) for p in sources if "steady_clock" in (ROOT / p).read_text("utf-8")]
    assert slewed == [], "core/raw_clock.hpp has the clock for these"


def test_the_rooms_of_plots_import_only_what_the_table_allows():
    rooms, wrong, met = plots_rooms(), [], set()
    for path in sorted((ROOT / "plots").rglob("*.py")):
        room = path.relative_to(ROOT / "plots").parts[0]
        if room in rooms:
            met.add(room)
            found = ((there, line) for there, line in imported_rooms(path) if there != room)
            wrong += [f"{path.relative_to(ROOT)}:{line}: {there}" for there, line in found if there not in rooms[room]]
    assert wrong == [] and met == set(rooms)


def test_the_rooms_of_plots_have_no_circle():
    left = plots_rooms()
    while left:
        ground = [room for room, may in left.items() if not may & set(left)]
        assert ground, f"a circle among {sorted(left)}"
        for room in ground:
            del left[room]
