"""Sortlab built by the preset aarch64, under qemu-user: inputs, sorts and records. No time is looked at."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "aarch64"
ARM = BUILD / "sortlab"
X86 = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
BINFMT = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
# NEON alone, and SVE2 of 128, 256 and 512 bits.
PROCESSORS = {"cortex-a57": "NEON"}
PROCESSORS |= {f"max,sve-max-vq={bits // 128}": f"SVE2 of {bits} bits" for bits in (128, 256, 512)}
# Inputs of files, and strings.
NOT_NUMBERS = {"file", "lines", "one_long_string", "random_strings", "shared_prefix", "urls", "words"}
VECTOR_SORTS = ["satish_cpu_merge", "aa_sort", "msd_radix_cpu", "knf_split_radix"]

pytestmark = [
    pytest.mark.skipif(not ARM.exists(), reason="no build/aarch64; ./run_tests.sh --arch aarch64 makes it"),
    pytest.mark.skipif(not X86.exists(), reason="no build of this machine to compare with"),
    pytest.mark.skipif(
        not BINFMT.exists(),
        reason="the kernel does not start programs of aarch64 (binfmt_misc): install qemu-user-static",
    ),
]


def sysroot() -> str:
    """The folder with the arm64 libraries that the build was configured with."""
    lines = (BUILD / "CMakeCache.txt").read_text().splitlines()
    return next(line.partition("=")[2] for line in lines if line.startswith("SORTLAB_SYSROOT:"))


def sortlab(processor: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Runs the build for aarch64 on a processor, or that of this machine if `processor` is empty."""
    program = ARM if processor else X86
    emulation = {"QEMU_LD_PREFIX": sysroot(), "QEMU_CPU": processor} if processor else {}
    return subprocess.run(
        [str(program), *map(str, arguments)], env={**os.environ, **emulation}, capture_output=True, text=True
    )


def inputs(path: Path) -> tuple[dict[str, str], list[str]]:
    """The digest of each verified input, by the case without its sort, and the cells that are not verified."""
    digests, lost = {}, []
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if record["kind"] != "measurement":
            continue
        case = record["case"]
        if record["status"] != "ok":
            lost.append(f"{case['algorithm']} {case['key_type']} {case['n']}: {record.get('reason')}")
            continue
        of_input = [case[name] for name in ("key_type", "value_type", "n", "distribution", "seed")]
        digests[json.dumps(of_input)] = record["verification"]["digest"]
    return digests, lost


def measured(config: Path, out: Path, processor: str) -> tuple[dict[str, str], list[str]]:
    ended = sortlab(processor, "run", config, "--out", out)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return inputs(out)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The vector sorts on each family of inputs; few keys, since emulation takes a hundred times as long."""
    listed = json.loads(sortlab("", "list", "distributions", "--json").stdout)
    names = [entry["name"] for entry in listed if entry["name"] not in NOT_NUMBERS]
    path = tmp_path_factory.mktemp("aarch64") / "vectors.json"
    sweep = {
        "algorithms": VECTOR_SORTS,
        "keys": ["u32", "f64"],
        "values": ["none"],
        "n": [1000, 20011],
        "distributions": names,
    }
    path.write_text(json.dumps({"name": "vectors", "title": "Vectors", "protocol": {"samples": 1}, "sweeps": [sweep]}))
    return path


@pytest.fixture(scope="module")
def of_x86(config: Path) -> tuple[dict[str, str], list[str]]:
    return measured(config, config.with_name("x86.jsonl"), "")


@pytest.fixture(scope="module")
def generators(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every generator that reads no file, for each type of key."""
    listed = json.loads(sortlab("", "list", "distributions", "--json").stdout)
    names = {entry["name"] for entry in listed}
    fitting = {"bucket": "bucket:p=8", "worst_regular": "worst_regular:p=4,s=32"}
    assert fitting.keys() | NOT_NUMBERS <= names
    path = tmp_path_factory.mktemp("generators") / "generators.json"
    numbers = {
        "algorithms": ["std_sort"],
        "keys": ["u32", "u64", "i32", "i64", "f32", "f64", "u128"],
        "values": ["none", "u32"],
        "n": [1000],
        "distributions": sorted(fitting.get(name, name) for name in names - NOT_NUMBERS),
    }
    strings = {"algorithms": ["std_string_sort"], "keys": ["string"], "n": [1000]}
    strings["distributions"] = sorted(NOT_NUMBERS - {"file", "lines"})
    sweeps = [numbers, strings]
    path.write_text(
        json.dumps({"name": "generators", "title": "Generators", "protocol": {"samples": 1}, "sweeps": sweeps})
    )
    return path


@pytest.fixture(scope="module")
def generated_by_x86(generators: Path) -> tuple[dict[str, str], list[str]]:
    return measured(generators, generators.with_name("x86.jsonl"), "")


@pytest.mark.parametrize("processor", PROCESSORS)
def test_every_generator_makes_the_bytes_of_x86(generators: Path, generated_by_x86: tuple, processor: str) -> None:
    digests, lost = measured(generators, generators.with_name(f"{processor}.jsonl"), processor)
    assert lost == [] and len(digests) > 200
    assert (digests, lost) == generated_by_x86


@pytest.mark.parametrize("processor", ["cortex-a57", "max,sve-max-vq=2"])
def test_every_sort_sorts_20_sizes_of_5_inputs(tmp_path: Path, processor: str) -> None:
    """Beyond those of the conformance suite's first part, which ctest runs: it ends at 300 elements."""
    listed = json.loads(sortlab(processor, "list", "algorithms", "--json").stdout)
    sorts = [a["name"] for a in listed if a["runs_here"] and a["runs_on"] == "host" and "u32" in a["keys"]]
    assert len(sorts) > 15 and set(VECTOR_SORTS) < set(sorts)
    sizes = [0, 1, 2, 3, 31, 64, 65, 255, 257, 301, 511, 1000, 1024, 2047, 4097, 5003, 8192, 10007, 16383, 20011]
    sweep = {"algorithms": sorts, "n": sizes, "distributions": ["uniform", "sorted", "reverse", "zipf", "constant"]}
    config = tmp_path / "sizes.json"
    config.write_text(json.dumps({"name": "sizes", "title": "Sizes", "protocol": {"samples": 1}, "sweeps": [sweep]}))
    digests, lost = measured(config, tmp_path / "arm.jsonl", processor)
    # Without keys all inputs are one.
    assert lost == [] and len(digests) >= 5 * (len(sizes) - 1)


@pytest.mark.parametrize("processor", PROCESSORS)
def test_sorts_and_digests_are_those_of_x86(config: Path, of_x86: tuple, processor: str) -> None:
    out = config.with_name(f"{processor}.jsonl")
    digests, lost = measured(config, out, processor)
    assert lost == of_x86[1]
    assert len(digests) > 20 and digests == of_x86[0]
    machine = json.loads(out.read_text().splitlines()[0])["machine"]
    assert machine["simd"] == PROCESSORS[processor]
    assert machine["emulated"] is True and machine["id"].startswith("emulated-")


def test_smoke_runs_through(tmp_path: Path) -> None:
    smoke = ROOT / "configs" / "smoke.json"
    digests, lost = measured(smoke, tmp_path / "arm.jsonl", "max,sve-max-vq=2")
    assert all("is sequential" in cell for cell in lost)
    assert (digests, lost) == measured(smoke, tmp_path / "x86.jsonl", "")


def test_the_papers_sorts_have_vectors_of_128_bits() -> None:
    for name in ("satish_cpu_merge", "aa_sort"):
        listed = json.loads(sortlab("cortex-a57", "list", "algorithms", name, "--json").stdout)
        text = json.dumps(listed)
        assert '"neon"' in text and '"width": "sse4"' not in text, text


def test_peers_of_x86_say_so() -> None:
    ended = sortlab("cortex-a57", "bench", "-a", "raduls2", "--n", "1000", "--key", "u64", "--out", "/dev/null")
    assert "for x86 processors only" in ended.stdout + ended.stderr
