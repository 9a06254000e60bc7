"""The present models read each kept profile, and predict the cells that its README says, measured on its machine."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from listed import device_sorts

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
REFERENCE = ROOT / "results" / "reference"
PROFILES = sorted(REFERENCE.glob("**/profile*.json"))
XEON = "intel-xeon-emeraldrapids-16c-f8c882fd"
# Sorts predicted from each profile; without GPU sorts in the build, those of the host.
HOST = {"aa_sort", "msd_radix_cpu", "paradis", "satish_cpu_merge", "satish_cpu_radix"}
DEVICE = {"cub_merge", "cub_radix", "cub_radix_lsd", "cub_radix_tuned", "ha_four_way_radix", "ha_implicit_radix"}
DEVICE |= {"satish_gpu_merge", "satish_split_radix", "satish_split_radix_2009"}
H100 = {"cub_merge", "cub_radix", "ha_implicit_radix", "leischner_sample_sort", "msd_radix_gpu"}
H100 |= {"satish_gpu_merge", "satish_split_radix", "satish_split_radix_2009"}
PREDICTED = {
    "amd-epyc-zen4-2c-bafb4314/profile.json": {"aa_sort", "knf_split_radix", "satish_cpu_merge", "satish_cpu_radix"},
    "amd-epyc-zen4-2c-bafb4314/validation_3/profile.json": HOST | {"knf_split_radix"},
    "amd-epyc-zen4-2c-bafb4314/validation_all/profile.json": HOST | {"knf_split_radix"},
    "amd-epyc-zen5-2c-925e87e7/profile.json": {"satish_cpu_radix"},
    "intel-xeon-graniterapids-2c-47e04dc8/profile.json": HOST,
    f"{XEON}/profile.json": DEVICE,
    f"{XEON}/profile_cpu.json": HOST,
    f"{XEON}/profile_leischner.json": DEVICE
    | {"bbsort", "cederman_quicksort", "leischner_sample_sort", "multisplit_radix", "sintorn_hybrid_sort"},
    f"{XEON}/profile_stehle.json": DEVICE | {"stehle_hybrid_radix", "stehle_heterogeneous"},
    f"{XEON}/first_calibration/profile_cpu.json": HOST,
    f"{XEON}/gpu2026/profile.json": DEVICE | {"stehle_hybrid_radix", "leischner_sample_sort", "msd_radix_gpu"},
    f"{XEON}/h100/profile.json": H100,
    f"{XEON}/h200/profile.json": {"msd_radix_gpu"},
    f"{XEON}/h200/energy/profile.json": {"cub_merge", "cub_radix", "ha_implicit_radix", "leischner_sample_sort"}
    | {"msd_radix_gpu", "satish_split_radix", "stehle_hybrid_radix"},
    f"{XEON}/validation_cpu/profile.json": HOST | {"knf_split_radix"},
    f"{XEON}/validation_cpu_2/profile.json": HOST | {"knf_split_radix"},
}
PARAMETERS = 3  # settings of a sort that are asked about


def profile_name(profile: Path) -> str:
    return str(profile.relative_to(REFERENCE))


def some_cells(folder: Path) -> list[str]:
    """For each sort, the first measured settings, at their smallest n from 2^18 on."""
    least: dict[tuple[str, str], tuple[int, str]] = {}
    for file in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for line in text.decode().splitlines():
            record = json.loads(line)
            if record["kind"] == "measurement" and record["status"] == "ok" and record["case"]["n"] >= 1 << 18:
                case = record["case"]
                key = (case["algorithm"], json.dumps([case["parameters"], case["key_type"]]))
                least[key] = min(least.get(key, (1 << 62, "")), (case["n"], line))
    chosen: dict[str, list[str]] = {}
    for (algorithm, _), (_, line) in least.items():
        if len(chosen.setdefault(algorithm, [])) < PARAMETERS:
            chosen[algorithm].append(line)
    return [line for lines in chosen.values() for line in lines]


@pytest.mark.parametrize("profile", PROFILES, ids=profile_name)
def test_a_kept_profile_predicts_what_was_measured_beside_it(profile, tmp_path):
    expected = PREDICTED[profile_name(profile)]
    if not device_sorts():
        expected = expected & (HOST | {"knf_split_radix"})
    if not expected:
        pytest.skip("it predicts sorts of a GPU alone, which this build does not have")
    cells = some_cells(profile.parent)
    (tmp_path / "cells.jsonl").write_text("\n".join(cells) + "\n", encoding="utf-8")
    arguments = ["--for", tmp_path / "cells.jsonl", "--machine", profile, "--json"]
    done = subprocess.run([SORTLAB, "predict", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    made = [json.loads(line) for line in done.stdout.splitlines()]
    known = {r["case"]["algorithm"] for r in made if r["model_kind"] in ("component", "hardware")}
    assert expected <= known, sorted(expected - known)


# "The models of now predict 48 of the 192 cells of `accuracy.jsonl` by it": in a row of the table about that profile,
# or with the profile's name.
STATED = re.compile(
    r"models (?P<kind>of now|of kind component) predict (?P<predicted>\d+) of the (?P<all>\d+) cells of "
    r"`(?P<records>[^`]+)` by (`(?P<profile>[^`]+)`|it\b)"
)
READMES = sorted({folder / "README.md" for folder in REFERENCE.iterdir() if folder.is_dir()})
FIGURES = [
    (readme.parent, line, stated)
    for readme in READMES
    for line in readme.read_text(encoding="utf-8").splitlines()
    for stated in STATED.finditer(line)
]


def read_readme(profile: Path) -> str:
    return (REFERENCE / profile.relative_to(REFERENCE).parts[0] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder, line, stated", FIGURES, ids=[folder.name for folder, _, _ in FIGURES])
def test_a_profile_predicts_as_many_cells_as_its_readme_says(folder, line, stated):
    name = stated["profile"] or re.match(r"\|? ?`([^`]+)`", line)[1]
    records = folder / stated["records"]
    arguments = ["--for", records, "--machine", folder / name, "--json"]
    arguments += ["--kind", "component"] if stated["kind"] == "of kind component" else []
    done = subprocess.run([SORTLAB, "predict", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 or "nothing can be predicted" in done.stderr, done.stderr[-300:]
    made = {json.loads(line)["cell"] for line in done.stdout.splitlines()}
    kept = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    cells = {record["cell"] for record in kept if record["kind"] == "measurement"}
    assert (len(made), len(cells)) == (int(stated["predicted"]), int(stated["all"]))


def test_readmes_state_such_figures():
    assert len(FIGURES) >= 3


@pytest.mark.parametrize("profile", PROFILES, ids=profile_name)
def test_a_readme_names_each_kept_profile_and_the_commits_that_calibrated_it(profile):
    content, readme = json.loads(profile.read_text(encoding="utf-8")), read_readme(profile)
    below = profile.relative_to(REFERENCE / profile.relative_to(REFERENCE).parts[0])
    assert f"`{below.name if len(below.parts) == 1 else below.parts[0] + '/'}`" in readme
    sources = [content["source"], *(device["source"] for device in content.get("devices", []))]
    commits = [re.search(r"commit ([0-9a-f]{40})", source)[1] for source in sources]
    assert [commit for commit in commits if commit[:7] not in readme] == []
