"""Files that commands write, in situations that a file system or an administrator makes: links, modes, no locks, no
fsync, a full disk, a file that somebody else replaces or writes."""

import errno
import fcntl
import json
import os
import resource
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from refused_calls import refusing, refusing_library

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
EXAMPLES = ROOT / "tests/data/example_records.jsonl"
PREDICT = ["predict", "-a", "satish_cpu_radix", "-n", "1000", "--machine", "core_i7", "--out"]
PROFILE = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/profile_cpu.json"
WHAT_IF = ["what-if", "-a", "satish_cpu_radix", "-n", "2^20", "--machine", PROFILE, "--out"]
ENDLESS = "import os, sys; block = (sys.argv[1] * 65536).encode()\nwhile True: os.write(1, block)"
BENCH = ["bench", "-a", "std_sort", "-n", "100", "--samples", "1", "--out"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return refusing_library(tmp_path_factory.mktemp("shim"))


def sortlab(*words, umask=0o022, **environment):
    return subprocess.run(
        [SORTLAB, *map(str, words)], capture_output=True, text=True, timeout=120, umask=umask, **environment
    )


def writers(out):
    """Commands that write the whole file `out`."""
    return {"merge": ["merge", EXAMPLES, "--out", out], "predict": [*PREDICT, out]}


@pytest.mark.parametrize("command", ["merge", "predict"])
@pytest.mark.parametrize("mode, umask, then", [(None, 0o027, 0o640), (None, 0o002, 0o664), (0o600, 0o022, 0o600)])
def test_a_file_keeps_its_mode_and_a_new_one_has_the_umasks(command, mode, umask, then, tmp_path):
    out = tmp_path / "out.jsonl"
    if mode is not None:
        out.write_text("")
        out.chmod(mode)
    assert sortlab(*writers(out)[command], umask=umask).returncode == 0
    assert stat.S_IMODE(out.stat().st_mode) == then and out.stat().st_size > 0
    assert [file.name for file in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_of_records_has_the_umasks_mode(tmp_path):
    assert sortlab(*BENCH, tmp_path / "out.jsonl", umask=0o002).returncode == 0
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o664


@pytest.mark.parametrize("command", ["merge", "predict"])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_leads_to_the_file(command, there, tmp_path):
    (tmp_path / "other").mkdir()
    file, link = tmp_path / "other/file.jsonl", tmp_path / "link.jsonl"
    if there:
        file.write_text("")
    link.symlink_to("other/file.jsonl")
    assert sortlab(*writers(link)[command]).returncode == 0
    assert link.is_symlink() and file.stat().st_size > 0
    assert [one.name for one in file.parent.iterdir()] == ["file.jsonl"]


@pytest.mark.parametrize("command", ["merge", "predict"])
def test_calls_that_a_file_system_refuses_do_not_matter(command, library, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("")
    refused = [f"fsync:{errno.EINVAL}", f"fchmod:{errno.EPERM}", f"fchown:{errno.EPERM}", f"flock:{errno.ENOLCK}"]
    done = sortlab(*writers(out)[command], env=refusing(library, *refused))
    assert done.returncode == 0 and out.stat().st_size > 0, done.stderr


def test_a_file_that_cannot_be_renamed_over_is_written_in_place(library, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    before = out.stat().st_ino
    done = sortlab(*PREDICT, out, env=refusing(library, f"rename:{errno.EBUSY}"))
    assert (
        done.returncode == 0
        and out.stat().st_ino == before
        and out.read_text().startswith('{"schema":1,"kind":"prediction"')
    )
    full = sortlab(*PREDICT, out, env=refusing(library, f"rename:{errno.EBUSY}", f"fsync:{errno.EIO}"))
    assert full.returncode == 1 and "Input/output error" in full.stderr
    assert out.read_text().startswith('{"schema":1,"kind":"prediction"') and list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("command", ["merge", "predict"])
def test_on_a_full_disk_the_earlier_file_stays(command, library, tmp_path):
    out = tmp_path / "out.jsonl"
    assert sortlab(*writers(out)[command]).returncode == 0
    before = out.read_bytes()
    done = sortlab(*writers(out)[command], env=refusing(library, full_at=300))
    assert done.returncode == 1 and done.stderr.count("No space left on device") == 1
    assert out.read_bytes() == before and list(tmp_path.iterdir()) == [out]


def test_a_what_if_on_a_full_disk_keeps_the_earlier_records(library, tmp_path):
    (tmp_path / "what_if.jsonl").write_text("earlier\n")
    done = sortlab(*WHAT_IF, tmp_path, env=refusing(library, full_at=300))
    assert done.returncode == 1 and (tmp_path / "what_if.jsonl").read_text() == "earlier\n"


@pytest.mark.parametrize("reason", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL])
def test_without_locks_a_run_goes_on_with_a_note(reason, library, tmp_path):
    out = tmp_path / "out.jsonl"
    done = sortlab(*BENCH, out, env=refusing(library, f"flock:{reason}"))
    assert done.returncode == 0 and f"cannot be locked ({os.strerror(reason)})" in done.stderr, done.stderr
    assert json.loads(out.read_text().splitlines()[-1])["status"] == "ok"
    merged = sortlab("merge", EXAMPLES, "--out", out, env=refusing(library, f"flock:{reason}"))
    assert merged.returncode == 0 and "cannot be locked" in merged.stderr


def test_a_lock_that_another_holds_is_told_as_such(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_bytes(EXAMPLES.read_bytes())
    with open(out, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for words in ([*BENCH, out], ["merge", EXAMPLES, "--out", out]):
            done = sortlab(*words)
            assert done.returncode == 2 and "another program is writing" in done.stderr


GROWING = ["-n", "2^18", "-n", "2^19", "-n", "2^20", "-n", "2^21"]  # the first is soon in the file, the last is not


def slow_bench(out, library):
    words = ["bench", "-a", "std_sort", *GROWING, "--samples", "9", "--processes", "1"]
    return subprocess.Popen(
        [SORTLAB, *words, "--out", out],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=refusing(library, f"flock:{errno.ENOLCK}"),
    )


def wait_for_measurement(out):
    end = time.monotonic() + 60
    while not (out.exists() and b'"kind":"measurement"' in out.read_bytes()):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_without_locks_a_second_writer_ends_the_run_and_loses_nothing(library, tmp_path):
    out = tmp_path / "out.jsonl"
    run = slow_bench(out, library)
    wait_for_measurement(out)
    line = EXAMPLES.read_text().splitlines(keepends=True)[1]
    with open(out, "a") as other:
        other.write(line)
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 1 and "another program writes to" in said
    assert line in out.read_text() and all(map(json.loads, out.read_text().splitlines()))


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_run_whose_file_is_gone_ends(how, library, tmp_path):
    out = tmp_path / "out.jsonl"
    run = slow_bench(out, library)
    wait_for_measurement(out)
    if how == "removed":
        out.unlink()
    else:
        (tmp_path / "other").write_text("")
        os.replace(tmp_path / "other", out)
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 1 and "was removed or replaced meanwhile" in said
    saved = tmp_path / "out.jsonl.whole"
    assert f"the records are in {saved}," in said, said
    assert '"status":"ok"' in saved.read_text() and all(map(json.loads, saved.read_text().splitlines()))


def change_in_place(out, how):
    """Leaves the file's size, but for `cut off`; `unseen` also leaves the time of modification."""
    before = out.stat()
    with open(out, "r+b") as file:
        if how == "cut off":
            file.truncate(100)
        else:
            file.seek(100)
            file.write(b"#" * 50)
    if how == "unseen":
        os.utime(out, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("how", ["overwritten", "unseen", "cut off"])
@pytest.mark.parametrize("when", ["before the last record", "after it"])
def test_bytes_that_are_overwritten_in_place_are_noticed_and_no_record_is_lost(how, when, tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_bytes(EXAMPLES.read_bytes())
    (tmp_path / "out.jsonl.whole").write_text("of an earlier time")
    config = tmp_path / "c.json"
    sizes = [1000, "2^22", 1001] if when == "before the last record" else [1000, "2^22"]
    config.write_text(json.dumps({**RUN, "sweeps": [{**RUN["sweeps"][0], "n": sizes}]}))
    run = subprocess.Popen([SORTLAB, "run", config, "--out", out], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while b'"n":1000,' not in out.read_bytes()[EXAMPLES.stat().st_size :]:
        assert time.monotonic() < end
        time.sleep(0.01)
    change_in_place(out, how)
    said = run.communicate(timeout=120)[1]
    saved = tmp_path / "out.jsonl.whole-2"
    verb = "cut off" if how == "cut off" else "overwrote"
    assert run.returncode == 1, said
    assert f"another program {verb} {out} meanwhile, from byte 101 on; the records are in {saved}," in said, said
    assert saved.read_bytes().startswith(EXAMPLES.read_bytes()) and b'"n":1000,' in saved.read_bytes()
    assert sortlab("merge", saved, "--out", tmp_path / "merged.jsonl").returncode == 0
    assert (tmp_path / "out.jsonl.whole").read_text() == "of an earlier time"


@pytest.mark.parametrize("what", ["touched", "of another mode"])
def test_times_alone_are_no_fault(what, tmp_path):
    out = tmp_path / "out.jsonl"
    run = subprocess.Popen([SORTLAB, *BENCH[:3], *GROWING, "--samples", "5", "--processes", "1", "--out", out])
    wait_for_measurement(out)
    if what == "touched":
        out.touch()
    else:
        out.chmod(0o640)
    assert run.wait(120) == 0 and len(list(tmp_path.iterdir())) == 1


RUN = {"name": "c", "protocol": {"samples": 1}}
RUN["sweeps"] = [{"algorithms": ["std_sort"], "n": [1000], "distributions": ["uniform"]}]


@pytest.mark.parametrize("how", ["renamed", "replaced, and kept under another name"])
def test_a_run_whose_file_was_moved_says_where_its_records_are(how, tmp_path):
    out, moved = tmp_path / "out.jsonl", tmp_path / "moved.jsonl"
    words = ["bench", "-a", "std_sort", *GROWING, "--samples", "9", "--processes", "1"]
    run = subprocess.Popen(
        [SORTLAB, *words, "--out", out], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    wait_for_measurement(out)
    out.rename(moved)
    if how != "renamed":
        out.write_bytes(moved.read_bytes())
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 1 and f"the records of this run are in {moved}," in said, said
    assert '"status":"ok"' in moved.read_text() and all(map(json.loads, moved.read_text().splitlines()))
    assert said.count("\n") == 1


def test_a_file_that_is_moved_during_the_last_cell_is_noticed(tmp_path):
    """The last record is in the file before it is moved: only a look at the end finds it."""
    out, moved = tmp_path / "out.jsonl", tmp_path / "moved.jsonl"
    config = tmp_path / "c.json"
    many = {**RUN, "sweeps": [{**RUN["sweeps"][0], "n": [1000, "2^22"]}]}
    config.write_text(json.dumps(many))
    run = subprocess.Popen([SORTLAB, "run", config, "--out", out], stderr=subprocess.PIPE, text=True)
    wait_for_measurement(out)
    out.rename(moved)
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 1 and str(moved) in said, said


@pytest.mark.parametrize("command", ["run", "bench"])
def test_records_go_through_a_pipe(command, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(RUN))
    words = {"run": ["run", tmp_path / "c.json", "--out"], "bench": BENCH}[command]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = sortlab(*words, pipe)
    assert refused.returncode == 2 and "is a pipe that nobody reads" in refused.stderr
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        time.sleep(0.3)  # it is waiting for a writer then
        done = sortlab(*words, pipe)
        got = reader.communicate(timeout=60)[0]
    assert done.returncode == 0, done.stderr
    assert json.loads(got.splitlines()[-1])["status"] == "ok"
    with subprocess.Popen(["head", "-c", "1", pipe], stdout=subprocess.DEVNULL) as reader:
        time.sleep(0.3)
        done = sortlab(*words, pipe)
    assert done.returncode == 1 and f"{pipe}: Broken pipe" in done.stderr, (done.returncode, done.stderr)


def test_a_plan_reads_no_pipe(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(RUN))
    os.mkfifo(tmp_path / "pipe")
    done = sortlab("run", tmp_path / "c.json", "--dry-run", "--out", tmp_path / "pipe")
    assert done.returncode == 0 and "1 to run" in done.stdout


@pytest.mark.parametrize("end", [b"", b"\r"])
def test_records_that_end_in_carriage_returns_are_never_cut_off(end, tmp_path):
    out = tmp_path / "out.jsonl"
    before = b"\r".join(EXAMPLES.read_bytes().splitlines()) + end
    for text in (before, EXAMPLES.read_bytes() + before):
        out.write_bytes(text)
        for words in ([*BENCH, out], ["merge", EXAMPLES, "--out", out]):
            done = sortlab(*words)
            assert done.returncode == 2 and f"{out}:" in done.stderr and "carriage return" in done.stderr, done.stderr
            assert done.stderr.count("\n") == 1 and out.read_bytes() == text


@pytest.mark.parametrize("command", ["merge", "predict"])
def test_a_file_may_be_a_pipe_or_a_device(command, tmp_path):
    made = tmp_path / "made.jsonl"
    assert sortlab(*writers(made)[command]).returncode == 0
    words = [SORTLAB, *map(str, writers("/dev/stdout")[command])]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.startswith(made.read_text()), done.stderr
    assert sortlab(*writers("/dev/null")[command]).returncode == 0
    full = sortlab(*writers("/dev/full")[command])
    assert full.returncode == 1 and "No space left on device" in full.stderr


def test_a_protected_file_is_left_alone(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write to any file")
    out = tmp_path / "out.jsonl"
    out.write_text("")
    out.chmod(0o444)
    assert sortlab(*PREDICT, out).returncode == 1 and out.read_text() == ""


def test_choices_of_other_sorts_stay_in_the_tunings(tmp_path):
    """A plug-in's choice, made with --plugin, survives a `tune` without it."""
    root, home = tmp_path / "root", tmp_path / "home"
    for folder in ("configs", "models"):
        (root / folder).mkdir(parents=True)
    (root / "models/machines").symlink_to(ROOT / "models/machines")
    environment = {**os.environ, "SORTLAB_ROOT": str(root), "XDG_DATA_HOME": str(home)}
    words = ["tune", "--algorithm", "std_string_sort", "--key", "string", "--dist", "words", "--n", "2^10"]
    words += ["--vary", "by", "--budget", "20s"]
    first = sortlab(*words, env=environment)
    assert first.returncode == 0, first.stderr
    (file,) = home.rglob("tuned.json")
    kept = json.loads(file.read_text())
    theirs = {**kept["tunings"][0], "algorithm": "sort_of_a_plugin"}
    kept["tunings"].append(theirs)
    file.write_text(json.dumps(kept))
    (records,) = home.rglob("tune.jsonl")
    records.unlink()
    again = sortlab(*words, env=environment)
    assert again.returncode == 0, again.stderr
    assert theirs in json.loads(file.read_text())["tunings"] and len(json.loads(file.read_text())["tunings"]) == 2


def test_merges_into_a_new_file_do_not_replace_each_other(tmp_path):
    """Each of many merges at a time either has its records in the file or fails."""
    parts = []
    for number in range(6):
        parts.append(tmp_path / f"{number}.jsonl")
        assert (
            sortlab("bench", "-a", "std_sort", "-n", 100 + number, "--samples", 1, "--out", parts[-1]).returncode == 0
        )
    out = tmp_path / "all.jsonl"
    merges = [subprocess.Popen([SORTLAB, "merge", part, "--out", out], stderr=subprocess.PIPE) for part in parts]
    ended = [merge.communicate()[1].decode() for merge in merges]
    kept = {r["case"]["n"] for r in map(json.loads, out.read_text().splitlines()) if r["kind"] == "measurement"}
    for number, merge in enumerate(merges):
        assert merge.returncode in (0, 2)
        assert merge.returncode == 0 or f"another program is writing {out}" in ended[number], ended
        assert merge.returncode != 0 or 100 + number in kept, (ended, kept)


def test_a_new_file_is_locked_while_a_merge_reads(tmp_path):
    part, out = tmp_path / "part.jsonl", tmp_path / "out.jsonl"
    assert sortlab(*BENCH, part).returncode == 0
    merge = subprocess.Popen([SORTLAB, "merge", "/dev/stdin", "--out", out], stdin=subprocess.PIPE)
    while not out.exists():
        time.sleep(0.01)
    assert sortlab("bench", "-a", "std_sort", "-n", 50, "--samples", 1, "--out", out).returncode == 2
    merge.communicate(part.read_bytes())
    assert merge.returncode == 0 and out.read_bytes() == part.read_bytes()


def test_a_merge_that_fails_leaves_no_file(tmp_path):
    (tmp_path / "odd.jsonl").write_text("odd\n")
    out = tmp_path / "out.jsonl"
    assert sortlab("merge", tmp_path / "odd.jsonl", "--out", out).returncode == 2
    assert not out.exists()


@pytest.mark.parametrize("text", ["\n", "x", "x\n", " "])
def test_a_pipe_without_an_end_is_refused_in_bounded_memory(text, tmp_path):
    """Through the program and through Python, which otherwise read until memory ended."""
    out = tmp_path / "out.jsonl"
    for command in (["merge", "/dev/stdin", "--out", out], ["export", "/dev/stdin", "--format=csv", "--out", out]):
        with subprocess.Popen([sys.executable, "-c", ENDLESS, text], stdout=subprocess.PIPE) as endless:
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # noqa: E731
            done = subprocess.run(
                [SORTLAB, *command], stdin=endless.stdout, capture_output=True, text=True, timeout=120, preexec_fn=limit
            )
            endless.kill()
        assert done.returncode == 2 and done.stderr.count("\n") == 1, (done.returncode, done.stderr[:500])
        assert not out.exists()
