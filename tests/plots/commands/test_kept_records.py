"""The page of each folder of kept records: whole, small, and drawn in seconds."""

import contextlib
import io
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from plots.commands.render import render
from plots.records.collection import record_files

KEPT = sorted(
    file.parent for file in (Path(__file__).resolve().parents[3] / "results/reference").glob("*/profile.json")
)
PROCESSOR_S = 40.0  # limit for the largest set; the slower machine of the kept records takes a quarter of it


def share_of_speed() -> float:
    """The speed of Python here and now: 1 on an idle processor, less where another program uses its core. Processor
    time counts both threads of a core in full."""
    before = time.process_time()
    sum(i * i % 7 for i in range(3_000_000))
    return min(1.0, 0.12 / (time.process_time() - before))


def most_bytes(page: str) -> int:
    """Limit for a page by the number of its measured cells."""
    cells = int(re.search(r"All measured cells <span class=\"count\">(\d+)", page)[1])
    return 1_250_000 + 500 * cells


@pytest.fixture(scope="module", params=KEPT, ids=[folder.name for folder in KEPT])
def kept(request, tmp_path_factory):
    """A folder's page, as README's line makes it."""
    out = tmp_path_factory.mktemp("kept")
    speed, before = share_of_speed(), time.process_time()
    with contextlib.redirect_stderr(io.StringIO()) as said:
        page = render(
            ["--records", str(request.param), "--profile", str(request.param / "profile.json"), "--out", str(out)]
        )
    took = (time.process_time() - before) * (speed + share_of_speed()) / 2
    text = page.read_text(encoding="utf-8")
    return SimpleNamespace(folder=request.param, page=page, text=text, took=took, said=said.getvalue())


def test_a_kept_folder_is_rendered_whole(kept):
    machine = kept.folder.name
    for file in record_files(kept.folder):
        assert f"results/reference/{machine}/{file.relative_to(kept.folder)}" in kept.text
    assert "are no records" not in kept.text and "left out" not in kept.text
    assert 'id="SAT-T1"' in kept.text and 'id="model"' in kept.text
    assert kept.said == ""


def test_profiles_of_further_gpus_in_the_folder_are_read(kept):
    """SAT-C24: sample sort on both of a host's GPUs, whose bandwidths their profiles have."""
    if not (kept.folder / "h100/profile.json").exists():
        pytest.skip("one GPU or none is kept of this machine")
    found = re.search(r'id="claim-SAT-C24">.*?class="found">([^<]+)<', kept.text, re.S)[1]
    assert re.search(r"on the H100 and the H200: [^;]* of the time follows bandwidth\.$", found), found


def test_every_figure_names_its_machine_and_what_it_draws(kept):
    """Above "Details" stand the machine of what is measured and the looks of the values that the figure has."""
    ending = r"</figcaption>.*?<p class=\"files\">([^:]+):"
    found = re.findall(rf"<figcaption>(.*?){ending}", kept.text, re.S)
    captions = [(id_, caption.partition("<details")[0]) for caption, id_ in found]
    assert len(captions) > 10
    looks = {"dashed": "predicted", "hollow": "published"}
    for id_, legend in captions:
        csv = (kept.page.parent / f"artifacts/{id_}.csv").read_text(encoding="utf-8")
        named = ("Measured on ", "Counted on ", "ublished of ")
        assert any(name in legend for name in named) or "easured" not in legend or "not measured" in legend, id_
        if ",kind," in csv.partition("\n")[0]:
            assert all(kind in csv for look, kind in looks.items() if look in legend.lower()), id_


def test_the_page_of_a_kept_folder_is_small(kept):
    files = [file for file in kept.page.parent.rglob("*") if file.is_file()]
    assert kept.page.stat().st_size < most_bytes(kept.text)
    assert sum(file.stat().st_size for file in files) < 2.2 * most_bytes(kept.text)
    assert {file.suffix for file in files} == {".html", ".svg", ".csv", ".tex"}


def test_the_page_of_a_kept_folder_takes_seconds(kept):
    assert kept.took < PROCESSOR_S


def test_where_the_papers_cells_are_kept_sat_t1_has_its_radix_sort(kept):
    rows = (kept.page.parent / "artifacts/SAT-T1.csv").read_text(encoding="utf-8").splitlines()
    radix = [row for row in rows if row.startswith("Radix,Core i7") and ",satish_cpu_radix," in row]
    if not (kept.folder / "satish2010.jsonl").exists():
        pytest.skip("the paper's cells are not kept of this machine")
    assert radix


@pytest.mark.parametrize("machine", [folder for folder in KEPT if (folder / "gpu2026").is_dir()], ids=lambda f: f.name)
def test_the_kept_records_of_gpu_sorts_have_a_page_of_their_own(machine, tmp_path):
    records = sorted((machine / "gpu2026").glob("*.jsonl"))
    assert sum(file.stat().st_size for file in records) < 5_000_000
    with contextlib.redirect_stderr(io.StringIO()) as said:
        profile = str(machine / "gpu2026" / "profile.json")
        page = render(["--records", *map(str, records), "--profile", profile, "--out", str(tmp_path)])
    text = page.read_text(encoding="utf-8")
    assert 'id="gpu2026"' in text and "artifacts/GPU2026-LIMITS.csv" in text
    assert page.stat().st_size < most_bytes(text)
    assert said.getvalue() == ""
