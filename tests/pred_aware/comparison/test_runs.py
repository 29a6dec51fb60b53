import gzip
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.runs.reading import read_run
from tests.pred_aware.command import Command
from tests.pred_aware.conftest import JobsFile
from tests.suites import each_case

ONE = [(0.0, 5.0, 10.0, 2)]


def test_gzip_and_plain_files_give_the_same_run(jobs_file: JobsFile) -> None:
    plain = jobs_file("a", ONE)
    packed = plain.with_name("b_jobs.csv.gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_run(plain, "a").ran.equals(read_run(packed, "b").ran)


def test_rejected_jobs_are_separate_even_if_all_are_rejected(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", ONE, ["7"]), "a")
    assert list(run.ran.index) == ["w0!1"]
    assert list(run.never_ran) == ["w0!7"]
    # a run that rejected every job has none
    run = read_run(jobs_file("a", [], ["7"]), "a")
    assert (len(run.ran), run.processors) == (0, 0)


def test_machine_size_and_scheduling_time_come_from_the_schedule_file_if_there_is_one(
    jobs_file: JobsFile,
) -> None:
    path = jobs_file("a", ONE)
    schedule = "nb_computing_machines,scheduling_time\n64,1.5\n"
    path.with_name("a_schedule.csv").write_text(schedule)
    run = read_run(path, "a")
    assert (run.processors, run.scheduling_time) == (64, 1.5)
    # without a schedule file the machine is as large as was used
    run = read_run(jobs_file("b", [(0, 0, 10, 2), (0, 0, 5, 3), (0, 10, 5, 4)]), "b")
    assert (run.processors, run.scheduling_time) == (5, None)


def test_real_files_are_read_with_killed_jobs_and_schedule_files(shared: Path) -> None:
    run = read_run(shared / "golden/kth/easy_bf/out_jobs.csv.gz", "kth")
    assert (len(run.ran), run.killed, run.processors) == (28467, 513, 100)
    # the schedule file of a middle name is found
    run = read_run(shared / "m100-24h/big_out_jobs_easy_bf.csv.gz", "m100")
    assert (run.machine_processors, run.scheduling_time) == (15680, 240.739561)


@each_case(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"some,other,table\n1,2,3\n", "not a jobs file"),
        (b"job_id,workload_name,submission_time\n", "no column final_state, requested_number"),
        (b"\x89PNG\xff\xfe\n", "not a text file"),
        (gzip.compress(b"job_id,workload_name\n" * 99, mtime=0)[:-9], "incomplete or damaged"),
    ],
)
def test_a_file_that_is_not_a_jobs_file_gives_one_clear_error(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "x_jobs.csv"
    path.write_bytes(content)
    with pytest.raises(PredAwareError, match=said) as error:
        read_run(path, "x")
    assert str(path) in str(error.value)


@each_case(
    ("old", "new", "message"),
    [
        ("\n1,w0,D,0.0,", "\n1,w0,D,soon,", ":2: submission_time is 'soon', which is not a num"),
        ("\n2,w0", "\n1,w0", ":3: job w0!1 occurs twice"),
        (",6.0,7.0,", ",,7.0,", ":3: job w0!2 has no starting_time"),
        ("\n2,w0,D,", "\n2,w0,D,x,", ":3: submission_time is 'x', which is not a number"),
        ("\n2,w0,", '\n2,"w0,', "not a table: EOF inside string"),
    ],
)
def test_a_bad_line_is_named(jobs_file: JobsFile, old: str, new: str, message: str) -> None:
    path = jobs_file("a", [*ONE, (0.0, 6.0, 7.0, 1)])
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(PredAwareError, match=message):
        read_run(path, "a")


def test_an_undecodable_byte_is_reported_with_its_line(
    command: Command, jobs_file: JobsFile
) -> None:
    good, bad = jobs_file("good", ONE), jobs_file("bad", [*ONE, (0.0, 6.0, 7.0, 1)])
    bad.write_bytes(bad.read_bytes().replace(b",6.0,7.0,", b",\xb3.0,7.0,", 1))
    ended = command("compare", good, bad)
    said = "starting_time is '\ufffd.0', which is not a number\n"
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"pred-aware: error: {bad}:3: {said}"


def test_a_header_alone_and_a_missing_file_are_errors(jobs_file: JobsFile, tmp_path: Path) -> None:
    with pytest.raises(PredAwareError, match="has no jobs"):
        read_run(jobs_file("a", []), "a")
    # a missing file is named
    with pytest.raises(PredAwareError, match=r"nosuch_jobs\.csv: No such file"):
        read_run(tmp_path / "nosuch_jobs.csv", "x")
