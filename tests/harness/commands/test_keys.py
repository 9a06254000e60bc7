"""`sortlab keys`: descriptions against NumPy's, their picture, and columns of other formats."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))


def sortlab(*words, python="/usr/bin/python3"):
    command = [str(SORTLAB), *(str(word) for word in words)]
    environment = {**os.environ, "SORTLAB_PYTHON": python, "SORTLAB_ROOT": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


def described(path, *words):
    done = sortlab("keys", "describe", path, "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def ordered(keys):
    """The unsigned patterns whose order is the keys'."""
    width = keys.dtype.itemsize * 8
    bits = keys.view(f"<u{width // 8}")
    sign = bits.dtype.type(1 << (width - 1))
    if keys.dtype.kind == "f":
        return np.where(bits & sign, ~bits, bits | sign)
    return bits ^ sign if keys.dtype.kind == "i" else bits


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(4)
    n = 300_000
    floats = rng.normal(size=n)
    floats[:7], floats[7:10], floats[10] = np.nan, np.inf, -0.0
    return {
        "uniform": rng.integers(0, 1 << 64, n, dtype=np.uint64),
        "small": rng.integers(0, 1000, n).astype("<u4"),
        "walk": np.cumsum(rng.integers(-5, 6, n)).astype("<i4"),
        "sorted": np.sort(rng.integers(0, 1 << 31, n).astype("<i8")),
        "floats": floats,
        "singles": rng.random(n).astype("<f4"),
        "equal": np.full(n, 7, dtype="<u4"),
        "one": np.array([5], dtype="<u8"),
    }


@pytest.mark.parametrize("name", ["uniform", "small", "walk", "sorted", "floats", "singles", "equal", "one"])
def test_a_description_is_what_numpy_counts(tmp_path, arrays, name):
    keys = arrays[name]
    np.save(tmp_path / "keys.npy", keys)
    found = described(tmp_path / "keys.npy")
    bits = ordered(keys)
    width = keys.dtype.itemsize * 8
    assert found["n"] == len(keys) and len(found["bit_shares"]) == width
    for place, share in enumerate(found["bit_shares"]):
        at = bits.dtype.type(width - 1 - place)
        assert share == pytest.approx(float(((bits >> at) & bits.dtype.type(1)).mean()), abs=1e-12)
    for place, value in enumerate(found["digit_entropies"]):
        at = bits.dtype.type(width - 8 - 8 * place)
        digits = (bits >> at & bits.dtype.type(255)).astype(int)
        assert value == pytest.approx(entropy(np.bincount(digits, minlength=256)), abs=1e-9)
    values, counts = np.unique(bits, return_counts=True)
    assert found["distinct"] == {"value": len(values), "error": 0}  # small files are counted, not estimated
    assert found["most_frequent"]["value"] == pytest.approx(counts.max() / len(keys))
    assert found["runs"] == int((bits[1:] < bits[:-1]).sum()) + 1
    assert found["repeats"] == pytest.approx(float((bits[1:] == bits[:-1]).mean()) if len(keys) > 1 else 0)
    if keys.dtype.kind == "f":
        facts = (np.isnan(keys).sum(), np.isinf(keys).sum(), (keys == 0).sum())
        assert (found["nan"], found["infinite"], found["zeros"]) == facts
    else:
        assert (found["smallest"], found["largest"]) == (str(keys.min()), str(keys.max()))


def test_the_order_and_the_nearest_inputs_are_found(tmp_path, arrays):
    nearest, inversions = {}, {}
    for name, keys in (*arrays.items(), ("reverse", arrays["sorted"][::-1].copy())):
        np.save(tmp_path / "keys.npy", keys)
        found = described(tmp_path / "keys.npy")
        nearest[name], inversions[name] = found["nearest"][0], found["inversions"]["value"]
    assert (inversions["sorted"], inversions["reverse"]) == (0, pytest.approx(1, abs=1e-3))
    assert inversions["uniform"] == pytest.approx(0.5, abs=0.01)
    assert nearest["uniform"]["distribution"] == "uniform" and nearest["uniform"]["distance"] < 0.05
    assert nearest["equal"]["distribution"] in ("constant", "zero") or nearest["equal"]["order"] == 0
    assert nearest["small"]["distribution"] == "uniform:range_bits=10"
    assert nearest["walk"]["distance"] > 0.2  # like none of them


def test_a_large_file_is_estimated_within_its_error(tmp_path):
    rng = np.random.default_rng(5)
    keys = rng.integers(0, 700_000, 3_000_000).astype("<u8")
    keys[rng.random(len(keys)) < 0.1] = 12345
    np.save(tmp_path / "keys.npy", keys)
    found = described(tmp_path / "keys.npy")
    values, counts = np.unique(keys, return_counts=True)
    for name, exact in (("distinct", len(values)), ("most_frequent", counts.max() / len(keys))):
        assert 0 < found[name]["error"] and abs(found[name]["value"] - exact) < 2 * found[name]["error"]
    assert found["runs"] == int((keys[1:] < keys[:-1]).sum()) + 1  # across the chunks of the file


def test_lines_and_picture(tmp_path, arrays):
    rows = np.zeros(5000, dtype=[("delay", "<i4"), ("x", "<f8")])
    rows["delay"] = arrays["walk"][:5000]
    np.save(tmp_path / "rows.npy", rows)
    done = sortlab("keys", "describe", tmp_path / "rows.npy", "--column", "delay", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("rows.npy: delay: 5000 keys of type i32, digest ")
    assert "nearest inputs" in done.stdout and done.stdout.endswith(f"{tmp_path}/out/keys.svg\n")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"keys.json", "keys.svg", "keys.png", "keys.pdf"}
    assert (tmp_path / "out/keys.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "raw.bin").write_bytes(arrays["small"].tobytes())
    assert described(tmp_path / "raw.bin", "--key", "u32")["n"] == 300_000


@pytest.mark.parametrize(
    "words, text",
    [
        (["describe", "{tmp}/none.npy"], "No such file"),
        (["describe", "{tmp}/empty.npy"], "holds no keys"),
        (["describe", "{tmp}/empty.npy", "--column", "a"], "has no columns"),
        (["convert", "{tmp}/none.parquet", "--out", "{tmp}/o.npy"], "is no file"),
        (["convert", "{tmp}/empty.npy", "--out", "{tmp}/o.npy"], "its name must end in one of"),
        (["convert", "{tmp}/a.csv"], "--out"),
        (["describe", "{tmp}/empty.npy", "--key", "u33"], "unknown type"),
    ],
)
def test_bad_input_is_one_line(tmp_path, words, text):
    np.save(tmp_path / "empty.npy", np.zeros(0, dtype="<u4"))
    done = sortlab("keys", *(word.format(tmp=tmp_path) for word in words))
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert text in done.stderr


def has_pyarrow(python):
    return subprocess.run([python, "-c", "import pyarrow"], capture_output=True).returncode == 0


def test_a_missing_library_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n")
    done = sortlab("keys", "convert", tmp_path / "a.csv", "--out", tmp_path / "o.npy")
    if has_pyarrow("/usr/bin/python3"):
        assert done.returncode == 0
    else:
        assert done.returncode == 2 and "pip install pyarrow" in done.stderr and done.stderr.count("\n") == 1


needs_pyarrow = pytest.mark.skipif(not has_pyarrow(sys.executable), reason="needs PyArrow")


@needs_pyarrow
def test_columns_of_tables_become_npy(tmp_path):
    import pyarrow
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    columns = {"a": np.arange(9, dtype="<i8"), "b": np.linspace(0, 1, 9).astype("<f4"), "c": np.ones(9, dtype="u1")}
    table = pyarrow.table(columns)
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    pyarrow.feather.write_feather(table, tmp_path / "t.feather")
    pyarrow.csv.write_csv(table, tmp_path / "t.csv")
    for number, file in enumerate(("t.parquet", "t.feather", "t.csv")):
        for name, words in (("a", []), ("b", []), ("c", ["--type", "u32"])):
            out = tmp_path / f"{number}{name}.npy"
            done = sortlab(
                "keys", "convert", tmp_path / file, "--column", name, *words, "--out", out, python=sys.executable
            )
            assert done.returncode == 0, done.stderr
            assert np.allclose(np.load(out), columns[name])
            assert described(out)["n"] == 9


WIDE = [*range((1 << 64) - 1000, 1 << 64)]  # as doubles all are equal


@needs_pyarrow
@pytest.mark.parametrize(
    "texts, words, type_",
    [
        (WIDE, [], "<u8"),
        (WIDE, ["--type", "u64"], "<u8"),
        ([1, 2, *WIDE], [], "<u8"),
        ([3] * 400_000 + WIDE, [], "<u8"),  # beyond the block from which PyArrow infers a type
        ([-(1 << 63), (1 << 63) - 1], [], "<i8"),
        ([(1 << 53) + 1], ["--type", "u64"], "<u8"),
        ([1 << 60, 5], ["--type", "f64"], "<f8"),
        (["0.5", "1e300", str(1 << 53)], [], "<f8"),
    ],
)
def test_integers_in_text_keep_all_bits(tmp_path, texts, words, type_):
    for separator, name in ((",", "t.csv"), ("\t", "t.tsv")):
        (tmp_path / name).write_text("a%sb\n" % separator + "".join(f"{text}{separator}x\n" for text in texts))
        out = tmp_path / f"{name}.npy"
        done = sortlab("keys", "convert", tmp_path / name, "--column", "a", *words, "--out", out, python=sys.executable)
        assert done.returncode == 0, done.stderr
        keys = np.load(out)
        assert keys.dtype.str == type_
        assert keys.tolist() == [float(text) if type_ == "<f8" else text for text in texts]


@needs_pyarrow
@pytest.mark.parametrize(
    "texts, words",
    [
        ([-1, (1 << 63) + 1], []),
        ([-1, 1 << 63], []),
        ([1 << 64], []),
        ([1 << 64], ["--type", "u64"]),
        ([-1], ["--type", "u64"]),
        (WIDE, ["--type", "i64"]),
        (WIDE, ["--type", "f64"]),
        ([(1 << 53) + 1], ["--type", "f64"]),
        (["0.5", (1 << 53) + 1], []),
    ],
)
def test_integers_in_text_that_no_type_holds_are_refused(tmp_path, texts, words):
    (tmp_path / "t.csv").write_text("a\n" + "".join(f"{text}\n" for text in texts))
    out = tmp_path / "o.npy"
    done = sortlab("keys", "convert", tmp_path / "t.csv", *words, "--out", out, python=sys.executable)
    assert done.returncode == 2 and not out.exists()
    assert done.stderr.count("\n") == 1 and ("--column: " in done.stderr or "--type " in done.stderr), done.stderr


@needs_pyarrow
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_cast_keeps_every_bit_or_is_refused(tmp_path, form):
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    write = pyarrow.parquet.write_table if form == "parquet" else pyarrow.feather.write_feather
    for number, (keys, type_, held) in enumerate(
        [
            (np.array([(1 << 53) + 1], "<i8"), "f64", False),
            (np.array([(1 << 64) - 1], "<u8"), "f64", False),
            (np.array([1 << 63, 7], "<u8"), "f64", True),
            (np.array([1 << 63], "<u8"), "i64", False),
            (np.array([-1], "<i8"), "u64", False),
            (np.array([(1 << 24) + 1], "<i4"), "f32", False),
            (np.array([2.0**64]), "u64", False),
            (np.array([2.0**63]), "i64", False),
            (np.array([2.0**63]), "u64", True),
            (np.array([np.nan]), "i64", False),
            (np.array([np.nan, np.inf, 0.5]), "f32", True),
            (np.array([0.1]), "f32", False),
        ]
    ):
        write(pyarrow.table({"a": keys}), tmp_path / f"t.{form}")
        out = tmp_path / f"{number}.npy"
        done = sortlab("keys", "convert", tmp_path / f"t.{form}", "--type", type_, "--out", out, python=sys.executable)
        assert (done.returncode == 0) == held == out.exists(), (keys, type_, done.stderr)
        if held:
            assert [*map(repr, np.load(out).astype(keys.dtype).tolist())] == [*map(repr, keys.tolist())]
        else:
            assert done.stderr.count("\n") == 1 and f"--type {type_}" in done.stderr


@needs_pyarrow
def test_columns_of_strings_become_lines(tmp_path):
    import pyarrow
    import pyarrow.parquet

    def converted(texts, name, *words):
        pyarrow.parquet.write_table(pyarrow.table({"s": texts}), tmp_path / "t.parquet")
        return sortlab(
            "keys", "convert", tmp_path / "t.parquet", *words, "--out", tmp_path / name, python=sys.executable
        )

    assert converted(["b", "", "ä"], "a.txt").returncode == 0
    assert (tmp_path / "a.txt").read_text() == "b\n\nä\n"
    assert converted(["b", None], "b.txt", "--skip-nulls").returncode == 0
    assert (tmp_path / "b.txt").read_text() == "b\n"
    for texts, name, words, text in [
        (["a", "b\nc"], "c.txt", [], "string 1 holds the end of a line"),
        (["a", None], "c.txt", [], "row 1 is empty"),
        (["a"], "c.npy", [], "whose name ends in .txt"),
        ([1], "c.txt", [], "whose name ends in .npy"),
        (["a"], "c.txt", ["--type", "u32"], "leave --type out"),
    ]:
        done = converted(texts, name, *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and text in done.stderr, done
        assert not (tmp_path / name).exists()


@needs_pyarrow
@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_damaged_tables_are_read_or_cost_one_line(tmp_path, form, capfd):
    """The command's own process is that of the test, since a thousand of them would take minutes."""
    import pyarrow
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    from plots.commands import convert_keys

    draw = random.Random(47)
    table = pyarrow.table({"a": np.arange(50), "b": np.arange(50) * 0.5, "s": [f"text {i}" for i in range(50)]})
    whole = tmp_path / f"whole.{form}"
    write = {
        "csv": pyarrow.csv.write_csv,
        "parquet": pyarrow.parquet.write_table,
        "arrow": pyarrow.feather.write_feather,
    }
    write[form](table, whole)
    content = whole.read_bytes()
    refused = 0
    for number in range(350):
        damaged = bytearray(content)
        for _ in range(draw.choice([1, 1, 3])):
            at = draw.randrange(len(damaged))
            way = draw.randrange(4)
            if way == 0:
                damaged[at] = draw.randrange(256)
            elif way == 1:
                del damaged[max(1, at) :]
            elif way == 2:
                damaged[at:at] = draw.choice([b"\0", b"\n", b",", b'"', b"\xff", b"9" * 30])
            else:
                del damaged[at : at + draw.randrange(1, 8)]
        column = draw.choice(["a", "b", "s"])
        path, out = tmp_path / f"damaged.{form}", tmp_path / f"{number}.{'txt' if column == 's' else 'npy'}"
        path.write_bytes(damaged)
        status = convert_keys.main([str(path), "--column", column, "--out", str(out)])
        said = capfd.readouterr().err
        assert status == 0 or (status == 2 and said.count("\n") == 1), (number, status, said)
        assert out.exists() == (status == 0)
        if status == 0 and column != "s":
            assert len(np.load(out)) >= 0
        refused += status != 0
    assert refused > 50
