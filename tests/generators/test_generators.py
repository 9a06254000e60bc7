"""Inputs as NumPy sees them, without our code: frequencies by chi-square, entropies, ranges, and loads of a sort."""

import json
import os
import subprocess
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
SEEDS = (1, 2, 12345)
SIZES = {"small": 1 << 14, "large": 300007}
TYPES = ("u32", "u64", "i32", "f32", "f64")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Makes inputs, each once, and remembers them: (distribution, key type, n, seed) to keys and the recorded case."""
    known = {}

    def keys(distribution, key="u32", n=SIZES["large"], seed=1):
        wanted = (distribution, key, n, seed)
        if wanted not in known:
            folder = tmp_path_factory.mktemp("dump") / "inputs"
            bench = [SORTLAB, "bench", "--algorithm", "std_sort", "--key", key, "--n", str(n), "--seed", str(seed)]
            bench += ["--dist", distribution, "--samples", "1", "--dump", folder]
            done = subprocess.run(
                bench, capture_output=True, text=True, timeout=120, env={**os.environ, "SORTLAB_ROOT": str(ROOT)}
            )
            assert (folder / "manifest.jsonl").exists(), done.stdout + done.stderr
            sort = json.loads((folder / "manifest.jsonl").read_text().splitlines()[0])
            known[wanted] = numpy.load(folder / sort["input"]["keys"]), sort["case"]
        return known[wanted]

    return keys


def chi_square(counts, expected):
    return float(((counts - expected) ** 2 / expected).sum())


def beyond(freedom):
    """A chi-square that is exceeded once in some 10^5, by Wilson and Hilferty."""
    return freedom * (1 - 2 / (9 * freedom) + 4.3 * numpy.sqrt(2 / (9 * freedom))) ** 3


def entropy(keys):
    counts = numpy.unique(keys, return_counts=True)[1]
    share = counts / counts.sum()
    return float(-(share * numpy.log2(share)).sum())


def unsigned(keys):
    """Keys as integers from 0, in their order: floats in [-1, 1) as 24 bits."""
    if keys.dtype.kind == "f":
        return ((keys.astype(numpy.float64) + 1) * 2**23).astype(numpy.uint64)
    if keys.dtype.kind == "i":
        return (keys.astype(numpy.int64) + 2**31).astype(numpy.uint64)
    return keys.astype(numpy.uint64)


def width(key):
    return 24 if key[0] == "f" else int(key[1:])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", TYPES)
def test_uniform_digits_are_even(made, key, seed):
    keys = unsigned(made("uniform", key, seed=seed)[0])
    for shift in (width(key) - 8, width(key) - 16, 0):
        counts = numpy.bincount(((keys >> numpy.uint64(shift)) & numpy.uint64(255)).astype(int), minlength=256)
        assert chi_square(counts, len(keys) / 256) < beyond(255), shift


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ands", [1, 2, 5])
def test_thearling_bits_are_ones_by_the_law(made, ands, seed):
    for key in ("u32", "u64"):
        keys, case = made(f"thearling:ands={ands}", key, seed=seed)
        probability = 2.0 ** -(ands + 1)
        ones = numpy.array([((keys >> keys.dtype.type(b)) & keys.dtype.type(1)).sum() for b in range(width(key))])
        expected = probability * len(keys)
        assert (((ones - expected) ** 2) / (expected * (1 - probability))).sum() < beyond(width(key))
        share = -probability * numpy.log2(probability) - (1 - probability) * numpy.log2(1 - probability)
        assert case["entropy_bits"] == pytest.approx(width(key) * share)


def test_what_the_readme_says_of_seeds_holds(made):
    """u64 uniform is the stream of u32 uniform, ANDs of a seed are nested, and no hashed rank depends on the seed."""
    narrow, wide = made("uniform", "u32", 2 << 14)[0], made("uniform", "u64", 1 << 14)[0]
    assert (wide.view(numpy.uint32) == narrow).all()
    one, two = made("thearling:ands=1", "u32")[0], made("thearling:ands=2", "u32")[0]
    assert ((one & two) == two).all()
    hashed = [made("zipf:theta=1,distinct=64,map=hashed", "u32", seed=seed)[0] for seed in (1, 2)]
    assert set(hashed[0]) == set(hashed[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_zipf_frequencies_follow_the_law(made, seed):
    keys, case = made("zipf:theta=0.75,distinct=1000", "u64", seed=seed)
    weights = numpy.arange(1, 1001) ** -0.75
    share = weights / weights.sum()
    assert chi_square(numpy.bincount(keys.astype(int), minlength=1001)[1:], share * len(keys)) < beyond(999)
    assert case["entropy_bits"] == pytest.approx(float(-(share * numpy.log2(share)).sum()), rel=1e-6)


def ends(n, parts):
    return [n * i // parts for i in range(parts + 1)]


def targets(name, processor, p):
    """The ranges of a processor's runs, in their order."""
    if name == "bucket":
        return list(range(p))
    if name == "staggered":
        return [2 * processor + 1 if processor < p // 2 else 2 * (processor - p // 2)]
    first = (processor - processor % 2 + p // 2) % p
    return [first, (first + 1) % p]


@pytest.mark.parametrize("name", ["bucket", "staggered", "g_group"])
@pytest.mark.parametrize("key", ["u32", "u64", "f64"])
@pytest.mark.parametrize("n", list(SIZES.values()))
def test_runs_lie_in_their_ranges(made, name, key, n):
    p = 16
    keys, _ = made(f"{name}:p={p}", key, n)
    bits = 31 if key != "u64" else 63
    place = (keys + 1) / 2 if key == "f64" else keys.astype(numpy.float64) / 2.0**bits
    processors = ends(n, p)
    for i in range(p):
        of = place[processors[i] : processors[i + 1]]
        wanted = targets(name, i, p)
        for (begin, end), target in zip(zip(ends(len(of), len(wanted)), ends(len(of), len(wanted))[1:]), wanted):
            run = of[begin:end]
            assert run.min() >= target / p - 1e-9 and run.max() <= (target + 1) / p, (i, target)
            if len(run) > 1000:
                counts = numpy.histogram(run, 16, (target / p, (target + 1) / p))[0]
                assert chi_square(counts, len(run) / 16) < beyond(15)


def greatest_load(keys, p, samples):
    """The largest load of a processor after regular sampling, over the mean: each sorts and samples its own keys."""
    cut = ends(len(keys), p)
    parts = [numpy.sort(keys[cut[i] : cut[i + 1]]) for i in range(p)]
    sample = numpy.sort(
        numpy.concatenate([part[[(j + 1) * len(part) // samples - 1 for j in range(samples)]] for part in parts])
    )
    splitters = sample[[(j + 1) * samples - 1 for j in range(p - 1)]]
    loads = sum(numpy.diff([0, *numpy.searchsorted(part, splitters, side="right"), len(part)]) for part in parts)
    return loads.max() / (len(keys) / p)


@pytest.mark.parametrize(
    "key, p, n",
    [
        ("u32", 16, 1 << 14),
        ("u32", 16, 300007),
        ("u32", 240, 119999),
        ("u32", 240, 1 << 17),
        ("u64", 240, 1 << 18),
        ("f32", 64, 1 << 18),
        ("f64", 64, 300007),
    ],
)
def test_worst_regular_makes_nearly_the_worst_load(made, key, p, n):
    """Regular sampling bounds the load by twice the mean; with k keys a sample it reaches some 2 - 1/k of it."""
    keys, _ = made(f"worst_regular:p={p}", key, n)
    assert greatest_load(keys, p, p) > 0.97 * (2 - p * p / n)
    assert greatest_load(made("uniform", key, n)[0], p, p) < 1.5


@pytest.mark.parametrize("n", list(SIZES.values()))
@pytest.mark.parametrize("p", [0, 240])
def test_deterministic_duplicates_halve(made, n, p):
    keys, case = made(f"deterministic_duplicates:p={p}", "u32", n)
    values, counts = numpy.unique(keys, return_counts=True)
    assert values.max() == int(numpy.log2(n)) and (numpy.diff(keys.astype(int)) <= 0).all()
    assert counts[-1] / n == pytest.approx(0.5, abs=0.001) and counts[-2] / n == pytest.approx(0.25, abs=0.001)
    assert counts[-5] / n == pytest.approx(1 / 32 if p == 0 else 7 / 240, abs=0.001)
    assert case["entropy_bits"] == pytest.approx(entropy(keys))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", list(SIZES.values()))
def test_randomized_duplicates_are_runs_below_the_range(made, n, seed):
    keys, _ = made("randomized_duplicates", "u32", n, seed)
    cut = ends(n, 240)
    assert keys.max() < 32
    lasts = []
    for i in range(240):
        of = keys[cut[i] : cut[i + 1]]
        changes = numpy.flatnonzero(numpy.diff(of))
        assert len(changes) < 32
        lasts.append((len(of) - (changes[-1] + 1 if len(changes) else 0)) / len(of))
    # A last run has 1/32 of the keys on average, and a few more where its value came before by chance or by rounding.
    assert numpy.mean(lasts) < 2 / 32


def test_a_changed_input_is_told_apart_in_the_record(made):
    assert "version" not in made("worst_regular:p=16", "u32", 1 << 14)[1]["distribution_parameters"]
    assert made("worst_regular:p=16", "u32", 300007)[1]["distribution_parameters"]["version"] == 2
    assert made("worst_regular:p=16", "f32", 1 << 14)[1]["distribution_parameters"]["version"] == 2
    assert made("randomized_duplicates", "u32", 1 << 14)[1]["distribution_parameters"]["version"] == 2
    assert "version" not in made("randomized_duplicates", "u32", 300007)[1]["distribution_parameters"]
    assert made("deterministic_duplicates", "u32", 1 << 14)[1]["distribution_parameters"] == {}
