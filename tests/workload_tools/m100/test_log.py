"""A made table: the real one, of 6,236,346 rows and 100 columns, is too large to be at hand."""

import gzip
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from tests.workload_tools.mutations import counted, mutated, signs
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.log import gather
from workload_tools.m100.log import PAPER_001, M100Log

TRES = "cpu=32,mem=237.50G,node=1,billing=32,gres/gpu=4"
ROW = {
    "job_id": 1,
    "user_id": 12,
    "qos": "normal",
    "time_limit": 1440,
    "run_time": 60,
    "partition": "m100_usr_prod",
    "job_state": "COMPLETED",
    "submit_time": pd.Timestamp("2020-11-30 12:00:00", tz="UTC"),
    "start_time": pd.Timestamp("2020-11-30 12:01:00", tz="UTC"),
    "tres_req_str": TRES,
    "account": "lab",
    "unused": 0,
}
LARGE = TRES.replace("32", "512")
NOON = 1606737600.0  # 2020-11-30 12:00 UTC


def table(**changes: object) -> dict[str, Any]:
    return {**ROW, **changes}


DAY_BEFORE = pd.Timestamp("2020-11-29 12:00:00", tz="UTC")
ROWS = [
    table(),
    table(job_id=2, job_state="TIMEOUT"),
    table(job_id=3, partition="m100_sys_test"),
    table(job_id=4, tres_req_str=None),
    table(job_id=5, tres_req_str="cpu=4,mem=8000M,node=1,billing=4"),
    table(job_id=6, time_limit=None),
    table(job_id=7, run_time=0),
    table(job_id=8, submit_time=DAY_BEFORE - pd.Timedelta(seconds=1)),
    table(job_id=9, submit_time=DAY_BEFORE, tres_req_str=LARGE),
    table(job_id=10, job_state="RUNNING"),
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    frame = pd.DataFrame(rows)
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return path


@each_case("name", ["jobs.parquet", "jobs.csv"])
def test_the_steps_of_paper_001_are_counted_one_by_one(tmp_path: Path, name: str) -> None:
    log = M100Log(write(tmp_path / name, ROWS), **PAPER_001)
    jobs = list(log.jobs())
    assert [(job.id, job.processors) for job in jobs] == [("1", 32), ("9", 256)]
    assert log.report.to_dict() == {
        "read": 10,
        "kept": 2,
        "dropped": {
            "left out: job_state is not COMPLETED": 2, "left out: no gres/gpu in tres_req_str": 1,
            "left out: no time_limit": 1, "left out: no tres_req_str": 1,
            "left out: partition is not m100_usr_prod": 1, "run time of 0 s": 1,
            "submitted before the last 24 h": 1,
        },
        "repaired": {"more than 256 processors: reduced to 256": 1},
    }  # fmt: skip


@each_case("name", ["jobs.parquet", "jobs.csv"])
def test_a_row_becomes_a_job_with_all_its_fields(tmp_path: Path, name: str) -> None:
    (job,) = M100Log(write(tmp_path / name, ROWS[:1])).jobs()
    assert job == Job(
        id="1", submit_time=NOON, processors=32, run_time=60.0, walltime=86400.0, user="12",
        project="lab", partition="m100_usr_prod", qos="normal", nodes=1, gpus=4, memory=237.5,
        requested_processors=32, wait_time=60.0, status=1, state="COMPLETED",
    )  # fmt: skip


@each_case("name", ["jobs.parquet", "jobs.csv"])
def test_requests_are_kept_or_counted_as_left_out(tmp_path: Path, name: str) -> None:
    asked = {
        "tres_req_str": "cpu=8,mem=8G,node=2,gres/gpu:v100=2,bb/datawarp=10G",
        "eligible_time": ROW["start_time"],
        "ntasks_per_node": 4,
        "req_switch": 1,
        "restart_cnt": 0,
    }
    log = M100Log(write(tmp_path / name, [table(**asked), table(job_id=2, ntasks_per_node=65534)]))
    first, second = log.jobs()
    assert (first.gpu_type, first.gpus) == ("v100", 2)
    assert (first.tasks_per_node, first.eligible_time) == (4, NOON + 60.0)
    assert (second.tasks_per_node, second.eligible_time) == (None, None)
    assert log.report.left_out.jobs == {"burst buffers": 1, "topology: switches": 1}
    assert log.report.left_out.all_jobs == 2


def test_without_the_steps_every_job_that_ran_is_kept(tmp_path: Path) -> None:
    log = M100Log(write(tmp_path / "jobs.parquet", ROWS))
    assert {job.id: job.processors for job in log.jobs()} == {
        "1": 32, "2": 32, "3": 32, "5": 4, "6": 32, "8": 32, "9": 512,
    }  # fmt: skip
    found = log.report.dropped
    assert found == {"no number of processors": 1, "run time of 0 s": 1, "not ended: RUNNING": 1}


def test_jobs_submitted_before_the_window_are_kept_for_training(tmp_path: Path) -> None:
    log = M100Log(write(tmp_path / "jobs.csv", ROWS), **{**PAPER_001, "window_part": "before"})
    assert [job.id for job in log.jobs()] == ["8"]
    assert log.report.dropped["submitted in the last 24 h"] == 2


def test_a_folder_with_a_folder_for_each_month_is_one_table(tmp_path: Path) -> None:
    for month in ("year_month=20-06", "year_month=20-05"):
        (tmp_path / month).mkdir()
        write(tmp_path / month / "a_0.parquet", [table(job_id=month)])
    assert [job.id for job in M100Log(tmp_path).jobs()] == ["year_month=20-05", "year_month=20-06"]


@each_case("pack", [bytes, gzip.compress])
def test_the_table_of_marconi100_is_recognised(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = write(tmp_path / "jobs.csv", ROWS[:1])
    path.write_bytes(pack(path.read_bytes()))
    assert gather(open_log(path)).start_time == NOON
    path.unlink()
    assert isinstance(open_log(write(tmp_path / "jobs.parquet", ROWS[:1])), M100Log)
    assert isinstance(open_log(tmp_path), M100Log)


def test_a_repeated_row_is_one_job_and_a_later_equal_id_another(tmp_path: Path) -> None:
    later = table(submit_time=DAY_BEFORE)
    log = M100Log(write(tmp_path / "jobs.csv", [ROW, ROW, later]))
    assert [job.id for job in log.jobs()] == ["1", "1.2"]
    assert log.report.dropped == {"same job_id and submission time as a row above": 1}


@each_case(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n1,2\n", "lacks the column 'user_id'"),
        (b"PAR1 and then nothing", "damaged Parquet"),
        (b"\x1f\x8b\x08 and then nothing", "damaged gzip|cannot be read"),
    ],
)
def test_a_file_that_is_not_a_job_table_is_an_error(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "table"
    path.write_bytes(content)
    with pytest.raises(LogError, match=message):
        list(M100Log(path).jobs())


def test_with_strict_a_damaged_row_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "jobs.csv", ROWS[:1])
    path.write_text(path.read_text() + "1,2,3\n")
    with pytest.raises(LogError, match=r"jobs\.csv:2: line with a different number of fields"):
        list(M100Log(path, strict=True).jobs())


def test_mutated_lines_are_counted_without_an_error(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311 - not for secrets
    header, line = write(tmp_path / "jobs.csv", ROWS[:1]).read_bytes().splitlines()
    alphabet = signs(b'\x00,.=:;"\n\r-+ 0123456789eEx\xff\xc3')
    lines = [mutated(line, rng, alphabet=alphabet, edits=4, longest=3) for _ in range(1_500)]
    path = tmp_path / "mutated.csv"
    path.write_bytes(b"\n".join([header, *lines]))
    log = M100Log(path)
    jobs = counted(log)
    assert log.report.read > 1_000
    assert len(jobs) > 20
    assert all(job.processors >= 1 and job.run_time > 0 for job in jobs)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.binary(max_size=120), max_size=20))
def test_any_bytes_after_the_header_are_counted(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = write(tmp_path_factory.mktemp("any") / "jobs.csv", ROWS[:1])
    path.write_bytes(path.read_bytes() + b"\n".join(lines))
    counted(M100Log(path))


def test_damaged_parquet_is_read_or_gives_an_error(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311 - not for secrets
    path = write(tmp_path / "jobs.parquet", ROWS)
    good = path.read_bytes()
    refused = 0
    for _ in range(40):
        damaged = bytearray(good[: rng.randint(1, len(good)) if rng.random() < 0.1 else None])
        for _ in range(rng.randint(1, 5)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            counted(M100Log(path))
        except LogError:
            refused += 1
    assert 0 < refused < 40


def test_repairs_are_counted_for_kept_jobs(tmp_path: Path) -> None:
    rows = [table(tres_req_str=LARGE), table(tres_req_str=LARGE), table(job_id=2, time_limit=None)]
    rows[2]["tres_req_str"] = LARGE
    path = write(tmp_path / "jobs.csv", rows)
    log = open_log(path, options={"largest": 256, "missing_walltime": "drop"})
    assert [job.id for job in log.jobs()] == ["1"]
    assert log.report.repaired == {"more than 256 processors: reduced to 256": 1}
