"""Marked loops are found in compiled code and analysed, by a stand-in for llvm-mca that counts one cycle for each
instruction, and by the real one if it is installed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LOOPS = ROOT / "harness/calibrate/loops.py"
sys.path.insert(0, str(LOOPS.parent))

import loops  # noqa: E402

pytestmark = [
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not installed"),
    pytest.mark.skipif(os.uname().machine != "x86_64", reason="loops are analysed on x86-64"),
]

SOURCE = """
#include <cstdint>
#include "core/loop_mark.hpp"
extern "C" [[gnu::noipa]] void spill(std::uint32_t* x) { for (int i = 0; i < 9; ++i) x[i] *= 3; }
template <class T>
[[gnu::noipa]] void count(const T* keys, std::size_t n, std::uint32_t* counters) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n; ++i) {
    SORTLAB_LOOP("test.count", 1, sizeof(T), 7);
    ++counters[keys[i] & 255];
  }
}
[[gnu::noipa]] void fill(const std::uint32_t* keys, std::size_t n, std::uint32_t* to) {
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    SORTLAB_LOOP("test.fill", 2);
    to[at++] = keys[i];
    if (at == 64) [[unlikely]] {
      SORTLAB_RARE();
      spill(to);
      at = 0;
    }
  }
}
[[gnu::noipa]] void calls(std::uint32_t* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    SORTLAB_LOOP("test.calls", 1);
    spill(to + i);
  }
}
[[gnu::noipa]] void once(std::uint32_t* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] *= to[i + 1];
  SORTLAB_ONCE("test.once", 1, 5);
  to[0] += to[1];
  spill(to);
  to[2] += to[3];
}
int main(int argc, char**) {
  static std::uint32_t words[4096];
  static std::uint64_t wide[4096];
  count(words, argc, words);
  count(wide, argc, words);
  fill(words, argc, words);
  calls(words, argc);
  once(words, argc);
}
"""

# Cycles are the number of instructions, the bound is half of them. The input is kept.
FAKE = r"""#!/bin/sh
case "$1" in --version) echo "LLVM version 99.1.2"; exit;; esac
code=$(cat)
[ "$*" != "${*#*unheard}" ] && { echo "'unheard' is not a recognized processor" >&2; exit 0; }
n=$(printf '%s\n' "$code" | grep -vc ':$')
echo "Total Cycles:      $((n * 200))"
echo "Block RThroughput: $n.0"
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loops")
    (folder / "marked.cpp").write_text(SOURCE)
    program = folder / "marked"
    command = ["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}", folder / "marked.cpp", "-o"]
    subprocess.run([*command, program], check=True, timeout=60)
    subprocess.run([*command, folder / "bare", "-DSORTLAB_NO_LOOP_MARKS"], check=True, timeout=60)
    fake = folder / "llvm-mca"
    fake.write_text(FAKE)
    fake.chmod(0o755)
    return folder


def run(built, *words, mca=None, program="marked"):
    environment = dict(os.environ, SORTLAB_MCA=str(mca or built / "llvm-mca"))
    command = [sys.executable, LOOPS, built / program, "--processor", "test-core", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)


def tables(built, **options):
    done = run(built, "--json", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["tables"]


def test_a_loop_is_found_by_its_name_and_arguments(built):
    made = tables(built)
    at = [tuple(p["at"]) for p in made["loop.test.count.cycles"]["points"]]
    assert at == [(4, 7, 0), (8, 7, 0)]
    assert made["loop.test.count.cycles"]["kind"] == "hardware"
    assert re.match(r"llvm-mca 99.1.2 -mcpu=test-core; .*; code \w{12}$", made["loop.test.count.cycles"]["source"])


def test_each_passing_of_a_mark_counts_its_elements(built):
    # Unrolled by four: a branch for each element would mean that elements were counted once.
    made = tables(built)
    shown = run(built, "--show", "test.count").stdout
    assert re.search(r"^[1248] elements$", shown, re.M)
    cycles = made["loop.test.count.cycles"]["points"][0]["value"]
    assert cycles == made["loop.test.count.instructions"]["points"][0]["value"] == pytest.approx(4, abs=1.6)


def test_the_rare_way_is_not_taken_and_elements_weigh(built):
    made = tables(built)
    shown = run(built, "--show", "test.fill").stdout
    assert "call" not in shown and "2 elements" in shown
    instructions = made["loop.test.fill.instructions"]["points"][0]["value"]
    assert 2 <= instructions <= 5  # two elements take about eight instructions
    assert made["loop.test.fill.branches"]["points"][0]["value"] == 1  # the buffer's and the loop's


def test_what_another_function_does_is_not_guessed(built):
    assert not any(name.startswith("loop.test.calls") for name in tables(built))


def test_a_function_is_passed_once_without_its_loop_and_what_it_calls(built):
    made = tables(built)
    shown = run(built, "--show", "test.once").stdout
    code = shown[shown.index("\n\n") : shown.index("1 elements")]
    assert "imul" not in code and "call" not in code and "ret" not in code
    assert code.count("add") >= 2
    (point,) = made["loop.test.once.cycles"]["points"]
    assert point["at"] == [5, 0, 0]
    # The stand-in always reports 200 iterations, so once means all of them.
    assert point["value"] == 200 * made["loop.test.once.instructions"]["points"][0]["value"]


def test_marks_are_no_instructions(built):
    def code(program):
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", built / program], capture_output=True, text=True)
        lines = text.stdout[text.stdout.index("<_Z4fill") :].splitlines()[1:]
        lines = lines[: lines.index("")] if "" in lines else lines
        return [line.split("\t")[1].split()[0] for line in lines if "\t" in line]

    assert code("marked") == code("bare")


def test_a_profile_gets_the_tables_and_keeps_its_own(built):
    reference = next((ROOT / "results/reference").glob("*zen5*/profile.json"))
    profile = built / "profile.json"
    profile.write_text(reference.read_text())
    for _ in range(2):  # the second puts them in the place of the first
        done = run(built, "--profile", profile, "--build", "GNU 12")
        assert done.returncode == 0 and done.stdout.startswith("4 loops by llvm-mca 99.1.2"), done.stderr
    before, after = json.loads(reference.read_text()), json.loads(profile.read_text())
    assert {n: t for n, t in after["tables"].items() if not n.startswith("loop.")} == before["tables"]
    assert "GNU 12" in after["tables"]["loop.test.fill.cycles"]["source"]
    assert len(profile.read_text().splitlines()) < 1.5 * len(reference.read_text().splitlines())


@pytest.mark.parametrize(
    "words, program, says",
    [
        ([], "bare", "loops: the program has no marked loops\n"),
        (["--show", "no.such"], "marked", "loops: no loop has such a name\n"),
        (["--processor", "unheard"], "marked", "loops: llvm-mca 99.1.2 knows no schedule of unheard\n"),
        ([], "none", "loops: [Errno 2]"),
        ([], "marked.cpp", "loops: not an ELF program of 64 bits\n"),
    ],
)
def test_one_line_says_why_there_is_no_analysis(built, words, program, says):
    done = run(built, *words, program=program)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.startswith(says), done.stderr
    assert done.stderr.count("\n") == 1


def test_a_stripped_program_is_refused(built):
    subprocess.run(["strip", "-o", built / "stripped", built / "marked"], check=True)
    assert run(built, program="stripped").stderr.startswith("loops: the program is stripped")


@pytest.mark.skipif(shutil.which("llvm-mca") is None, reason="llvm-mca is not installed")
def test_the_real_analyser_schedules_it(built):
    done = run(built, "--processor", "znver3", "--json", mca=shutil.which("llvm-mca"))
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)["tables"]
    for point, bound in zip(made["loop.test.count.cycles"]["points"], made["loop.test.count.bound"]["points"]):
        assert 0.5 < bound["value"] <= point["value"] + 0.1 < 3  # a load, a mask, and an addition to memory


@pytest.mark.parametrize(
    "model, flags, names",
    [
        (207, "avx512f amx_tile", ["emeraldrapids", "sapphirerapids", "icelake-server"]),
        (167, "avx512f amx_tile", ["sapphirerapids", "icelake-server"]),  # a virtual machine that hides its model
        (167, "avx512f", []),
    ],
)
def test_a_hidden_model_is_known_by_its_instructions(model, flags, names):
    cpuinfo = f"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: {model}\nmodel name\t: A\nflags\t\t: {flags}\n"
    assert loops.processors_in(cpuinfo) == names
