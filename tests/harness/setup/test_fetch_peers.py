"""peers.lock names the commits of the kept records, and fetch_peers.py brings exactly these."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("fetch_peers", ROOT / "harness/setup/fetch_peers.py")
fetch_peers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fetch_peers)
PEERS = fetch_peers.read_lock((ROOT / "peers.lock").read_text())
KEPT = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    return subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


def test_the_lock_names_the_commits_of_kept_records():
    text = "".join(file.read_text() for file in KEPT.rglob("*.jsonl"))
    versions = set(re.findall(r'"version": ?"([^"]*)"', text))
    for peer in PEERS:
        assert any(re.search(rf"\b(g)?{peer.commit}\b", version) for version in versions), peer


def test_each_option_of_the_lock_is_one_of_cmake():
    files = [*ROOT.glob("algorithms/*/CMakeLists.txt"), *ROOT.glob("algorithms/common/**/*.cmake")]
    text = "".join(file.read_text() for file in files)
    assert PEERS and all(peer.option in text for peer in PEERS)


@pytest.fixture
def lock(tmp_path, monkeypatch):
    """A lock of one repository at the first of its two commits."""
    source = tmp_path / "github" / "owner" / "peer"
    source.mkdir(parents=True)
    git(source, "init", "--quiet")
    commits = []
    for text in ("first", "second"):
        (source / "file").write_text(text)
        git(source, "add", "file")
        git(source, "commit", "--quiet", "-m", text)
        commits.append(git(source, "rev-parse", "--short=8", "HEAD"))
    (tmp_path / "peers.lock").write_text(f"# a comment\nSORTLAB_X_DIR owner/peer peer {commits[0]}\n")
    monkeypatch.setattr(fetch_peers, "LOCK", tmp_path / "peers.lock")
    return tmp_path


def fetch(lock: Path) -> int:
    return fetch_peers.main([str(lock / "peers"), "--from", f"file://{lock}/github/"])


def test_the_locked_commit_is_brought_and_kept(lock, capfd):
    for _ in range(2):
        assert fetch(lock) == 0
        assert capfd.readouterr().out == f"-D SORTLAB_X_DIR={lock}/peers/peer\n"
        assert (lock / "peers/peer/file").read_text() == "first"


def test_another_commit_is_named_and_left_alone(lock, capfd):
    fetch(lock)
    git(lock / "peers/peer", "checkout", "--quiet", "origin/HEAD")
    assert fetch(lock) == 1
    assert "is not at commit" in capfd.readouterr().err
    assert (lock / "peers/peer/file").read_text() == "second"


def test_changed_files_are_named(lock, capfd):
    fetch(lock)
    (lock / "peers/peer/file").write_text("mine")
    assert fetch(lock) == 1
    assert "its files were changed" in capfd.readouterr().err


def test_a_line_that_is_no_peer_is_named(lock, capfd):
    fetch_peers.LOCK.write_text("SORTLAB_X_DIR owner/peer\n")
    assert fetch(lock) == 2
    assert "peers.lock:1: must be an option" in capfd.readouterr().err


def other_peers(lock: Path) -> str:
    """The entries that a build of the peer gives `sortlab doctor`."""
    (lock / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(x NONE)\n"
        f'include({ROOT}/algorithms/external.cmake)\nsortlab_source_folder(SORTLAB_X_DIR "X" file)\n'
        'get_property(other GLOBAL PROPERTY SORTLAB_OTHER_PEERS)\nfile(WRITE ${CMAKE_BINARY_DIR}/other "${other}")\n'
    )
    asked = ["cmake", "-G", "Ninja", "-S", str(lock), "-B", str(lock / "build"), f"-DSORTLAB_X_DIR={lock}/peers/peer"]
    subprocess.run(asked, stdout=subprocess.PIPE, check=True)
    return (lock / "build/other").read_text()


def test_a_build_knows_a_peer_of_other_sources(lock):
    fetch(lock)
    peer, locked = lock / "peers/peer", fetch_peers.read_lock((lock / "peers.lock").read_text())[0].commit
    assert other_peers(lock) == ""
    (peer / "file").write_text("mine")
    assert f'{{"X", "commit {locked} with changes", "{locked}"}}' in other_peers(lock)
    git(peer, "checkout", "--quiet", "--force", "origin/HEAD")
    assert f'{{"X", "commit {git(peer, "rev-parse", "HEAD")[:8]}", "{locked}"}}' in other_peers(lock)
