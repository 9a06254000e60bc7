"""Columns of real keys: how they are made, and what a config does where one is absent."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
sys.path.insert(0, str(ROOT / "harness" / "setup"))
import real_columns  # noqa: E402

INDEX = b"""Package: abc
Version: 1.2-3
Installed-Size: 7
Size: 4096

Package: abd
Version: 10
Installed-Size: 70000
Size: 5000000000
"""


@pytest.fixture
def only_index(monkeypatch):
    """A machine with this package index, and without the packages of PyPI."""
    monkeypatch.setattr(real_columns, "index_text", lambda: INDEX)
    monkeypatch.setattr(real_columns.importlib.util, "find_spec", lambda name: None)


def test_columns_are_written_and_absent_ones_named(tmp_path, only_index, capsys):
    assert real_columns.main(["--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert np.load(tmp_path / "packages_size.npy").tolist() == [4096, 5_000_000_000]
    assert np.load(tmp_path / "packages_installed.npy").tolist() == [7, 70000]
    versions = np.load(tmp_path / "packages_version.npy").tolist()
    assert versions == [int.from_bytes(b"1.2-3\0\0\0", "big"), int.from_bytes(b"10".ljust(8, b"\0"), "big")]
    for line in out.splitlines():  # each with the digest of what was written
        name, digest = line.split(":")[0], line.split()[-1]
        assert hashlib.sha256(np.load(tmp_path / f"{name}.npy").tobytes()).hexdigest() == digest
    for name in ("flights_delay", "cities_morton"):
        assert f"{name}: left out: needs " in err and not (tmp_path / f"{name}.npy").exists()
    assert all(f"{name}: left out: not there" in err for name in real_columns.SOSD)
    first = (tmp_path / "text_windows.npy").read_bytes()
    assert real_columns.main(["--out", str(tmp_path)]) == 0
    assert (tmp_path / "text_windows.npy").read_bytes() == first  # drawn by a seed


def test_windows_keep_the_order_of_their_bytes():
    text = b"banana split"
    offsets = np.arange(len(text))
    keys = real_columns.windows(text, offsets)
    padded = [(text + bytes(8))[i : i + 8] for i in offsets]
    assert sorted(range(len(text)), key=lambda i: padded[i]) == np.argsort(keys, kind="stable").tolist()


def test_morton_codes_interleave_the_bits():
    code = int(real_columns.morton(np.array([90.0]), np.array([-180.0]))[0])
    assert code == 0x5555555555555555  # all bits of the latitude, none of the longitude
    spread = real_columns.spread_bits(np.array([0b1011], dtype=np.uint64))
    assert int(spread[0]) == 0b1000101


def test_a_pinned_column_with_other_keys_is_left_out(monkeypatch):
    keys = np.arange(5, dtype="<u4")
    monkeypatch.setitem(real_columns.PINNED, "some", ("1.0", {"a": real_columns.sha256(keys)}))
    monkeypatch.setattr(real_columns.importlib.metadata, "version", lambda name: "1.0")
    assert real_columns.fault("some", "a", keys) is None
    assert "its SHA-256 is" in (real_columns.fault("some", "a", keys + 1) or "")
    monkeypatch.setattr(real_columns.importlib.metadata, "version", lambda name: "2.0")
    assert "pip install some==1.0" in (real_columns.fault("some", "a", keys + 1) or "")


def test_a_file_of_sosd_is_checked_and_loses_its_header(tmp_path, monkeypatch):
    keys = np.arange(7, dtype="<u8")
    content = np.uint64(len(keys)).tobytes() + keys.tobytes()
    (tmp_path / "fb_uint64").write_bytes(content)
    (tmp_path / "wiki_uint64").write_bytes(content[:-1])
    digest = hashlib.md5(content).hexdigest()
    monkeypatch.setattr(real_columns, "SOSD", {"fb_uint64": digest, "wiki_uint64": digest})
    (line,) = real_columns.bring_sosd(tmp_path, tmp_path)
    assert line.startswith("wiki_uint64: left out: its MD5 is ")
    assert np.load(tmp_path / "fb_uint64.npy").tolist() == keys.tolist()
    assert not (tmp_path / "wiki_uint64.npy").exists()


def test_the_config_names_every_column_and_no_other():
    config = json.loads((ROOT / "configs/real.json").read_text())
    named = {
        Path(one["file"]).stem
        for sweep in config["sweeps"]
        for one in sweep["distributions"]
        if isinstance(one, dict) and one["if_absent"]
    }
    assert named == {name for source in real_columns.SOURCES for name in source.columns} | set(real_columns.SOSD)


def run_config(folder, *distributions, **members):
    sweep = {"algorithms": ["std_sort"], "distributions": list(distributions), **members}
    protocol = {"samples": 2, "processes": 1}
    (folder / "c.json").write_text(json.dumps({"name": "c", "protocol": protocol, "sweeps": [sweep]}))
    command = [str(SORTLAB), "run", str(folder / "c.json"), "--out", str(folder / "c.jsonl")]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_an_absent_file_is_left_out_with_the_way_to_get_it(tmp_path):
    np.save(tmp_path / "there.npy", np.arange(1000, dtype="<u4"))
    there, absent = ({"file": f"{name}.npy", "if_absent": "make it by hand"} for name in ("there", "absent"))
    done = run_config(tmp_path, there, absent, "uniform")
    assert done.returncode == 0, done.stderr
    assert "left out: absent.npy is not there: make it by hand" in done.stderr and "there.npy is" not in done.stderr
    records = [json.loads(line) for line in (tmp_path / "c.jsonl").read_text().splitlines()]
    inputs = [record["case"]["distribution"] for record in records if record["kind"] == "measurement"]
    assert sorted(text.split(",")[0] for text in inputs) == ["file:name=there.npy", "uniform"]
    # Without any of its files a sweep is empty, and an error only where nothing excuses it.
    (tmp_path / "c.jsonl").unlink()
    done = run_config(tmp_path, absent, "uniform")
    assert done.returncode == 0 and "left out: absent.npy" in done.stderr, done
    done = run_config(tmp_path, {"file": "absent.npy"}, "uniform")
    assert done.returncode == 2 and "No such file" in done.stderr
    done = run_config(tmp_path, {"file": "absent.npy", "if_absent": 7})
    assert done.returncode == 2 and "if_absent" in done.stderr
