"""`machine new`: a GPU that is not here, by its datasheet."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
ADA = ["--compute-capability", "8.9", "--multiprocessors", "128", "--clock-hz", "2.52e9", "--bandwidth", "1008e9"]


def sortlab(*words):
    environment = {**os.environ, "SORTLAB_ROOT": str(ROOT)}
    return subprocess.run([SORTLAB, *map(str, words)], capture_output=True, text=True, env=environment)


def new(folder, *words, name="gpu", base="rtx_5090"):
    return sortlab(
        "machine", "new", name, "--from", base, "--name", "A GPU", "--source", "a sheet",
        "--out", folder / "gpu.json", *words
    )  # fmt: skip


def seconds(machine):
    done = sortlab("predict", "-a", "cub_radix", "-n", "2^28", "--machine", machine, "--json")
    made = [json.loads(line) for line in done.stdout.splitlines()]
    return next(p["seconds"] for p in made if p["model_kind"] == "scaled")


def test_a_description_has_the_figures_given_and_the_others_of_the_gpu_it_is_from(tmp_path):
    done = new(tmp_path, *ADA)
    assert done.returncode == 0, done.stderr
    assert "--shared-bytes" in done.stderr and "--clock-hz" not in done.stderr
    made = json.loads((tmp_path / "gpu.json").read_text())
    assert (made["cores"], made["clock_hz"], made["compute_capability"]) == (128, 2.52e9, "8.9")
    assert made["tables"]["datasheet.bandwidth"]["points"][0]["value"] == 1008e9
    assert made["origin"] == "datasheet" and "rtx_5090" in made["source"]


def test_without_a_figure_it_predicts_as_the_gpu_it_is_from_and_with_half_the_bandwidth_more(tmp_path):
    assert new(tmp_path, base="h100_sxm").returncode == 0
    assert seconds(tmp_path / "gpu.json") == pytest.approx(seconds("h100_sxm"))
    (tmp_path / "gpu.json").unlink()
    assert new(tmp_path, "--bandwidth", "1.675e12", base="h100_sxm").returncode == 0
    assert seconds(tmp_path / "gpu.json") > 1.2 * seconds("h100_sxm")


@pytest.mark.parametrize(
    "words, options, message",
    [
        (["--compute-capability", "9.9"], {}, "allowed: 7.5, 8.0"),
        ([], {"name": "Bad"}, "id: expected lower-case"),
        ([], {"base": "gtx280"}, "origin: is paper; allowed: datasheet"),
        (["--bandwidth", "0"], {}, "--bandwidth"),
    ],
)
def test_what_no_gpu_has_is_refused_and_leaves_no_file(tmp_path, words, options, message):
    done = new(tmp_path, *words, **options)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "gpu.json").exists()


def test_a_file_that_exists_is_kept(tmp_path):
    (tmp_path / "gpu.json").write_text("mine")
    done = new(tmp_path, *ADA)
    assert done.returncode == 2 and "exists" in done.stderr
    assert (tmp_path / "gpu.json").read_text() == "mine"
