"""Acceptable records become a folder. Others are refused with a line for each reason, and nothing is written."""

import copy
import json
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.exchange.review import noise
from plots.records.collection import read
from plots.exchange.submit import main

ROOT = Path(__file__).resolve().parents[3]
XEON = ROOT / "results/reference/intel-xeon-emeraldrapids-16c-f8c882fd"
ZEN5 = ROOT / "results/reference/amd-epyc-zen5-2c-925e87e7"
PROFILE = json.loads((ROOT / "tests/data/machine_with_device.json").read_text())


def run(id_):
    return {**synthetic.run_record(), "run": id_}


def measured(id_, factor=1.0):
    """Thirty cells of one run, and what their sorts are."""
    cases = [synthetic.case(name, 1 << p) for name in ("std_sort", "vqsort", "satish_cpu_radix") for p in range(10, 20)]
    cells = [synthetic.measurement(case, factor * 1e-9 * case["n"], run=id_) for case in cases]
    return [run(id_), *cells]


ALGORITHMS = [synthetic.ALGORITHMS[name] for name in ("std_sort", "vqsort", "satish_cpu_radix")]
PREDICTED = [synthetic.prediction(synthetic.case("satish_cpu_radix", 1 << 12), 1e-5)]


@pytest.fixture
def given(tmp_path):
    """A set that is taken, to be spoilt: records by file name."""
    runs = [f"20200101T00000{i}Z-abcdef" for i in range(3)]
    records = {"quick": measured(runs[0]) + ALGORITHMS, "quick.predictions": PREDICTED}
    records |= {"first": measured(runs[1]), "second": measured(runs[2], 1.01)}
    return copy.deepcopy(records)


def submitted(folder, records, *more, profile=None):
    folder.mkdir(exist_ok=True)
    for name, lines in records.items():
        text = lines if isinstance(lines, str) else "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text)
    (folder / "profile.json").write_text(json.dumps({**PROFILE, "id": synthetic.MACHINE, **(profile or {})}))
    files = [str(folder / f"{name}.jsonl") for name in records if name not in ("first", "second")]
    aa = ["--aa", str(folder / "first.jsonl"), str(folder / "second.jsonl")]
    out = ["--out", str(folder / "reference")]
    return main([*files, "--profile", str(folder / "profile.json"), *aa, *out, *more])


def test_a_good_set_becomes_a_folder(given, tmp_path, capsys):
    assert submitted(tmp_path, given) == 0, capsys.readouterr().err
    made = tmp_path / "reference" / synthetic.MACHINE
    assert sorted(str(f.relative_to(made)) for f in made.rglob("*.*")) == [
        *("README.md", "aa/first.jsonl", "aa/second.jsonl", "profile.json"),
        *("quick.jsonl", "quick.predictions.jsonl"),
    ]
    assert (made / "quick.jsonl").read_bytes() == (tmp_path / "quick.jsonl").read_bytes()
    readme = (made / "README.md").read_text()
    assert "`sortlab run configs/quick.json`: 30 cells verified" in readme and "of 30 cells the typical one" in readme
    assert [f.name for f in (tmp_path / "reference").iterdir()] == [synthetic.MACHINE]
    assert submitted(tmp_path, given) == 2
    assert "is there already; nothing is overwritten" in capsys.readouterr().err


def test_kept_records_of_one_build_are_taken(tmp_path, capsys):
    """Two runs of a clean build, kept with 184 cells each, one of them as the records of its own."""
    predicted = tmp_path / "some.predictions.jsonl"
    lines = (XEON / "accuracy.predictions.jsonl").read_text().splitlines(keepends=True)
    predicted.write_text("".join(lines[:10]))
    files = [XEON / "aa/first.jsonl", XEON / "algorithms.jsonl", predicted]
    arguments = [*files, "--profile", XEON / "profile.json", "--aa", XEON / "aa/first.jsonl", XEON / "aa/second.jsonl"]
    status = main([str(word) for word in (*arguments, "--out", tmp_path)])
    told = capsys.readouterr()
    assert status == 0, told.err
    assert (tmp_path / XEON.name / "first.jsonl").read_bytes() == files[0].read_bytes()
    assert "184 cells verified" in told.out


def test_of_kept_records_what_differs_is_refused(tmp_path, capsys):
    arguments = [XEON / "aa/first.jsonl", "--profile", ZEN5 / "profile.json"]
    arguments += ["--aa", ZEN5 / "aa/first.jsonl", XEON / "aa/slowed.jsonl", "--out", tmp_path / "out"]
    assert main([str(word) for word in arguments]) == 1
    told = capsys.readouterr().err
    assert f"machine: records of 2, and a folder is of one: {ZEN5.name}, {XEON.name}" in told
    assert "unknown: the tree had changes that no commit has" in told and "build: 2 of them" in told
    assert "no record of kind algorithm" in told and "predictions: none by this machine's profile" in told
    assert told.splitlines()[-1] == "sortlab submit: nothing written" and not (tmp_path / "out").exists()


def test_noise_of_the_kept_pairs():
    """The limit lies between what chance does on either machine and a tenth of each sort's time."""
    first, second, slowed = (read([XEON / "aa" / f"{name}.jsonl"]) for name in ("first", "second", "slowed"))
    chance, slower = noise(first, second), noise(first, slowed)
    zen5 = noise(*(read([ZEN5 / "aa" / f"{name}.jsonl"]) for name in ("first", "second")))
    assert chance.cells == slower.cells == zen5.cells == 184
    assert chance.typical < 0.02 and zen5.typical < 0.03 and slower.typical > 0.09 and slower.drift > 0.09


def set_in(record, path, value):
    holder, (*parents, name) = record, path.split("/")
    for parent in parents:
        holder = holder[parent]
    holder[name] = value
    if parents[:1] == ["case"]:
        record["cell"] = synthetic.cell_id(record["case"])


@pytest.mark.parametrize(
    "path, value, says",
    [
        ("0/build/dirty", True, "unknown: the tree had changes"),
        ("0/build/commit", None, "unknown: built outside a clone"),
        ("0/build/flags", "-O0", "build: 2 of them, and one is wanted"),
        ("0/machine/id", "other-1c-00000001", "machine must be other-1c-00000001, that of its run on line 1"),
        ("0/machine/cores", 4, "its runs say 2 different things"),
        ("0/machine/memory_bytes", 0, "does not say its memory_bytes"),
        ("0/run", "20200101T000009Z-abcdef", "is not among the records"),
        ("0/asked/command", ["/home/me/sortlab", "run"], "the command names /home/me/sortlab; --shorten-paths"),
        ("0/asked/command", ["sortlab", "--out=/tmp/x"], "the command names --out=/tmp/x"),
        ("0/environment/kernel", "Linux of /home/me", "names a home folder"),
        ("1/machine", "other-1c-00000001", f"machine must be {synthetic.MACHINE}, that of its run on line 1"),
        ("1/verification/order", False, "verification: order must be true"),
        ("1/verification", None, "verification must be an object"),
        ("1/verification/samples", 3, "verification.samples must be 9, the number of samples_s, not 3"),
        ("1/samples_s", lambda record: record["samples_s"][:1] * 9, "median_s must be the median of samples_s"),
        ("1/colour", "red", "colour is no member that the schema knows"),
        ("1/disturbed", True, "marked as disturbed without a reason"),
        ("1/disturbance", "processor 1 had 40 %", "not marked: processor 1 had 40 %"),
        ("1/case/algorithm", "my_sort", "my_sort: no record of kind algorithm"),
        ("1/median_s", "fast", "median_s must be a finite number"),
    ],
)
def test_what_is_refused_says_why(path, value, says, given, tmp_path, capsys):
    number, _, rest = path.partition("/")
    record = given["quick"][int(number)]
    set_in(record, rest, value(record) if callable(value) else value)
    assert submitted(tmp_path, given) == 1
    told = capsys.readouterr()
    assert says in told.err and told.out == ""
    assert all(line.startswith("sortlab submit: ") for line in told.err.splitlines())
    assert not (tmp_path / "reference").exists()


def test_records_of_two_machines_are_refused(given, tmp_path, capsys):
    other = json.dumps(given["quick"]).replace(synthetic.MACHINE, "other-1c-00000001")
    other = json.loads(other.replace(synthetic.RUN, "20200101T000009Z-abcdef"))
    assert submitted(tmp_path, {**given, "other": other}) == 1
    assert "machine: records of 2" in capsys.readouterr().err


def imported():
    source = {"format": "nvbench", "file": "x.json", "digest": "0" * 16, "version": None, "date": None}
    machine = {"name": None, "processors": None, "clock_hz": None, "device": None}
    record = {"schema": 1, "kind": "imported", "verified": False, "source": source, "machine": machine, "name": "x"}
    return record | {
        "axes": {},
        "n": 1,
        "threads": 1,
        "statistic": "mean",
        "seconds": 1.0,
        "samples_s": [],
        "counters": {},
    }


def test_more_that_is_refused(given, tmp_path, capsys):
    case = synthetic.case("std_sort", 7)
    wrong = {**synthetic.skipped(case, "two keys changed places"), "status": "wrong"}
    for number, (name, change, says) in enumerate(
        [
            ("quick", lambda lines: [*lines, imported()], "an imported result, which nobody here verified"),
            ("quick", lambda lines: [*lines, wrong], "wrong, and no known limit of the sort: two keys changed places"),
            (
                "quick.predictions",
                lambda lines: [run("20200101T000000Z-abcdef")],
                "predictions: none by this machine's",
            ),
            ("second", lambda lines: given["first"], "both files are of run 20200101T000001Z-abcdef"),
            ("second", lambda lines: lines[:9], "8 cells that both verified; at least 20 are wanted"),
            ("second", lambda lines: measured("20200101T000002Z-abcdef", 1.2), "the typical cell differs by 20.0%"),
            ("quick", lambda lines: "".join(json.dumps(line) + "\n" for line in lines)[:-20], "its last line is torn"),
            ("quick", lambda lines: [*lines, {"schema": 1, "kind": "rumour"}], "kind must be one of"),
        ]
    ):
        folder = tmp_path / str(number)
        assert submitted(folder, {**given, name: change(given[name])}) == 1
        told = capsys.readouterr()
        assert says in told.err and not (folder / "reference").exists(), told.err
    assert submitted(tmp_path / "profile", given, profile={"id": "other-1c-00000001"}) == 1
    assert f"of other-1c-00000001, and the records of {synthetic.MACHINE}" in capsys.readouterr().err


def test_commands_lose_their_folders_where_asked(given, tmp_path):
    command = [
        "/home/me/sortlab/build/release/sortlab",
        "run",
        "/home/me/sortlab/configs/quick.json",
        "--out=~/q.jsonl",
    ]
    given["quick"][0]["asked"]["command"] = command
    assert submitted(tmp_path, given, "--shorten-paths") == 0
    made = tmp_path / "reference" / synthetic.MACHINE
    lines = (made / "quick.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["asked"]["command"] == ["sortlab", "run", "configs/quick.json", "--out=q.jsonl"]
    assert lines[1:] == (tmp_path / "quick.jsonl").read_text().splitlines()[1:]
    assert "home" not in (made / "README.md").read_text()


def test_hostile_names_are_plain_in_the_readme(given, tmp_path, capsys):
    for lines in (given["quick"], given["first"], given["second"]):
        lines[0]["machine"]["name"] = "x|<img src=x onerror=alert(1)>[a](javascript:b) `c`"
    assert submitted(tmp_path, given) == 0, capsys.readouterr().err
    readme = (tmp_path / "reference" / synthetic.MACHINE / "README.md").read_text()
    assert "<img" not in readme and "](javascript" not in readme


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "required: RECORDS, --profile, --aa"),
        (["none.jsonl", "--profile", "p", "--aa", "a", "b"], "none.jsonl: no such file"),
        (["none.jsonl", "--profile", "/dev/null", "--aa", "a", "b"], "/dev/null: is no file"),
        (["a b.jsonl", "--profile", "p", "--aa", "a", "b"], "files keep their names"),
        (["x/q.jsonl", "y/q.jsonl", "--profile", "p", "--aa", "a", "b"], "each once"),
    ],
)
def test_bad_input_is_one_line(arguments, says, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and says in told.err


def test_records_of_two_gpus_in_one_host_are_refused(tmp_path, capsys):
    arguments = [XEON / "h100/satish2010.jsonl", XEON / "h200/bars.jsonl", "--profile", XEON / "h100/profile.json"]
    arguments += ["--aa", XEON / "aa/first.jsonl", XEON / "aa/second.jsonl"]
    assert main([str(word) for word in (*arguments, "--out", tmp_path / "out")]) == 1
    assert "machine: records of 2 GPUs, and a folder is of one: NVIDIA H100 80GB HBM3, NVIDIA H200" in (
        capsys.readouterr().err
    )
