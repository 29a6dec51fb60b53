import json
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command

HEADER = "; MaxProcs: 8\n"
JOB = "{number} {submit} -1 600 {size} -1 -1 {size} 3600 -1 1 1 1 1 1 -1 -1 -1\n"


@pytest.fixture
def demo(command: Command) -> Command:
    """Run the command; its exit code, standard output and standard error."""
    return partial(command, "demo")


def log_of(path: Path, *sizes: int, header: str = HEADER) -> Path:
    jobs = (JOB.format(number=n, submit=60 * n, size=size) for n, size in enumerate(sizes, 1))
    path.write_text(header + "".join(jobs))
    return path


def test_without_a_log_it_makes_simulates_compares_and_draws(demo: Command, tmp_path: Path) -> None:
    code, out, err = demo("-o", tmp_path, "--shakes", 0)
    assert (code, err) == (0, "")
    assert f"Picture: {tmp_path / 'comparison.png'}" in out
    assert "start at least an hour earlier" in out
    comparison = json.loads((tmp_path / "comparison.json").read_text())
    assert {run["jobs"] for run in comparison["runs"].values()} == {5000}
    assert 0.75 < comparison["runs"]["easy_bf"]["utilisation"] < 0.95
    assert (tmp_path / "comparison.png").read_bytes().startswith(b"\x89PNG")


def test_a_second_run_into_the_folder_gives_the_same_files(demo: Command, tmp_path: Path) -> None:
    log = log_of(tmp_path / "log_of_mine.swf", *(range(1, 9)), *(8, 1) * 20)
    names = ("workload.json", "platform.xml", "pred_aware_jobs.csv", "comparison.png")
    folder = tmp_path / "new" / "folder"
    assert demo("--log", log, "-o", folder)[0] == 0
    first = [(folder / name).read_bytes() for name in names]
    assert demo("--log", log, "-o", folder)[0] == 0
    assert [(folder / name).read_bytes() for name in names] == first
    assert not (folder / "log.swf").exists()


def test_the_page_is_about_the_log_and_says_what_it_draws(demo: Command, tmp_path: Path) -> None:
    log = log_of(tmp_path / "mine.swf", *(range(1, 9)), *(8, 1) * 20)
    page = tmp_path / "d.html"
    ended = demo("--log", log, "-o", tmp_path / "out", "--html", page, "--shakes", 2)
    assert (ended.code, ended.err) == (0, "")
    text = page.read_text()
    assert '<p class="under">mine.swf: 48 jobs on 8 processors' in text
    assert "workload.json" not in text
    assert "<code>pred-aware demo --log mine.swf --shakes 2 --html FILE</code>" in text
    assert "<h2>Machine, queue and waits, on the workload as it is (one run each" in text


def test_each_table_goes_into_a_file(demo: Command, tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.swf", *(range(1, 9)), *(8, 1) * 20)
    asked = ("--log", log, "-o", tmp_path / "out", "--tables", tmp_path / "t.json", "--shakes", 2)
    ended = demo(*asked)
    assert (ended.code, ended.err) == (0, "")
    tables = {table["title"]: table for table in json.loads((tmp_path / "t.json").read_text())}
    most = "Users who gain and who lose most: mean waiting time, pred_aware against easy_bf"
    users = tables[f"{most}, over 2 shakes"]
    assert users["rows"][0][:2] == ["1", 48]


@pytest.mark.parametrize("sizes", [(2,), (2, 3)])
def test_a_log_of_one_or_two_jobs_is_compared(
    demo: Command, tmp_path: Path, sizes: tuple[int, ...]
) -> None:
    code, out, _ = demo("--log", log_of(tmp_path / "log.swf", *sizes), "-o", tmp_path / "out")
    assert (code, "100.00 % of the jobs wait no longer" in " ".join(out.split())) == (
        0,
        True,
    )


def test_a_log_of_which_every_job_is_rejected_is_told(demo: Command, tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.swf", 4, 5)
    code, out, _ = demo("--log", log, "--processors", 2, "-o", tmp_path / "out")
    assert (code, "easy_bf: no job ran" in out) == (0, True)


@pytest.mark.parametrize(
    ("sizes", "header", "message"),
    [
        ((2, 3), "; Computer: x\n", "say it with --processors N"),
        ((0, 0), HEADER, "no job in it has a size, a run time and a walltime"),
    ],
)
def test_a_log_that_cannot_be_simulated_is_one_line(
    demo: Command, tmp_path: Path, sizes: tuple[int, ...], header: str, message: str
) -> None:
    log = log_of(tmp_path / "log.swf", *sizes, header=header)
    code, _, err = demo("--log", log, "-o", tmp_path / "out")
    assert (code, message in err, err.count("\n")) == (2, True, 1)
    assert list((tmp_path / "out").iterdir()) == []


def log_with_gaps(path: Path) -> Path:
    """A log of 200 jobs of which every twentieth has no walltime."""
    lines = log_of(path, *(1 + n % 8 for n in range(200))).read_text().splitlines(keepends=True)
    lines[20::20] = [line.replace(" 3600 -1 1 ", " -1 -1 1 ") for line in lines[20::20]]
    path.write_text("".join(lines))
    return path


def test_all_schedulers_simulate_the_same_jobs_of_a_log_with_missing_walltimes(
    demo: Command, tmp_path: Path
) -> None:
    log = log_with_gaps(tmp_path / "log.swf")
    code, out, _ = demo("--log", log, "-o", tmp_path)
    assert (code, "  10 of 200 jobs left out: 10 no walltime\n" in out) == (0, True)
    runs = json.loads((tmp_path / "comparison.json").read_text())["runs"]
    assert [(run["jobs"], run["rejected"]) for run in runs.values()] == [(190, 0)] * 3


def test_missing_walltimes_can_be_given(demo: Command, tmp_path: Path) -> None:
    log = log_with_gaps(tmp_path / "log.swf")
    code, out, _ = demo("--log", log, "-o", tmp_path, "--missing-walltime", 7200)
    assert (code, "  10 of 200 jobs given a walltime of 7200 s\n" in out) == (0, True)
    runs = json.loads((tmp_path / "comparison.json").read_text())["runs"]
    assert [(run["jobs"], run["rejected"]) for run in runs.values()] == [(200, 0)] * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "log.swf: 2 of its 2 jobs have no walltime: give them one with --missing-walltime"),
        (("--missing-walltime", "keep"), "give drop or a number of seconds"),
        (("--missing-walltime", "drop"), "no job in it has a size, a run time and a walltime"),
    ],
)
def test_a_log_without_walltimes_is_one_line_that_says_what_to_give(
    demo: Command, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    log = log_of(tmp_path / "log.swf", 2, 3)
    log.write_text(log.read_text().replace(" 3600 ", " -1 "))
    code, _, err = demo("--log", log, "-o", tmp_path / "out", *arguments)
    assert (code, message in err, err.count("\n")) == (2, True, 1)


def test_a_missing_log_is_named(demo: Command, tmp_path: Path) -> None:
    code, _, err = demo("--log", tmp_path / "nosuch.swf", "-o", tmp_path / "out")
    assert (code, "nosuch.swf" in err, err.count("\n")) == (2, True, 1)


def test_a_file_in_the_place_of_the_folder_is_named(demo: Command, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    code, _, err = demo("-o", tmp_path / "out")
    assert (code, "can't make the folder" in err, err.count("\n")) == (2, True, 1)
    assert (tmp_path / "out").read_text() == "mine"
