"""The explorer of several machines: this machine first; GPUs, components, counts, published points, saved pictures."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import synthetic_records as synthetic
from accessible import axe, axe_violations, barriers
from browser import Browser
from page_links import broken_links
from test_explorer import downloaded, lines, needs_chart_js, show, tick, wait

from plots.explorer import command
from plots.records.machines import machine_id

pytestmark = needs_chart_js

REFERENCE = Path(__file__).resolve().parents[3] / "results/reference"
SITE_BYTES = 12_000_000
GPU_RATE = 49.6e9  # keys a second
HERE = "here-2c-00000000"
GPU = machine_id(synthetic.MACHINE, synthetic.DEVICE["name"])
FACTORS = {"compute_capability": "10.0", "libraries": {}, "base": "nvidia-h200-132sm", "factors": {"clock": 1.1}}
DATASHEET = {"id": "b200", "name": "NVIDIA B200", "hash": "1" * 16, "origin": "scaled", **FACTORS}


def cells():
    """This machine, another one, and the other one's GPU with a component, a count and predictions."""
    for name, factor in ((synthetic.MACHINE, 1.0), (HERE, 1.5)):
        run = synthetic.run_record()
        run["machine"] = {**run["machine"], "id": name, "name": f"Processor of {name.partition('-')[0]}"}
        run["run"] = f"20200101T000000Z-{'abcdef' if factor == 1 else 'fedcba'}"
        yield run
        for algorithm in ("msd_radix_cpu", "vqsort"):
            for log_n in (16, 18, 20):
                case = synthetic.case(algorithm, 1 << log_n, entropy_bits=32.0)
                made = synthetic.measurement(case, factor * synthetic.invented_seconds(case))
                yield {**made, "machine": name, "run": run["run"]}
    for log_n in (20, 24, 28):
        case = synthetic.case("cub_radix", 1 << log_n, residency="device", entropy_bits=32.0)
        yield synthetic.measurement(case, (1 << log_n) / GPU_RATE, device=synthetic.DEVICE)
        yield synthetic.prediction(case, (1 << log_n) / GPU_RATE, profile=DATASHEET, model_kind="scaled")
    case = synthetic.case("satish_split_radix", 1 << 24, residency="device", entropy_bits=32.0)
    yield synthetic.component(case, "rank", 1e-3, device=synthetic.DEVICE)
    yield synthetic.count(case, {"rank": "issue"})


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("comparisons")
    records = synthetic.write(folder / "records.jsonl", [*cells(), *synthetic.ALGORITHMS.values()])
    return command.build(["--records", str(records), "--here", HERE, "--out", str(folder / "site")])


def sets(browser: Browser) -> list[dict]:
    """Returns what is drawn: each data set's line, dashes, colour, shape and points."""
    return browser.run(
        """
        return Chart.getChart("canvas").data.datasets.map((set) => ({
          label: set.line.label, dashed: Boolean(set.borderDash), colour: set.borderColor, shape: set.pointStyle,
          hollow: set.pointBackgroundColor !== set.borderColor, machine: set.line.row.machine,
          points: set.data.map(({ x, y, low }) => [x, y, low ?? null]) }));
        """
    )


def groups(browser: Browser) -> list[str]:
    return browser.run(
        "return [...document.querySelectorAll('[data-facet=machine] .boxes p')].map((p) => p.textContent)"
    )


def test_it_opens_with_this_machine_beside_those_that_were_measured(browser, site):
    show(browser, site)
    first, *others = browser.run(
        "return [...document.querySelectorAll('[data-facet=machine] input:checked')].map((i) => i.value)"
    )
    assert first == HERE and {synthetic.MACHINE, GPU} <= set(others) and "b200" not in others
    assert groups(browser) == [
        *("This machine", "Measured elsewhere", "Predicted only, from datasheets or papers", "Printed in papers"),
    ]
    assert {one["machine"] for one in sets(browser)} == {HERE, synthetic.MACHINE}


def test_lines_differ_in_colour_or_shape(browser, site):
    show(browser, site)
    solid = [(one["colour"], one["shape"]) for one in sets(browser) if not one["dashed"]]
    assert len(solid) == 4 == len({colour for colour, _ in solid})
    show(browser, site, "#colours=sort")
    solid = [(one["colour"], one["shape"]) for one in sets(browser) if not one["dashed"]]
    assert len({colour for colour, _ in solid}) == 2 and len(set(solid)) == 4


def test_a_gpu_is_no_number_of_threads_and_has_its_rate_in_billions(browser, site):
    show(browser, site, "#place=&threads=2&sort=cub_radix&kind=")
    [gpu] = [one for one in sets(browser)]
    assert [y for _, y, _ in gpu["points"]] == [pytest.approx(GPU_RATE / 1e9, rel=0.02)] * 3
    assert browser.run("return Chart.getChart('canvas').options.scales.y.title.text") == "10⁹ keys/s"
    assert re.search(r"cub_radix 4[89]\.\d · 10⁹ keys/s at 2²⁸", lines(browser)[0])
    assert "thread" not in lines(browser)[0]


def test_predictions_are_dashed_whatever_their_kind(browser, site):
    show(browser, site, f"#machine={GPU}&machine=b200&place=&threads=&sort=cub_radix&kind=scaled")
    drawn = sets(browser)
    assert [one["dashed"] for one in drawn if one["machine"] == "b200"] == [True]
    assert [one["dashed"] for one in drawn if one["machine"] == GPU][0] is False


def test_components_counts_and_published_points_are_drawn(browser, site):
    show(browser, site, f"#machine={GPU}&place=&threads=&part=rank&kind=")
    assert [line.split(" ")[0] for line in lines(browser)] == ["satish_split_radix"]
    show(browser, site, f"#machine={GPU}&chart=counts&place=&threads=&kind=")
    [counted] = sets(browser)
    assert len(counted["points"]) == 1 and counted["points"][0][1] > 0 and counted["points"][0][2] is None
    assert "per element" in browser.run("return Chart.getChart('canvas').options.scales.y.title.text")
    show(browser, site, "#machine=published:SAT&kind=")
    published = sets(browser)
    assert published and all(one["dashed"] and one["hollow"] for one in published)
    radix = next(one for one in published if "radix-buffer(own)" in one["label"])
    assert [2**18, pytest.approx(262144 / 1.1e-3 / 1e6)] == [2 ** radix["points"][0][0], radix["points"][0][1]]
    assert browser.console() == []


def test_the_chart_is_kept_as_svg_and_png(browser, site):
    show(browser, site, f"#machine={HERE}&sort=vqsort&kind=")
    browser.run("document.getElementById('svg').click()")
    svg = downloaded(browser, "sortlab.svg")
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Rate over n" in texts and "vqsort" in texts and "10⁶ keys/s" in texts and "2¹⁸" in texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 1
    browser.run("document.getElementById('png').click()")
    file = browser.downloads / "sortlab.png"
    wait(lambda: file.exists() and not list(browser.downloads.glob("*.crdownload")), "the PNG")
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and file.stat().st_size > 5000
    file.unlink()


def test_a_choice_of_machines_says_what_it_holds(browser, site):
    show(browser, site)
    tick(browser, "machine", "b200")
    names = browser.run(
        "return [...document.querySelectorAll('[data-facet=machine] label span')].map((s) => s.textContent)"
    )
    assert any(name.startswith(synthetic.DEVICE["name"]) for name in names), names


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """All kept machines, with each GPU's records."""
    folder = tmp_path_factory.mktemp("kept")
    machines = map(str, sorted(file.parent for file in REFERENCE.glob("*/profile.json")))
    return command.build(["--records", *machines, "--out", str(folder / "site")])


def test_the_site_of_all_kept_machines_is_small_and_has_every_gpu(kept):
    files = [file for file in kept.parent.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < SITE_BYTES
    index = (kept.parent / "data/index.js").read_text()
    known = json.loads(index[len("sortlab.setIndex(") : -len(");\n")])
    assert {"NVIDIA H200", "NVIDIA H100 80GB HBM3"} <= {device for m in known["machines"] for device in m["devices"]}


def test_every_link_leads_somewhere(site, kept):
    assert broken_links(site.parent) == [] and broken_links(kept.parent) == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_there_are_no_barriers(browser, site, width, scheme):
    show(browser, site, width=width, scheme=scheme)
    assert barriers(browser) == []
    for page in ("machines.html", "algorithm/msd_radix_cpu.html", f"machine/{HERE}.html"):
        browser.open(site.parent / page, width, scheme)
        assert barriers(browser) == [], page


@pytest.mark.skipif(axe() is None, reason="needs axe-core: pip install axe-playwright-python, or SORTLAB_AXE")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, site, width, scheme):
    for page in (
        "index.html",
        "machines.html",
        "algorithms.html",
        "algorithm/msd_radix_cpu.html",
        f"machine/{HERE}.html",
    ):
        browser.open(site.parent / page, width, scheme)
        assert axe_violations(browser, axe()) == [], page
