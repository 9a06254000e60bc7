"""Files of keys as inputs: measured, predicted, counted, never named by their path; damaged ones cost one line."""

import hashlib
import json
import os
import random
import re
import resource
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
CALIBRATED = ROOT / "results/reference/intel-xeon-graniterapids-2c-47e04dc8/profile.json"
TYPES = {"u32": "<u4", "u64": "<u8", "i32": "<i4", "i64": "<i8", "f32": "<f4", "f64": "<f8"}


def sortlab(*words, **options):
    command = [str(SORTLAB), *(str(word) for word in words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def measured(*words, sort="std_sort", **options):
    done = sortlab("bench", "-a", sort, "--samples", 3, "--json", *words, **options)
    assert done.returncode == 0, done.stderr
    return [record for record in lines(done.stdout) if record["kind"] == "measurement"]


def refused(*words, **options):
    """The one line that the program says, without its name."""
    done = sortlab(*words, **options)
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("sortlab: "), done.stderr
    return done.stderr.removeprefix("sortlab: ").strip()


def digest(keys):
    """The digest of an array, made without Sortlab."""
    name = next(name for name, type_ in TYPES.items() if keys.dtype.str == type_)
    content = keys.tobytes()
    chunk = 1 << 20
    leaves = [hashlib.sha256(content[at : at + chunk]).hexdigest() for at in range(0, len(content), chunk)]
    text = f"sortlab keys 1\n{name}\n{len(keys)}\n" + "".join(leaf + "\n" for leaf in leaves)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(47)


@pytest.mark.parametrize("name", TYPES)
def test_a_file_gives_type_number_and_digest(tmp_path, rng, name):
    keys = rng.integers(0, 1 << 31, 300_001).astype(TYPES[name])
    np.save(tmp_path / "keys.npy", keys)
    (record,) = measured("--input", tmp_path / "keys.npy")
    case = record["case"]
    assert (case["key_type"], case["n"]) == (name, 300_001)
    assert case["distribution"] == f"file:name=keys.npy,digest={digest(keys)}"
    assert record["protocol"]["input"] == "same" and set(record["inputs"]) == {0}


def test_no_record_holds_a_path_and_a_moved_file_is_the_same_cell(tmp_path, rng):
    here, there = tmp_path / "here", tmp_path / "there"
    keys = rng.integers(0, 1 << 60, 5000)
    for folder in (here, there):
        folder.mkdir()
        np.save(folder / "keys.npy", keys)
    ways = [("--input", f"{here}/keys.npy"), (f"--input={there}/keys.npy",), ("-d", f"file:{here}/keys.npy")]
    cells = set()
    for number, way in enumerate(ways):
        out = tmp_path / f"{number}.jsonl"
        (record,) = measured(*way, "--out", out)
        cells.add(record["cell"])
        commands = [r["asked"]["command"] for r in lines(out.read_text()) if r["kind"] == "run"]
        assert not [word for word in commands[0] if f"{here}" in word or f"{there}" in word]
        without_command = [r for r in lines(out.read_text()) if r["kind"] != "run"]
        assert str(here) not in json.dumps(without_command)
    assert len(cells) == 1


def test_fewer_keys_are_another_part_for_each_sample(tmp_path):
    keys = np.arange(200_000, dtype="<u4")
    np.save(tmp_path / "keys.npy", keys)
    dump = tmp_path / "dump"
    (record,) = measured("--input", tmp_path / "keys.npy", "-n", 1000, "--dump", dump)
    assert record["protocol"]["input"] == "fresh" and len(set(record["inputs"])) > 1
    (manifest,) = [json.loads(line) for line in (dump / "manifest.jsonl").read_text().splitlines()]
    part = np.load(next(dump.glob("*input*.npy")))
    assert (np.diff(part) == 1).all() and len(part) == 1000, manifest
    (record,) = measured("--input", f"{tmp_path}/keys.npy,sample=yes", "-n", 1000)
    assert record["case"]["distribution_parameters"]["sample"] == "yes"
    (record,) = measured("--input", f"{tmp_path}/keys.npy,window=7", "-n", 1000)
    assert record["protocol"]["input"] == "same"


def test_several_files_are_swept_each_with_its_own_type_and_number(tmp_path, rng):
    np.save(tmp_path / "a.npy", rng.integers(0, 99, 3000).astype("<u8"))
    np.save(tmp_path / "b.npy", rng.random(2000).astype("<f4"))
    raw = rng.integers(0, 1 << 31, 1000).astype("<i8")
    raw.tofile(tmp_path / "c.bin")
    found = {
        (r["case"]["key_type"], r["case"]["n"], r["case"]["distribution"].split(",")[0])
        for r in measured("--input", tmp_path / "a.npy", "--input", tmp_path / "b.npy", "-d", "uniform")
    }
    assert found == {
        ("u64", 3000, "file:name=a.npy"),
        ("f32", 2000, "file:name=b.npy"),
        ("u64", 3000, "uniform"),
        ("f32", 2000, "uniform"),
    }
    (record,) = measured("--input", f"{tmp_path}/c.bin,sample=yes", "--key", "i64", "-n", 10)
    assert record["case"]["distribution_parameters"]["sample"] == "yes"
    (record,) = measured("--input", tmp_path / "c.bin", "--key", "i64")
    assert record["case"]["distribution"].endswith(digest(raw))


def test_lines_of_text_are_string_keys(tmp_path):
    words = [f"word {i * 7919 % 5003}" for i in range(5003)]
    (tmp_path / "words.txt").write_text("\n".join(words))
    bench = ["bench", "-a", "satish_records", "-a", "std_string_sort", "--samples", 3, "--json"]
    done = sortlab(*bench, "--input", tmp_path / "words.txt", "--key", "string", "--dump", tmp_path / "dump")
    records = [r for r in lines(done.stdout) if r["kind"] == "measurement"]
    assert {(r["case"]["key_type"], r["case"]["n"], r["status"]) for r in records} == {("string", 5003, "ok")}
    assert all(r["case"]["distribution"].startswith("lines:name=words.txt,digest=") for r in records)
    checked = sortlab("check", tmp_path / "dump", env={**os.environ, "SORTLAB_ROOT": str(ROOT)})
    assert checked.returncode == 0 and "2 of 2 sorts are right" in checked.stdout, checked
    config = {
        "name": "own",
        "protocol": {"samples": 3},
        "sweeps": [
            {"algorithms": ["std_string_sort"], "n": [100], "distributions": [{"file": "words.txt", "key": "string"}]}
        ],
    }
    (tmp_path / "own.json").write_text(json.dumps(config))
    done = sortlab("run", tmp_path / "own.json", "--out", tmp_path / "own.jsonl")
    assert done.returncode == 0, done.stderr
    kept = lines((tmp_path / "own.jsonl").read_text())
    assert [(r["case"]["n"], r["status"]) for r in kept if r["kind"] == "measurement"] == [(100, "ok")]
    (record,) = measured(
        "--input", f"{tmp_path}/words.txt,sample=yes", "-k", "string", "-n", 50, sort="std_string_sort"
    )
    assert record["status"] == "ok" and record["case"]["distribution_parameters"]["sample"] == "yes"
    said = refused("bench", "-a", "std_sort", "--input", tmp_path / "words.txt", "--key", "f16")
    assert "'f16'" in said and "string" in said
    assert "for lines of text --key string" in refused("bench", "-a", "std_sort", "--input", tmp_path / "words.txt")
    many = ("--key", "string", "-n", 5004)
    assert "holds 5003 lines" in refused("bench", "-a", "std_string_sort", "--input", tmp_path / "words.txt", *many)


@pytest.mark.parametrize("sort, key, kind", [("std_sort", "u32", "file"), ("std_string_sort", "string", "lines")])
def test_a_file_without_a_name_is_asked_for_in_the_form_of_its_kind(sort, key, kind):
    done = sortlab("bench", "-a", sort, "-k", key, "-d", kind, "-n", "10")
    assert done.stderr.endswith(f"names no file; allowed: {kind}:PATH\n")


def test_a_config_names_columns(tmp_path, rng):
    rows = np.zeros(4000, dtype=[("a", "<f8"), ("pad", "V3"), ("b", "<u4")])
    rows["a"], rows["b"] = rng.random(4000), 7
    np.save(tmp_path / "rows.npy", rows)
    config = {
        "name": "own",
        "protocol": {"samples": 3},
        "sweeps": [{"algorithms": ["std_sort"], "distributions": [{"file": "rows.npy", "column": "a", "value": "b"}]}],
    }
    (tmp_path / "own.json").write_text(json.dumps(config))
    out = tmp_path / "own.jsonl"
    done = sortlab("run", tmp_path / "own.json", "--out", out, cwd="/")
    assert done.returncode == 0, done.stderr
    (record,) = [r for r in lines(out.read_text()) if r["kind"] == "measurement"]
    case = record["case"]
    assert (case["key_type"], case["value_type"], case["n"]) == ("f64", "u32", 4000)
    assert case["distribution"] == f"file:name=rows.npy,column=a,digest={digest(rows['a'].copy())}"
    # Resumed, nothing is left to measure.
    again = sortlab("run", tmp_path / "own.json", "--out", out)
    assert again.returncode == 0 and len([r for r in lines(out.read_text()) if r["kind"] == "measurement"]) == 1


@pytest.mark.parametrize("n", [1 << 18, 5 << 20])  # the second takes more than the 16 MiB that a view makes
def test_files_are_predicted_from_their_own_keys(tmp_path, rng, n):
    keys = rng.integers(0, 1 << 32, n).astype("<u4")
    as_distribution = {
        "uniform": keys,
        "constant": np.full(n, 5, dtype="<u4"),
        "sorted": np.sort(keys),
        "thearling": keys & rng.permutation(keys) & rng.permutation(keys),
    }
    words = ["predict", "--machine", CALIBRATED, "--json", "-n", n]
    for name, array in as_distribution.items():
        np.save(tmp_path / f"{name}.npy", array)
        words += ["--input", tmp_path / f"{name}.npy", "-d", name]
    for seed in range(1, 7):  # other keys of the same distribution, for which predictions differ by 2 %
        words += ["--seed", seed]
    seconds = {}
    # `auto` would be this processor's instructions, which the calibrated one may not have been timed with.
    for sort in (["-a", "msd_radix_cpu", "--param", "target=avx512"], ["-a", "satish_cpu_radix"]):
        done = sortlab(*words, *sort)
        assert done.returncode == 0, done.stderr
        for record in lines(done.stdout):
            case = record["case"]
            name = re.split("[:,]", case["distribution"].removeprefix("file:name="))[0]
            seconds.setdefault((case["algorithm"], name), []).append(record["seconds"])
    for algorithm in ("msd_radix_cpu", "satish_cpu_radix"):
        for name in as_distribution:
            made, of_file = seconds[algorithm, name], seconds[algorithm, f"{name}.npy"]
            assert 0.98 * min(made) < min(of_file) <= max(of_file) < 1.02 * max(made), (algorithm, name)
    assert max(seconds["msd_radix_cpu", "sorted.npy"]) < 0.9 * min(seconds["msd_radix_cpu", "uniform.npy"])


def test_a_file_that_changes_under_a_run_costs_its_cells(tmp_path, rng):
    keys = rng.integers(0, 1 << 31, 1 << 20).astype("<u4")
    path = tmp_path / "keys.npy"
    np.save(path, keys)

    def change():
        time.sleep(1.5)
        with path.open("r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"\0\0\0\0")

    changing = threading.Thread(target=change)
    changing.start()
    done = sortlab("bench", "-a", "std_sort", "--json", "--input", path, "-n", 1 << 16, "--samples", 100_000)
    changing.join()
    (record,) = [r for r in lines(done.stdout) if r["kind"] == "measurement"]
    assert done.returncode == 1 and record["status"] == "failed"
    # Found either by the next reading, or by the one that it overtook.
    assert record["reason"] in [
        f"file keys.npy: changed {when}" for when in ("after it was read first", "while it was read")
    ]
    assert record["reason_code"] == "no_input"


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path):
    bench = ["bench", "-a", "std_sort", "--input"]
    keys = np.arange(1000, dtype="<u4")
    np.save(tmp_path / "keys.npy", keys)
    assert "holds 1000 keys, not 1001" in refused(*bench, tmp_path / "keys.npy", "-n", 1001)
    assert "holds u32, not u64" in refused(*bench, tmp_path / "keys.npy", "-k", "u64")
    assert "holds 1000 keys, not 999 from key 2 on" in refused(*bench, f"{tmp_path}/keys.npy,window=2", "-n", 999)
    for array, text in [
        (keys.astype(">u4"), "big-endian"),
        (keys.reshape(10, 100), "2 dimensions"),
        (np.asfortranarray(keys.reshape(10, 100)), "Fortran order"),
        (keys.astype("<i2"), "<i2, which no sort takes; cast it in NumPy: .astype('<i4')"),
        (keys.astype("<M8[s]"), ".view('<i8')"),
        (keys.astype("<c16"), "<c16"),
        (keys.astype("S4"), "|S4"),
        (keys.astype(object), "Python objects"),
        (keys.astype(bool), ".astype('<u4')"),
    ]:
        np.save(tmp_path / "odd.npy", array)
        assert text in refused(*bench, tmp_path / "odd.npy")
    (tmp_path / "odd.bin").write_bytes(b"12345")
    assert "no multiple of the 4 bytes of f32" in refused(*bench, tmp_path / "odd.bin", "-k", "f32")
    assert "add their type" in refused(*bench, tmp_path / "odd.bin")
    assert "No such file" in refused(*bench, tmp_path / "none.npy")
    assert "is a folder" in refused(*bench, tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "is a pipe" in refused(*bench, tmp_path / "pipe")
    huge = tmp_path / "huge.bin"
    with huge.open("wb") as file:
        file.truncate(1 << 28)  # a hole: takes no disk
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # noqa: E731
    said = refused(*bench, huge, "-k", "u32", "--value", "u64", preexec_fn=limit)
    assert "-n takes fewer of the file's keys" in said


def damaged(content, draw):
    """`content` with a change that a disk, a transfer or somebody malicious makes in its first part."""
    content = bytearray(content)
    header = min(len(content), 128)
    for _ in range(draw.choice([1, 1, 2, 4])):
        at = draw.randrange(header)
        way = draw.randrange(5)
        if way == 0:
            content[at] = draw.randrange(256)
        elif way == 1:
            del content[draw.randrange(len(content)) :]
        elif way == 2:
            content[at:at] = draw.choice(
                [b"(", b")", b"'", b"[", b",", b"9", b"-", b"\0", b"True", b"|O", b">", b"\xff"]
            )
        elif way == 3:
            del content[at : at + draw.randrange(1, 8)]
        else:
            content[at:at] = content[draw.randrange(header) :][:8]
        header = min(len(content), 128)
        if header == 0:
            break
    return bytes(content)


def test_damaged_files_are_read_right_or_cost_one_line(tmp_path):
    draw = random.Random(47)
    keys = np.arange(64, dtype="<u4") * 2654435761 % 1000003
    rows = np.zeros(32, dtype=[("a", "<u4"), ("b", "<f8")])
    rows["a"] = keys[:32]
    contents = []
    for array, column in ((keys.astype("<u4"), ""), (rows, ",column=a")):
        np.save(tmp_path / "whole.npy", array)
        contents.append(((tmp_path / "whole.npy").read_bytes(), column))

    def answer(number):
        content, column = contents[number % 2]
        path = tmp_path / f"{number}.npy"
        path.write_bytes(damages[number])
        done = sortlab("predict", "-a", "satish_cpu_radix", "--machine", "core_i7", "--input", f"{path}{column}")
        # A file that was read is named with type, number of keys and digest, whether a model predicts it or not.
        told = re.search(rf" ({'|'.join(TYPES)}) n=(\d+) file:\S*digest=([0-9a-f]{{16}})", done.stdout + done.stderr)
        if told is None:
            assert done.returncode == 2 and done.stdout == "", done
            assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"sortlab: file {path}: "), done
            return 1
        array = np.load(path, allow_pickle=False)
        array = np.ascontiguousarray(array["a"] if column else array)
        assert (TYPES[told[1]], int(told[2]), told[3]) == (array.dtype.str, len(array), digest(array))
        return 0

    files = 1000 if os.environ.get("SORTLAB_FULL") else 300
    damages = [damaged(contents[number % 2][0], draw) for number in range(files)]
    with ThreadPoolExecutor(2) as pool:
        refusals = sum(pool.map(answer, range(files)))
    assert files / 2 < refusals < files
