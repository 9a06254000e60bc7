"""The Containerfile: its files exist and its packages match packages.sh; it is built and run if a builder works."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "configs/cluster/container"
FILE = FOLDER / "Containerfile"
BASE = os.environ.get("SORTLAB_CONTAINER_BASE")


def instructions(text):
    """Each instruction with its arguments; lines are joined, comments left out."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def faults(text, root):
    """Errors in a Containerfile, one line each."""
    known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT", "CMD"}
    found, stages, arguments = [], set(), {}
    for word, rest in instructions(text):
        if word not in known:
            found.append(f"instruction {word}")
        elif word == "ARG":
            name, _, value = rest.partition("=")
            arguments[name] = value
        elif word == "FROM":
            base, _, stage = rest.partition(" AS ")
            while base.startswith("${"):
                base = arguments.get(base[2:-1], "")
            if not re.search(r"[:@][\w.-]*\d[\w.-]*$", base) or base.endswith(":latest"):
                found.append(f"base {base!r} is not pinned")
            stages.add(stage)
        elif word == "COPY":
            *sources, _ = [w for w in rest.split() if not w.startswith("--")]
            stage = re.match(r"--from=(\S+)", rest)
            if stage and stage.group(1) not in stages:
                found.append(f"stage {stage.group(1)} comes later or never")
            found += [f"no file {s}" for s in sources if not stage and not (root / s).exists()]
        elif word == "RUN":
            installed = re.findall(r"install_packages ([^&']*)", rest)
            named = set(re.findall(r"\S+", re.sub(r'"\$\{\w+\[@\]\}"|\$\([^)]*\)', "", " ".join(installed))))
            if named - {"git"} or "apt-get install" in rest:
                found.append(f"packages that packages.sh does not list: {' '.join(named - {'git'})}")
    return found


def test_what_it_names_is_there_and_pinned():
    assert faults(FILE.read_text(), ROOT) == []
    lists = set(re.findall(r"\$\{(\w+)\[@\]\}", FILE.read_text()))
    packages = (ROOT / "harness/setup/packages.sh").read_text()
    assert lists == {"build_packages", "report_packages"}
    assert all(re.search(rf"^{name}=\(", packages, re.M) for name in lists)


@pytest.mark.parametrize(
    "line, told",
    [
        ("FROM debian", "base 'debian' is not pinned"),
        ("FROM debian:latest", "base 'debian:latest' is not pinned"),
        ("COPY nowhere /sortlab", "no file nowhere"),
        ("COPY --from=other /a /b", "stage other comes later or never"),
        ("RUN bash -c 'install_packages curl'", "packages that packages.sh does not list: curl"),
        ("FORM debian:12", "instruction FORM"),
    ],
)
def test_a_fault_is_found(line, told):
    assert faults(line + "\n", ROOT) == [told]


def test_the_ignore_file_leaves_out_what_is_made_here():
    ignored = (FOLDER / "Containerfile.dockerignore").read_text().split()
    git = (ROOT / ".gitignore").read_text().split()
    assert {line.strip("/") for line in git} & {"build", "report", "results/local", ".venv"} <= set(ignored)


@pytest.mark.skipif(
    not (BASE and os.environ.get("SORTLAB_FULL") and shutil.which("buildah")),
    reason="builds the program in a container: buildah, SORTLAB_FULL=1 and SORTLAB_CONTAINER_BASE=IMAGE run it",
)
def test_it_builds_and_runs():
    options = ["--isolation", "chroot", "--network", "host"]
    ignore = ["--ignorefile", FOLDER / "Containerfile.dockerignore"]
    arguments = ["--build-arg", f"BASE={BASE}", "--build-arg", "CMAKE_OPTIONS=-D SORTLAB_CUDA=OFF"]
    subprocess.run(
        ["buildah", "build", *options, *ignore, *arguments, "-f", FILE, "-t", "sortlab-test", "."], cwd=ROOT, check=True
    )
    container = subprocess.check_output(["buildah", "from", "sortlab-test"], text=True).strip()
    try:
        program = ["buildah", "run", "--isolation", "chroot", container, "/sortlab/build/release/sortlab"]
        bench = ["bench", "--algorithm", "std_sort", "--n", "2^16", "--samples", "3", "--json"]
        told = subprocess.run([*program, *bench], capture_output=True, text=True, check=True)
        assert '"status":"ok"' in told.stdout
    finally:
        subprocess.run(["buildah", "rm", container], check=True, capture_output=True)
