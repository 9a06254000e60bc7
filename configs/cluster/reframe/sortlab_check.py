"""Sortlab as a ReFrame check: builds, measures a config, logs rates, and fails if `sortlab compare` calls one slower.

    reframe --checkpath configs/cluster/reframe --run --performance-report

What it measures with and against, by --setvar:
    sortlab_run.config           a config, from the checkout's root                    [configs/repeatability.json]
    sortlab_run.filter           a regular expression: only these cells of it          [all]
    sortlab_run.kept             records to compare with    [results/reference/<machine>/<config>.jsonl if it is there]
    sortlab_run.slower_percent   how much slower than these fails                      [5]
    sortlab_build.program        a program that is built already                       [builds one]
    sortlab_build.cmake_options  of the build that it makes, as -D SORTLAB_CUDA=ON     [none]
"""

from __future__ import annotations

import json
import os
import shlex

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import fixture, run_after, run_before, sanity_function, variable

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
RECORDS = "records.jsonl"


def last_measured(path: str) -> dict[str, dict]:
    """The newest record with a time for each cell."""
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.endswith("}\n")]
    return {r["cell"]: r for r in records if r.get("kind") == "measurement" and r["status"] == "ok"}


def cell_name(record: dict) -> str:
    """The name of a cell for ReFrame and its logs: without blanks or punctuation, and with the id to be unique."""
    case = record["case"]
    words = [case["algorithm"], case["key_type"], case["value_type"], case["n"], case["distribution"], case["threads"]]
    plain = "_".join(str(word) for word in words if word != "none")
    return "".join(c if c.isalnum() else "_" for c in plain) + "_" + record["cell"][:6]


@rfm.simple_test
class sortlab_build(rfm.CompileOnlyRegressionTest):
    """The program, once for each programming environment."""

    descr = "Sortlab's program"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    build_system = "CustomBuild"
    build_locally = False
    program = variable(str, value="")
    cmake_options = variable(str, value="")

    @run_before("compile")
    def set_commands(self):
        if self.program:
            self.build_system.commands = [f"ln -s {shlex.quote(os.path.abspath(self.program))} sortlab"]
            return
        configure = f"cmake -S {shlex.quote(ROOT)} -B build -G Ninja -D CMAKE_BUILD_TYPE=Release -D SORTLAB_UNITY=ON"
        self.build_system.commands = [
            f"{configure} {self.cmake_options}",
            "cmake --build build --target sortlab",
            "ln -s build/sortlab sortlab",
        ]

    @sanity_function
    def is_built(self):
        return sn.path_isfile(os.path.join(self.stagedir, "sortlab"))


@rfm.simple_test
class sortlab_run(rfm.RunOnlyRegressionTest):
    """The cells of a config, and the verdicts of `compare`."""

    descr = "Sortlab: rates of sorts, and whether any became slower"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    exclusive_access = True
    keep_files = [RECORDS]
    build = fixture(sortlab_build, scope="environment")
    config = variable(str, value="configs/repeatability.json")
    filter = variable(str, value="")
    kept = variable(str, value="")
    slower_percent = variable(float, value=5.0)

    @run_after("setup")
    def take_the_whole_node(self):
        self.num_cpus_per_task = self.current_partition.processor.num_cpus or None

    @run_before("run")
    def set_command(self):
        self.env_vars["SORTLAB_ROOT"] = ROOT
        self.executable = os.path.join(self.build.stagedir, "sortlab")
        program = shlex.quote(self.executable)
        options = ["run", os.path.join(ROOT, self.config), "--out", RECORDS]
        options += ["--filter", self.filter] if self.filter else []
        self.executable_opts = [shlex.quote(option) for option in options]
        # `kept` is found where the job runs: the machine's folder, if it has one.
        name = os.path.splitext(os.path.basename(self.config))[0]
        of_machine = f'$(grep -om1 \'"machine":{{"id":"[^"]*\' {RECORDS} | cut -d\'"\' -f6)'
        given = os.path.join(ROOT, self.kept) if self.kept else ""
        kept = shlex.quote(given) if given else f'{shlex.quote(ROOT)}/results/reference/"{of_machine}"/{name}.jsonl'
        compare = f"{program} compare kept.jsonl {RECORDS} --json --fail-if-slower {self.slower_percent:g}"
        self.postrun_cmds = [
            'echo "run: exit status $?"',
            f"kept={kept}",
            f'if [ -e "$kept" ]{" || true" if given else ""}; then cp "$kept" kept.jsonl; {compare} >verdicts.jsonl; '
            'echo "compare: exit status $?"; fi',
        ]

    @sanity_function
    def nothing_is_lost_or_slower(self):
        ran = sn.extractsingle(r"^run: exit status (\d+)$", self.stdout, 1, int)
        # The program's own lines name the cells and their slowdown.
        told = sn.defer("; ".join(sn.evaluate(sn.extractall(r"^((?:lost|sortlab|slower).*)$", self.stderr, 1))[:20]))
        compared = sn.extractall(r"^compare: exit status (\d+)$", self.stdout, 1, int)
        return sn.all(
            [sn.assert_eq(ran, 0, msg=told), sn.all(sn.map(lambda s: sn.assert_eq(s, 0, msg=told), compared))]
        )

    @run_before("performance")
    def set_rates(self):
        """A rate of each cell, with the rate in the kept records as its reference."""
        kept = os.path.join(self.stagedir, "kept.jsonl")
        expected = last_measured(kept) if os.path.exists(kept) else {}
        self.perf_variables = {}
        references = {}
        for cell, record in last_measured(os.path.join(self.stagedir, RECORDS)).items():
            rate = record["keys_per_s"] / 1e6
            self.perf_variables[cell_name(record)] = sn.make_performance_function(sn.defer(rate), "Mkeys/s")
            if cell in expected:
                # `compare` has decided, knowing the noise between runs. This only shows the kept rate beside the new.
                references[cell_name(record)] = (expected[cell]["keys_per_s"] / 1e6, None, None, "Mkeys/s")
        self.reference = {"*": references}
