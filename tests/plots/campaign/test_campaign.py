"""A tiny campaign, measured in slices; its folder passes the check, and no longer when damaged in any way."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plots.campaign import measure, program
from plots.campaign.check import changed_sorts, faults, mark
from plots.campaign.command import main
from plots.campaign.manifest import read_manifest, sha256, write_manifest
from plots.campaign.plan import read_campaign
from plots.campaign.readme import readme
from plots.records.jsonl import BadInput, content

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
KEPT = ROOT / "results/reference/intel-xeon-graniterapids-2c-47e04dc8/profile.json"
CONFIG = {
    "name": "tiny",
    "protocol": {"samples": 3},
    "sweeps": [
        {"algorithms": ["satish_cpu_radix", "std_sort"], "n": [1000, "2^14"], "distributions": ["uniform", "sorted"]},
        {"algorithms": ["satish_cpu_radix"], "n": ["2^14"], "distributions": ["uniform"]},
    ],
}
EVERYWHERE = {"cpu": 2, "gpu": 2, "gpus": 2}


def campaign_file(folder, *steps):
    (folder / "tiny.json").write_text(json.dumps(CONFIG))
    configs = [{"config": str(folder / "tiny.json"), "read_by": ["[CG]PU-*"]}]
    made = [
        {"minutes": EVERYWHERE, **({"configs": configs} if s["does"] in ("measure", "repeat") else {}), **s}
        for s in steps
    ]
    file = folder / "campaign.json"
    file.write_text(json.dumps({"name": "tiny", "title": "A tiny campaign", "steps": made}))
    return file


STEPS = (
    {"name": "calibrate", "does": "calibrate"},
    {"name": "cpu", "does": "measure", "again": 1},
    {"name": "aa", "does": "repeat"},
)
VALIDATION = {"name": "validation", "does": "validate", "seed": 5}


def use_kept_profile(self, step, entry):
    """Stands in for a calibration, which takes minutes."""
    profile = json.loads(KEPT.read_text()) | {"id": self.manifest["machine"]["id"]}
    profile["source"] = f"sortlab calibrate --quick, 2020-01-01, commit {self.manifest['commit']}"
    own = self.folder / program.OWN_ROOT / "results/local" / profile["id"] / "profile.json"
    own.parent.mkdir(parents=True)
    for file in (own, self.folder / "profile.json"):
        file.write_text(json.dumps(profile))
    self.manifest["profile"] = {"file": "profile.json", "sha256": sha256(own)}


def any_commit(findings):
    """The build's commit, also where the tree under test has changes."""
    return findings["commit"]["detail"][:40]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of a campaign, with the exit statuses of the calls that it took."""
    folder = tmp_path_factory.mktemp("campaign")
    words = [
        "run",
        "--campaign",
        str(campaign_file(folder, *STEPS)),
        "--program",
        str(SORTLAB),
        "--out",
        str(folder / "out"),
    ]
    statuses = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "clean_commit", any_commit)
        patch.setattr(measure.Call, "_calibrate", use_kept_profile)
        for slice_s in (4, *[300] * 4):
            statuses.append(main([*words, "--slice", f"{slice_s}s"]))
            if statuses[-1] != 3:
                break
    return folder / "out", statuses


@pytest.fixture
def folder(measured, tmp_path):
    return Path(shutil.copytree(measured[0], tmp_path / "out"))


def found(folder):
    """The faults but those that come from a tree under test with changes."""
    return [fault for fault in faults(folder) if "no commit has" not in fault]


def test_slices_end_in_a_folder_that_passes(measured):
    folder, statuses = measured
    assert statuses[-1] == 0 and set(statuses[:-1]) == {3}, statuses
    assert found(folder) == []
    manifest = read_manifest(folder)
    assert manifest["slices"] == len(statuses) and manifest["cells"]["timed"] == 8
    assert [step["state"] for step in manifest["steps"]] == ["done"] * 3
    assert set(manifest["files"]) == {
        *("aa/aa.first.jsonl.gz", "aa/aa.second.jsonl.gz", "configs/aa.json", "configs/cpu.json"),
        *("cpu.jsonl.gz", "cpu.predictions.jsonl.gz", "profile.json"),
    }
    assert not (folder / program.OWN_ROOT).exists()


def test_no_command_names_a_folder_of_this_machine(measured):
    texts = [content(file).decode() for file in measured[0].rglob("*.jsonl.gz")] + [
        (measured[0] / "manifest.json").read_text()
    ]
    named = [
        json.loads(text)["asked"]["command"] for text in "".join(texts[:-1]).splitlines() if '"kind":"run"' in text
    ]
    assert named and not [word for words in named for word in words if word.startswith("/")]


def test_the_predictions_are_of_the_cells_measured_and_older(measured):
    folder, _ = measured
    records = [json.loads(line) for line in content(folder / "cpu.jsonl.gz").splitlines()]
    predicted = [json.loads(line) for line in content(folder / "cpu.predictions.jsonl.gz").splitlines()]
    timed = {r["cell"] for r in records if r["kind"] == "measurement" and r["case"]["algorithm"] == "satish_cpu_radix"}
    assert len(timed) == 4 and timed <= {p["cell"] for p in predicted}
    (made,) = read_manifest(folder)["predictions"]
    assert {r["asked"]["config"] for r in records if r["kind"] == "run"} == {f"cpu-{made['sha256'][:16]}"}


def test_the_readme_says_how_it_was_made(measured):
    text = (measured[0] / "README.md").read_text()
    manifest = read_manifest(measured[0])
    for part in (manifest["commit"], "| aa |", "`cpu.predictions.jsonl.gz`", "std_sort libstdc++", "cpu.jsonl.gz"):
        assert part in text, part


def test_a_campaign_that_has_ended_measures_nothing(measured, capsys, monkeypatch):
    before = {file: file.read_bytes() for file in measured[0].rglob("*") if file.is_file()}
    monkeypatch.setattr(program, "clean_commit", any_commit)
    words = ["--campaign", str(measured[0].parent / "campaign.json"), "--program", str(SORTLAB)]
    assert main(["run", *words, "--out", str(measured[0])]) == 0
    assert "this campaign ended at" in capsys.readouterr().out
    assert {file: file.read_bytes() for file in measured[0].rglob("*") if file.is_file()} == before


def rewrite(folder, name, change):
    """Changes a file, and the manifest's checksum with it."""
    file = folder / name
    text = change(content(file).decode()).encode()
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    manifest = read_manifest(folder)
    manifest["files"][name] = sha256(file)
    write_manifest(folder, manifest)
    (folder / "README.md").write_text(readme(manifest))


def without_headers(text):
    return "".join(line for line in text.splitlines(keepends=True) if '"kind":"run"' not in line)


def change_manifest(folder, change):
    manifest = read_manifest(folder)
    change(manifest)
    write_manifest(folder, manifest)
    (folder / "README.md").write_text(readme(manifest))


def other_build(text):
    return re.sub(r'("algorithm":"std_sort".*?"build":")[0-9a-f]{16}', r"\g<1>" + "0" * 16, text)


@pytest.mark.parametrize(
    "damage, says",
    [
        (lambda f: (f / "cpu.jsonl.gz").unlink(), "cpu.jsonl.gz: is not there"),
        (lambda f: (f / "more.jsonl").write_text("{}\n"), "more.jsonl: the manifest does not list it"),
        (lambda f: (f / "profile.json").write_text("{}"), "profile.json: its SHA-256 is not that of the manifest"),
        (lambda f: (f / "README.md").write_text("# Mine\n"), "README.md: is not what the manifest makes"),
        (lambda f: (f / "README.md").unlink(), "README.md: is not what the manifest makes"),
        (
            lambda f: [(f / "tune.jsonl").write_text(""), rewrite(f, "tune.jsonl", str)],
            "tune.jsonl: no step of the campaign makes it, and no page reads it",
        ),
        (lambda f: rewrite(f, "cpu.jsonl.gz", without_headers), "under no header of its run"),
        (
            lambda f: rewrite(f, "cpu.jsonl.gz", lambda t: re.sub(r'"commit":"\w+"', '"commit":"' + "0" * 40 + '"', t)),
            "a run of commit 0000000000000000000000000000000000000000, and the campaign is of",
        ),
        (
            lambda f: rewrite(
                f, "aa/aa.first.jsonl.gz", lambda t: re.sub(r'"id":"\w[^"]*"', '"id":"other"', t, count=1)
            ),
            "a run on other, and the campaign is of",
        ),
        (
            lambda f: rewrite(f, "cpu.jsonl.gz", lambda t: re.sub(r'"config":"cpu-\w+"', '"config":"quick"', t)),
            "of config quick, which no step of the campaign has",
        ),
        (lambda f: rewrite(f, "cpu.jsonl.gz", other_build), "std_sort of build 0000000000000000, which is not the"),
        (lambda f: rewrite(f, "cpu.jsonl.gz", lambda t: t[:-20]), "its last line is torn"),
        (
            lambda f: rewrite(f, "cpu.jsonl.gz", lambda t: t.replace('"status":"ok"', '"status":"fine"', 1)),
            "status must be one of",
        ),
        (
            lambda f: rewrite(f, "cpu.predictions.jsonl.gz", lambda t: "".join(t.splitlines(keepends=True)[1:])),
            "cpu.predictions.jsonl.gz: its runs are not called after it",
        ),
        (
            lambda f: change_manifest(f, lambda m: m["predictions"][0].update(time="2999-01-01T00:00:00Z")),
            "cpu.jsonl.gz:1: began before its predictions were made, at 2999",
        ),
        (lambda f: change_manifest(f, lambda m: m["predictions"].clear()), "measured without predictions"),
        (lambda f: change_manifest(f, lambda m: m["steps"][1]["read_by"].clear()), "cpu: no artifact and no claim"),
        (lambda f: change_manifest(f, lambda m: m["steps"][2].update(state="failed", note="x")), "step aa: failed; x"),
        (lambda f: change_manifest(f, lambda m: m.update(ended=None)), "the campaign has not ended"),
        (
            lambda f: rewrite(f, "profile.json", lambda t: re.sub(r"commit \w+", "commit 1234", t)),
            "profile.json: is of another commit",
        ),
    ],
)
def test_damage_is_named(folder, damage, says):
    damage(folder)
    assert any(says in fault for fault in found(folder)), found(folder)


def with_kept_validation(folder):
    """Puts a validation of another machine and commit into the folder, in good order."""
    shutil.copytree(ROOT / "results/reference/amd-epyc-zen4-2c-bafb4314/validation_3", folder / "validation")
    manifest = read_manifest(folder)
    manifest["steps"].append({**manifest["steps"][0], "name": "validation", "does": "validate", "commands": []})
    manifest["files"] |= {f"validation/{f.name}": sha256(f) for f in (folder / "validation").iterdir()}
    write_manifest(folder, manifest)
    (folder / "README.md").write_text(readme(manifest))


def test_a_validation_is_of_the_campaigns_commit_and_in_order(folder):
    name, out_of_order = "validation/validation.jsonl", "does not show that its predictions came before"
    with_kept_validation(folder)
    assert f"{name}: is of another commit" in found(folder)
    assert not any(out_of_order in fault for fault in found(folder))
    rewrite(folder, name, lambda text: re.sub(r'"seconds":[0-9.e-]+', '"seconds":2', text, count=1))
    assert any(out_of_order in fault for fault in found(folder))
    (folder / name).unlink()
    assert any("validation.jsonl: no such file" in fault for fault in found(folder))


@pytest.mark.parametrize(
    "status, state, note",
    [
        (0, "done", ""),
        (1, "done", "cells without result, or predictions that differ afterwards"),
        (2, "failed", "exit status 2"),
        (None, "failed", "its time was over before it ended"),
    ],
)
def test_a_validation_within_its_time(tmp_path, status, state, note):
    (step,) = read_campaign(campaign_file(tmp_path, VALIDATION)).steps
    call = measure.Call(program.Program(SORTLAB, tmp_path), tmp_path, None, 60, print)
    call.manifest = {"machine": {}, "steps": [measure._entry(step, 1)]}
    (entry,) = call.manifest["steps"]
    asked = []
    call._do = lambda entry, *words, **_: asked.append(words) or status
    call._save = lambda: None
    call._steps = {"validation": step}
    call._take(step, entry)
    assert (entry["state"], entry["note"]) == (state, note)
    (words,) = asked
    assert words[:7] == ("validate", "--machine", "profile.json", "--seed", "5", "--budget", "48s")


def test_a_build_with_changes_is_named(folder):
    rewrite(folder, "cpu.jsonl.gz", lambda text: re.sub(r'"dirty":\w+', '"dirty":true', text))
    assert any("cpu.jsonl.gz:1: a run of a build with changes that no commit has" in fault for fault in faults(folder))


def test_a_manifest_that_cannot_be_read_is_bad_input(folder, capsys):
    (folder / "manifest.json").write_text('{"schema": 1}')
    assert main(["check", str(folder)]) == 2
    told = capsys.readouterr().err
    assert "manifest.json: " in told and "is missing" in told and told.count("\n") == 1
    (folder / "manifest.json").unlink()
    assert main(["check", str(folder)]) == 2
    assert "manifest.json: no such file" in capsys.readouterr().err


def test_a_sort_that_has_changed_since_must_be_marked(folder, capsys):
    here = program.Program(SORTLAB, folder, own_root=False)
    assert changed_sorts(folder, read_manifest(folder), here) == []
    rewrite(folder, "cpu.jsonl.gz", other_build)
    for name in ("aa/aa.first.jsonl.gz", "aa/aa.second.jsonl.gz"):
        rewrite(folder, name, other_build)
    change_manifest(folder, lambda m: m["build"]["sorts"]["std_sort"].update(build="0" * 16))
    assert found(folder) == []
    assert "std_sort: has changed since it was measured, and is not marked" in faults(folder, here)
    mark(folder, here)
    assert not [fault for fault in faults(folder, here) if "std_sort" in fault]
    assert (
        "Changed since, so that these records are of an older build of them: `std_sort`."
        in (folder / "README.md").read_text()
    )
    change_manifest(folder, lambda m: m["build"].update(compiler="Other 1.0"))
    assert main(["check", str(folder), "--program", str(SORTLAB)]) == 2
    assert "must be built as the campaign's, by Other 1.0" in capsys.readouterr().err


@pytest.mark.parametrize(
    "commit, says",
    [
        ({"good": False, "detail": "0" * 40 + ", changed since"}, "the build is of no clean commit"),
        ({"good": True, "detail": "0" * 40}, "the build is of 0000000000 and the checkout of "),
    ],
)
def test_a_build_of_no_clean_commit_is_refused(commit, says):
    with pytest.raises(BadInput, match=says):
        program.clean_commit({"commit": commit})


def test_a_checkout_with_changes_is_refused(monkeypatch):
    monkeypatch.setattr(
        program, "_git", lambda *words: "0" * 40 if words[0] == "rev-parse" else " M configs/quick.json"
    )
    with pytest.raises(BadInput, match=r"the checkout has changes that no commit has \(configs/quick.json\)"):
        program.clean_commit({"commit": {"good": True, "detail": "0" * 40}})


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_a_slice_and_the_next_call_goes_on(tmp_path, how):
    file = campaign_file(tmp_path, {"name": "cpu", "does": "measure"}, {"name": "aa", "does": "repeat"})
    config = json.loads((tmp_path / "tiny.json").read_text()) | {"protocol": {"samples": 40, "processes": 10}}
    (tmp_path / "tiny.json").write_text(json.dumps(config))
    words = (
        "import sys; from plots.campaign import program; program.clean_commit = lambda f: f['commit']['detail'][:40]\n"
    )
    words += "from plots.campaign.command import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", words, "run", "--campaign", file, "--program", SORTLAB, "--out", tmp_path / "out"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as begun:
        end = time.monotonic() + 120
        while not (tmp_path / "out/cpu.jsonl").exists() and begun.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        begun.send_signal(how)
    assert begun.returncode == (-how if how == signal.SIGKILL else 128 + how)
    assert read_manifest(tmp_path / "out")["ended"] is None
    # A killed campaign's program goes on, and keeps its records from the next one's for as long.
    busy = ("another run", "another program is writing")
    while (done := subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)).returncode != 0:
        assert any(words in done.stderr for words in busy) and time.monotonic() < end, done.stderr
        time.sleep(1)
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(tmp_path / "out")
    (first, *_) = manifest["steps"][0]["commands"]
    assert manifest["slices"] >= 2 and (first["status"] is None if how == signal.SIGKILL else first["status"] != 0)
    assert found(tmp_path / "out") == [] and manifest["cells"]["timed"] == 8


def test_another_build_does_not_go_on(measured, tmp_path, monkeypatch, capsys):
    out = Path(shutil.copytree(measured[0], tmp_path / "out"))
    change_manifest(out, lambda m: [m.update(ended=None), m["build"].update(program_sha256="0" * 64)])
    monkeypatch.setattr(program, "clean_commit", any_commit)
    words = ["--campaign", str(measured[0].parent / "campaign.json"), "--program", str(SORTLAB), "--out", str(out)]
    assert main(["run", *words]) == 2
    assert "was begun by another build of this commit; give a new folder" in capsys.readouterr().err
    change_manifest(out, lambda m: m.update(commit="0" * 40))
    assert main(["run", *words]) == 2
    assert "was begun with another commit; give a new folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, says",
    [
        (["run", "--slice", "0m"], "--slice 0m: allowed: a time above 0"),
        (["run", "--slice", "soon"], "--slice soon: allowed"),
        (["run", "--campaign", "none.json"], "--campaign none.json: no such file"),
        (["run", "--program", "none"], "--program none: no such program"),
        (["check", "x", "--mark"], "--mark: needs --program"),
    ],
)
def test_bad_input_is_one_line(words, says, capsys):
    assert main(words) == 2
    told = capsys.readouterr().err
    assert says in told and told.count("\n") == 1


def test_a_folder_with_other_files_is_left_alone(tmp_path, capsys, monkeypatch):
    (tmp_path / "mine.txt").write_text("x")
    file = campaign_file(tmp_path, {"name": "cpu", "does": "measure"})
    assert main(["run", "--campaign", str(file), "--program", str(SORTLAB), "--out", str(tmp_path)]) == 2
    assert "holds files and no manifest" in capsys.readouterr().err
