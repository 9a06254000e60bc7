"""The checker of dumped sorts says what is wrong with each, and knows nothing of Sortlab."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from plots.check import main

ROOT = Path(__file__).resolve().parents[2]
N = 1000
RANDOM = np.random.default_rng(1)
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.5, -1.5])


def numbers(key_type: str) -> np.ndarray:
    if key_type[0] == "f":
        return np.resize(SPECIAL, N).astype(f"float{key_type[1:]}")
    low = -50 if key_type[0] == "i" else 0
    return RANDOM.integers(low, 50, N).astype(("int" if low else "uint") + key_type[1:])


def total_order(keys: np.ndarray) -> np.ndarray:
    """Keys mapped to their order in another way than the checker's: signed integers by sign and magnitude."""
    if keys.dtype.kind != "f":
        return np.argsort(keys, kind="stable")
    bits = keys.view(f"int{8 * keys.itemsize}").astype(object)
    magnitude = bits & ((1 << (8 * keys.itemsize - 1)) - 1)
    order = [(-m - 1 if b < 0 else m, i) for i, (b, m) in enumerate(zip(bits, magnitude))]
    return np.array([i for _, i in sorted(order)])


def dump(
    folder: Path, key_type: str = "u32", value_type: str = "u32", arrays: dict = {}, payloads: bool = False, **changes
) -> Path:
    """A sort as it must be, but for the arrays and members given."""
    keys = numbers(key_type) if key_type not in ("u128", "string") else None
    made = {}
    if key_type == "u128":
        words = RANDOM.integers(0, 10, (N, 2)).astype("uint64")
        order = np.lexsort((words[:, 0], words[:, 1]))
        made = {"input.keys": words, "output.keys": words[order]}
    elif key_type == "string":
        texts = [bytes(RANDOM.integers(0, 3, RANDOM.integers(0, 5)).tolist()) for _ in range(N)]
        order = np.array(sorted(range(N), key=lambda i: (texts[i], i)))
        for side, strings in (("input", texts), ("output", [texts[i] for i in order])):
            made[f"{side}.keys"] = np.frombuffer(b"".join(strings), "uint8")
            made[f"{side}.offsets"] = np.cumsum([0, *map(len, strings)]).astype("uint64")
        if payloads:
            texts = [b"%d" % (i % 7) * (i % 3) for i in range(N)]
            for side, strings in (("input", texts), ("output", [texts[i] for i in order])):
                made[f"{side}.payloads"] = np.frombuffer(b"".join(strings), "uint8")
                made[f"{side}.payload_offsets"] = np.cumsum([0, *map(len, strings)]).astype("uint64")
    else:
        order = total_order(keys)
        made = {"input.keys": keys, "output.keys": keys[order]}
    if value_type != "none":
        values = np.arange(N).astype("uint" + value_type[1:])
        made.update({"input.values": values, "output.values": values[order]})
    made.update({name: change(made[name]) for name, change in arrays.items()})
    sides: dict = {"input": {}, "output": {}}
    for name, array in made.items():
        side, what = name.split(".")
        sides[side][what] = f"{name}.npy"
        np.save(folder / f"{name}.npy", array)
    sort = {"schema": 1, "algorithm": "a_sort", "key_type": key_type, "value_type": value_type, "n": N, "seed": 1}
    sort.update({"cell": "0123456789abcdef", "digest": "0" * 16, "stable": value_type != "none", **sides, **changes})
    (folder / "manifest.jsonl").write_text(json.dumps(sort) + "\n")
    return folder


@pytest.mark.parametrize("value_type", ["none", "u32", "u64"])
@pytest.mark.parametrize("key_type", ["u32", "u64", "i32", "i64", "f32", "f64", "u128", "string"])
def test_a_right_sort_is_right(tmp_path, capsys, key_type, value_type):
    assert main([str(dump(tmp_path, key_type, value_type))]) == 0
    assert "right  a_sort" in capsys.readouterr().out


def swapped(i: int, j: int):
    def change(array: np.ndarray) -> np.ndarray:
        array = array.copy()
        array[[i, j]] = array[[j, i]]
        return array

    return change


def one_more(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array[-1] += 1
    return array


@pytest.mark.parametrize(
    "arrays, says",
    [
        ({"output.keys": swapped(0, -1), "output.values": swapped(0, -1)}, "not sorted: key 1 is below"),
        ({"output.keys": one_more}, "no permutation"),
        ({"output.values": swapped(0, -1)}, "not paired"),
        ({"output.values": one_more}, "not paired"),
        ({"output.values": swapped(0, 1)}, "not stable"),
        ({"output.keys": lambda keys: keys[:-1]}, "output: 999 keys, not 1000"),
        ({"output.values": lambda values: values[:-1]}, "1000 and 999 values"),
    ],
)
def test_a_wrong_sort_is_wrong(tmp_path, capsys, arrays, says):
    assert main([str(dump(tmp_path, arrays=arrays))]) == 1
    said = capsys.readouterr().out
    assert "WRONG" in said and says in said and "0 of 1 sorts are right" in said


def test_an_unstable_sort_that_claims_nothing_is_right(tmp_path):
    assert main([str(dump(tmp_path, arrays={"output.values": swapped(0, 1)}, stable=False))]) == 0


@pytest.mark.parametrize("key_type", ["u32", "f64", "u128", "string"])
def test_no_keys_are_sorted(tmp_path, key_type):
    nothing = {f"{side}.{what}": lambda a: a[:0] for side in ("input", "output") for what in ("keys", "values")}
    if key_type == "string":
        nothing |= {f"{side}.offsets": lambda a: a[:1] for side in ("input", "output")}
    assert main([str(dump(tmp_path, key_type, arrays=nothing, n=0))]) == 0


def test_strings_may_have_payloads(tmp_path, capsys):
    assert main([str(dump(tmp_path, "string", "none", payloads=True, stable=True))]) == 0
    damaged = {"output.payloads": lambda text: np.roll(text, 1)}
    assert main([str(dump(tmp_path, "string", "none", damaged, payloads=True, stable=True))]) == 1
    assert "not paired" in capsys.readouterr().out
    shorter = {"output.payload_offsets": lambda ends: ends[:-1]}
    assert main([str(dump(tmp_path, "string", "none", shorter, payloads=True))]) == 2
    assert "payload_offsets must ascend" in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes, says",
    [
        ({"n": -1}, "n must be an integer"),
        ({"n": 1e3}, "n must be an integer"),
        ({"key_type": "u33"}, "key_type must be one of u32"),
        ({"key_type": "u64"}, "input: keys must be an array of uint64"),
        ({"value_type": ["u32"]}, "value_type must be one of none"),
        ({"stable": None}, "stable must be true or false"),
        ({"input": "keys.npy"}, "input must be an object"),
        ({"input": {"keys": "../input.keys.npy"}}, "input: keys must be the name of a file in the folder"),
        ({"input": {"keys": "a\0"}}, "input: keys must be the name of a file in the folder"),
        ({"input": {"keys": "none\x1b.npy"}}, ".npy: No such file or directory; must be a whole .npy file of uint32"),
        ({"input": {"keys": "manifest.jsonl"}}, "manifest.jsonl: damaged; must be a whole .npy file of uint32"),
    ],
)
def test_a_dump_that_cannot_be_read_is_one_line(tmp_path, capsys, changes, says):
    assert main([str(dump(tmp_path))]) == 0
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), **changes}) + "\n")
    capsys.readouterr()
    assert main([str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err[:-1].isprintable() and says in said.err


def test_a_folder_without_a_manifest_and_a_truncated_array_are_named(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    says = "manifest.jsonl: No such file or directory; must be in a folder that sortlab bench --dump wrote\n"
    assert capsys.readouterr().err == f"check: {tmp_path}/{says}"
    keys = dump(tmp_path) / "input.keys.npy"
    keys.write_bytes(keys.read_bytes()[:-8])
    assert main([str(tmp_path)]) == 2
    says = f"sort 1: input: keys: {keys}: damaged; must be a whole .npy file of uint32\n"
    assert capsys.readouterr().err == f"check: {tmp_path}/manifest.jsonl: {says}"


@pytest.mark.parametrize("text", [b"", b"[1]\n", b"\xff\n", b"{\n", b"[" * 100000 + b"\n"])
def test_a_manifest_that_is_none_is_one_line(tmp_path, capsys, text):
    (tmp_path / "manifest.jsonl").write_bytes(text)
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_it_runs_with_nothing_of_sortlab(tmp_path):
    dump(tmp_path)
    script = (
        "import sys, plots.check; sys.exit(any(n.startswith('plots.') and n != 'plots.check' for n in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0
    done = subprocess.run([sys.executable, "-m", "plots.check", tmp_path], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.endswith("1 of 1 sorts are right\n")
    assert subprocess.run([sys.executable, "-m", "plots.check"], cwd=ROOT, capture_output=True).returncode == 2


def unit_float(key: np.float32, smallest: Fraction, largest: Fraction) -> np.float32:
    """Expected result for moderate keys: each fused step is exact until it is rounded."""
    scale = Fraction(float(np.float32(0.5 / float(largest - smallest))))
    moved = Fraction(float(nearest(Fraction(float(key)) - smallest)))
    return min(max(nearest(moved * scale + Fraction(1, 2)), np.float32(0.5)), np.float32(1 - 2.0**-24))


def nearest(exact: Fraction) -> np.float32:
    """The float next to it, the even one of two; float() rounds to a double first, which may miss it."""
    near = np.float32(float(exact))
    around = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    return min(around, key=lambda f: (abs(Fraction(float(f)) - exact), int(f.view("uint32")) & 1))


def test_a_sort_by_less_than_the_whole_key_is_held_to_what_it_sorts_by(tmp_path, capsys):
    keys = np.unique(np.concatenate([RANDOM.normal(0, 1, N), RANDOM.normal(0, 1e-7, N)]).astype("float32"))[:N]
    RANDOM.shuffle(keys)
    low, high = Fraction(float(keys.min())), Fraction(float(keys.max()))
    image = np.array([unit_float(key, low, high) for key in keys])
    by_image = np.argsort(image, kind="stable")
    assert np.any(np.diff(keys[by_image]) < 0), "some keys with one image descend, or this would show nothing"
    for name, made in {
        "input.keys": keys,
        "input.values": np.arange(N, dtype="uint32"),
        "output.keys": keys[by_image],
        "output.values": by_image.astype("uint32"),
    }.items():
        np.save(tmp_path / f"{name}.npy", made)
    sort = {"algorithm": "a_sort", "key_type": "f32", "value_type": "u32", "n": N, "stable": True, "cell": "0"}
    sort |= {side: {what: f"{side}.{what}.npy" for what in ("keys", "values")} for side in ("input", "output")}

    def verdict(order):
        (tmp_path / "manifest.jsonl").write_text(json.dumps(sort | {"order": order}) + "\n")
        return main([str(tmp_path)]), capsys.readouterr()

    assert verdict({"unit_floats": True, "shift": 0, "bits": 23})[0] == 0
    assert verdict({"unit_floats": True, "shift": 0, "bits": 32})[0] == 0
    status, said = verdict(None)
    assert status == 1 and "not sorted" in said.out
    for bad in (7, {}, {"unit_floats": True, "shift": -1, "bits": 1}, {"unit_floats": False, "shift": 0, "bits": 1e9}):
        status, said = verdict(bad)
        assert status == 2 and "order" in said.err


def test_some_bits_of_keys_are_an_order_of_any_number(tmp_path, capsys):
    for key_type in ("u32", "i64", "u128"):
        folder = tmp_path / key_type
        folder.mkdir()
        shown = {"unit_floats": False, "shift": 2, "bits": 200}
        assert main([str(dump(folder, key_type, order=shown))]) == 2
        assert "order: shift and bits" in capsys.readouterr().err
        # Sorted by all bits is sorted by the upper ones; stable by them it is only where no two keys differ below.
        dump(folder, key_type, order=shown | {"bits": 126}, stable=False)
        assert main([str(folder)]) == 0
        dump(folder, key_type, order=shown | {"bits": 126})
        assert main([str(folder)]) == 1 and "not stable" in capsys.readouterr().out
