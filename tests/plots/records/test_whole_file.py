"""The writer of whole files: modes, links, what a file system refuses, a full disk."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from refused_calls import refusing, refusing_library

from plots.records import whole_file
from plots.records.whole_file import write_whole

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("new", [False, True])
def test_a_new_file_has_the_umasks_mode(new, tmp_path):
    write_whole(tmp_path / "file", "text", new=new)
    assert (tmp_path / "file").read_text() == "text" and mode(tmp_path / "file") == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_an_old_one_keeps_its_mode_and_only_new_refuses_it(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o604)
    write_whole(tmp_path / "file", b"more")
    assert (tmp_path / "file").read_text() == "more" and mode(tmp_path / "file") == 0o604
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "file", b"other", new=True)
    assert (tmp_path / "file").read_text() == "more"


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed(there, tmp_path):
    (tmp_path / "folder").mkdir()
    if there:
        (tmp_path / "folder/file").write_text("old")
    (tmp_path / "link").symlink_to("folder/file")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "folder/file").read_text() == "new"


def test_a_file_of_several_names_is_written_for_all_of_them(tmp_path):
    (tmp_path / "file").write_text("a longer text")
    os.link(tmp_path / "file", tmp_path / "other")
    for name in ("file", "other"):
        write_whole(tmp_path / name, f"by {name}")
        assert {file.read_text() for file in tmp_path.iterdir()} == {f"by {name}"}
    assert os.stat(tmp_path / "file").st_nlink == 2 and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("failing", ["the temporary file", "the file itself"])
def test_of_several_names_none_changes_where_the_disk_fails(failing, tmp_path, monkeypatch):
    synchronised = []

    def fail(file):
        synchronised.append(file)
        if len(synchronised) == (1 if failing == "the temporary file" else 2):
            raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(whole_file.os, "fsync", fail)
    (tmp_path / "file").write_text("old")
    os.link(tmp_path / "file", tmp_path / "other")
    with pytest.raises(OSError):
        write_whole(tmp_path / "file", "a longer text")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old", "old"]


def test_a_device_is_written_to():
    write_whole(Path("/dev/null"), "text")
    with pytest.raises(OSError):
        write_whole(Path("/dev/full"), "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("name", ["fsync", "fchmod", "fchown"])
def test_what_a_file_system_refuses_does_not_matter(name, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EOPNOTSUPP, "refused")

    monkeypatch.setattr(whole_file.os, name, refuse)
    (tmp_path / "file").write_text("old")
    write_whole(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "new"


def test_an_error_of_the_disk_does(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(whole_file.os, "fsync", fail)
    (tmp_path / "file").write_text("old")
    with pytest.raises(OSError):
        write_whole(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_a_file_that_cannot_be_renamed_over_is_written_in_place(tmp_path, monkeypatch):
    """One that a container mounts."""

    def busy(*_):
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(whole_file.os, "replace", busy)
    (tmp_path / "file").write_text("a longer text")
    inode = (tmp_path / "file").stat().st_ino
    write_whole(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "new" and (tmp_path / "file").stat().st_ino == inode
    with pytest.raises(OSError):
        write_whole(tmp_path / "none", "new")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


PAGE = ["plots/render.py", "--figure", "SAT-T1", "--out"]


def test_on_a_full_disk_the_earlier_page_stays(tmp_path):
    library = refusing_library(tmp_path)
    out = tmp_path / "out"
    command = [sys.executable, *PAGE, str(out)]
    assert subprocess.run(command, cwd=ROOT, timeout=120, stdout=subprocess.DEVNULL, check=False).returncode == 0
    before = {file: file.read_bytes() for file in out.rglob("*.*")}
    environment = {**refusing(library, full_at=20000), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, timeout=120, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2 and "No space left on device" in done.stderr, done.stderr
    assert {file: file.read_bytes() for file in out.rglob("*.*")} == before


def test_there_is_one_writer():
    """Every module writes a file by write_whole, or in a folder that is renamed as a whole."""
    found = []
    for path in (ROOT / "plots").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "whole_file.py" and "whole_folder" not in text and path.parent.name != "site":
            found += [
                f"{path}: {call}" for call in ("write_text(", "write_bytes(", "mkstemp(", "chmod(") if call in text
            ]
    assert found == []
