import gzip
from pathlib import Path

import pytest

from predictors import HistoryError, Submission
from predictors.history import load_history, read_csv, warm
from predictors.rules.past_runs import LastTwo
from predictors.submission import PastJob
from tests.suites import each_case

PAPER = "cpu,mem (GB),node,gres/gpu,user_id,qos,time_limit,run_time\n"


def written(folder: Path, text: str | bytes, name: str = "train_jobs.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_columns_of_paper_001_are_fields_of_a_submission(tmp_path: Path) -> None:
    path = written(tmp_path, PAPER + "128,237.5,1,4,93,0,86400,5\n")
    submission = Submission(
        id="line 2", submit_time=0.0, processors=128, memory=237.5, nodes=1, gpus=4, user="93",
        qos="0", walltime=86400.0,
    )  # fmt: skip
    assert load_history(path) == [PastJob(submission, run_time=5.0, end=0.0)]


def test_columns_can_have_any_order_and_unknown_ones_are_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, ",run_time,billing,queue,processors\n0,60.5,4,long,4\n")
    [job] = read_csv(path)
    assert (job.run_time, job.submission.queue, job.submission.processors) == (60.5, "long", 4)


def test_compressed_files_are_recognised_by_their_content(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"cpu,run_time\n4,60\n", mtime=0))
    assert [job.run_time for job in read_csv(path)] == [60.0]


def test_unknown_values_are_none(tmp_path: Path) -> None:
    job = load_history(written(tmp_path, PAPER + "4,,nan,,,,,60\n"))[0].submission
    assert (job.memory, job.nodes, job.gpus, job.user, job.qos, job.walltime) == (None,) * 6


def test_integers_written_with_decimals_are_read_as_integers(tmp_path: Path) -> None:
    [past] = load_history(written(tmp_path, PAPER + "4.0,1,2.0,,93.0,0.0,60,60\n"))
    job = past.submission
    assert (job.processors, job.nodes, job.user, job.qos) == (4, 2, "93", "0")


def test_ends_are_shifted_so_that_the_last_is_0(tmp_path: Path) -> None:
    rows = "cpu,user,run_time,submit_time,end_time\n1,b,10,100,500\n1,a,20,50,300\n"
    jobs = load_history(written(tmp_path, rows))
    found = [(job.submission.user, job.end, job.submission.submit_time) for job in jobs]
    assert found == [("a", -200.0, -450.0), ("b", 0.0, -400.0)]


def test_a_job_without_an_end_gets_that_of_the_previous_job(tmp_path: Path) -> None:
    rows = "cpu,user,run_time,end_time\n1,a,1,\n1,b,1,500\n1,c,1,\n1,d,1,700\n"
    jobs = load_history(written(tmp_path, rows))
    ends = {job.submission.user: job.end for job in jobs}
    assert [*ends.items()] == [("a", -200.0), ("b", -200.0), ("c", -200.0), ("d", 0.0)]


def test_a_run_time_is_limited_to_the_walltime(tmp_path: Path) -> None:
    [job] = load_history(written(tmp_path, "cpu,time_limit,run_time\n1,60,75\n"))
    assert job.run_time == 60.0


def test_warming_teaches_a_predictor_the_past(tmp_path: Path) -> None:
    path = written(tmp_path, "cpu,user_id,run_time\n1,7,100\n1,7,300\n")
    predictor = LastTwo()
    warm(predictor, load_history(path))
    assert predictor.predict(load_history(path)[0].submission, 0.0) == 200.0


@each_case(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("cpu,run_time\n", "no job to learn from"),
        ("run_time\n60\n", r":1: no column 'cpu'; the columns are 'run_time'"),
        ("cpu,time\n4,60\n", r":1: no column 'run_time'"),
        ("cpu,processors,run_time\n4,4,60\n", r":1: columns 'cpu' and 'processors' have the same"),
        ("cpu,run_time\n4,60\n4\n", r":3: 1 fields, but 2 columns"),
        ("cpu,run_time\n4,60\nfour,60\n", r":3: 'cpu' is 'four': not a number"),
        ("cpu,run_time\n4,inf\n", r":2: 'run_time' is 'inf': not a finite"),
        ("cpu,run_time\n4,-1\n", r":2: 'run_time' is '-1': it is below 0"),
        ("cpu,run_time\n4,\n", r":2: 'run_time' is empty"),
        ("cpu,run_time\n0,60\n", r":2: 'cpu' is '0'"),
        ("cpu,run_time\n1.5,60\n", r":2: 'cpu' is '1.5': not a whole"),
        ("cpu,time_limit,run_time\n1,0,60\n", r":2: 'time_limit' is '0'"),
        ('cpu,run_time\n"4,60\n', r"cannot be read as CSV"),
        (b"cpu,run_time\n4,\xff\xfe\n", "cannot be read as CSV"),
        (
            gzip.compress(b"cpu,run_time\n" + b"4,60\n" * 100, mtime=0)[:-12],
            "cannot be read as CSV",
        ),
    ],
)
def test_a_bad_table_gives_one_error_with_the_line(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(HistoryError, match=message) as caught:
        load_history(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match=r"nothing\.csv: cannot be read: No such file"):
        load_history(tmp_path / "nothing.csv")


@pytest.mark.parametrize("name", ["jobs.xls", "jobs", "jobs.gz"])
def test_a_table_is_recognised_by_its_first_line(tmp_path: Path, name: str) -> None:
    [job] = load_history(written(tmp_path, "user, run_time, cpu\nann,60,4\n", name))
    assert (job.submission.user, job.run_time) == ("ann", 60.0)


def test_a_file_that_is_neither_table_nor_log_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n1,2\n", "jobs.xls")
    with pytest.raises(
        HistoryError, match=r"jobs\.xls: is neither a CSV with .* nor a log of a known format"
    ):
        load_history(path)


def test_only_logs_take_options(tmp_path: Path) -> None:
    path = written(tmp_path, PAPER + "4,,,,,,,60\n")
    with pytest.raises(HistoryError, match="a table has no option 'strict'"):
        load_history(path, options={"strict": True})
    with pytest.raises(HistoryError, match="unknown format 'slrum' of past jobs"):
        load_history(path, format="slrum")
    assert len(load_history(path, format="csv")) == 1


@pytest.mark.parametrize(
    ("file", "jobs"),
    [
        ("golden/kth/workload.json.gz", 28467),
        ("golden/m100-512/workload.json.gz", 4407),
        ("traces/KTH-SP2-1996-2.1-cln.swf.gz", 28467),
    ],
)
def test_logs_and_workloads_can_be_histories(shared: Path, file: str, jobs: int) -> None:
    history = load_history(shared / file)
    assert len(history) == jobs
    ends = [job.end for job in history]
    assert ends == sorted(ends)
    assert ends[-1] == 0.0
    assert all(job.run_time <= (job.submission.walltime or job.run_time) for job in history)
