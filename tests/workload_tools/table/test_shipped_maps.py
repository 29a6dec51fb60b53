"""The shipped maps, each on a made file of the form that its publisher documents."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.suites import each_case
from tests.workload_tools.table.tables import write
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.table.log import TableLog
from workload_tools.table.shipped import shipped_names

NOON = pd.Timestamp("2022-01-10 12:00:00")
TIMES = {
    "submit_time": NOON,
    "start_time": NOON + pd.Timedelta(minutes=5),
    "end_time": NOON + pd.Timedelta(minutes=15),
}
UTC_TIMES = {name: date.tz_localize("UTC") for name, date in TIMES.items()}
SLURM = {
    "job_id": 7, "user_id": 3, "group_id": 4, "partition": 1, "qos": 0, "job_state": "COMPLETED",
    **UTC_TIMES, "run_time": 600, "num_nodes_alloc": 2, "num_nodes_req": 2, "num_cores_req": 256,
    "num_gpus_req": 8, "nodes": [1, 2],
}  # fmt: skip
ROWS: dict[str, dict[str, Any]] = {
    "eagle": {
        "job_id": 7, "user": "user0003", "account": "account0004", "partition": "standard",
        "qos": "normal", "state": "COMPLETED", **TIMES, "wallclock_req": 3600, "run_time": 600,
        "nodes_req": 2, "processors_req": 72, "gpus_req": 0, "mem_req": 184000.0, "name": "a.sh",
        "work_dir": "/x", "submit_line": "sbatch",
    },
    "kestrel": {
        "id": "7", "array_range": None, "user": "3f", "account": "9a", "partition": "short",
        "qos": "normal", "state": "COMPLETED", "state_simple": "COMPLETED", **TIMES,
        "wallclock_req": "01:00:00", "wallclock_used": "00:10:00", "nodes_req": 2,
        "processors_req": 208, "gpus_requested": 0,
    },
    "eagle-2024": {
        "id": "7",
        "user_hash": "3f",
        "account_hash": "9a",
        "partition": "standard",
        "qos": "normal",
        "state_simple": "COMPLETED",
        **{f"{name}_tz": date.tz_localize("UTC") for name, date in TIMES.items()},
        "wallclock_req": pd.Timedelta(hours=1),
        "nodes_req": 2,
        "processors_req": 72,
        "gpus_requested": 0,
    },
    "pm100": {**SLURM, "time_limit": 60},
    "adastra": {**SLURM, "time_limit": 3600},
    "fugaku": {
        "jid": "7", "usr": "user_3", "jnam": "name_1", "cnumr": 96, "nnumr": 2,
        "adt": TIMES["submit_time"], "sdt": TIMES["start_time"], "edt": TIMES["end_time"],
        "elpl": 3600, "duration": 601, "exit state": "completed", "pri": 127,
    },
    "lassen": {
        "allocation_id": 1, "primary_job_id": 7, "secondary_job_id": 0, "hashed_user_id": "3f",
        "num_nodes": 2, "job_submit_time": "2022-01-10 12:00:00",
        "begin_time": "2022-01-10 12:05:00.250000", "end_time": "2022-01-10 12:15:00.250000",
        "time_limit": 3600, "exit_status": 0,
    },
    "slurmdbd": {
        "id_job": 7, "id_array_job": 0, "id_array_task": 4294967294, "id_user": 3, "timelimit": 60,
        "nodes_alloc": 2, "tres_req": "1=80,2=1000,4=2,5=80", "state": 3, "time_submit": 1641816000,
        "time_start": 1641816300, "time_end": 1641816900,
    },
    "alcf": {
        "JOB_NAME": "7.theta", "COBALT_JOBID": 7, "MACHINE_NAME": "theta",
        "QUEUED_TIMESTAMP": "2022-01-10 12:00:00", "START_TIMESTAMP": "2022-01-10 12:05:00.5",
        "END_TIMESTAMP": "2022-01-10 12:15:00.5", "USERNAME_GENID": "35012", "EXIT_STATUS": 0,
        "PROJECT_NAME_GENID": "4508", "QUEUE_NAME": "default", "WALLTIME_SECONDS": 3600.0,
        "RUNTIME_SECONDS": 600.0, "NODES_REQUESTED": 2.0, "NODES_USED": 2.0,
        "CORES_REQUESTED": 128.0, "CORES_USED": 128.0, "LOCATION": "0-1",
    },
}  # fmt: skip
ZONES = {"eagle": 7, "kestrel": 7, "fugaku": -9, "lassen": 8}
BY_NAME = ("pm100", "adastra", "eagle-2024")


@each_case("form", ["csv", "parquet"])
@each_case("name", sorted(ROWS))
def test_a_row_of_each_log_becomes_a_job(tmp_path: Path, name: str, form: str) -> None:
    path = tmp_path / f"log.{form}"
    frame = pd.DataFrame([ROWS[name]])
    if form == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    log = TableLog(path, map=name) if name in BY_NAME else open_log(path)
    (job,) = log.jobs()
    told = (job.processors, job.run_time, job.walltime, job.status)
    assert told == (2, 600.0, 3600.0, 1)
    assert job.user
    assert job.id.startswith("7")
    assert job.wait_time is not None
    assert round(job.wait_time) == 300
    zone = 3600 * ZONES.get(name, 0)
    assert job.submit_time == 1641816000 + zone


def test_placeholder_walltimes_of_lassen_and_adastra_are_none(tmp_path: Path) -> None:
    for name, limit in (("lassen", 2147483647), ("adastra", 1641819600)):
        path = tmp_path / f"{name}.csv"
        pd.DataFrame([{**ROWS[name], "time_limit": limit}]).to_csv(path, index=False)
        (job,) = TableLog(path, map=name).jobs()
        assert job.walltime is None


@each_case("name", BY_NAME)
def test_tables_that_differ_only_in_units_are_not_guessed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "jobs.parquet"
    pd.DataFrame([ROWS[name]]).to_parquet(path)
    with pytest.raises(LogError, match="is a Parquet table with unknown columns"):
        open_log(path)


def test_a_slurmdbd_row_has_its_cores_and_array(tmp_path: Path) -> None:
    header = "id_job,id_array_job,id_user,timelimit,nodes_alloc,tres_req,state"
    header += ",time_submit,time_start,time_end\n"
    rows = "7,5,3,60,2,'1=80,4=2',4,100,200,300\n8,0,3,4294967295,2,1=40,1,100,200,0\n"
    path = write(tmp_path, header + rows.replace("'", '"'))
    log = TableLog(path, size="cores")
    (job,) = log.jobs()
    expected = Job(
        id="7", submit_time=100.0, processors=80, run_time=100.0, user="3", walltime=3600.0,
        nodes=2, wait_time=100.0, status=5, state="4", array="5",
    )  # fmt: skip
    assert job == expected
    assert log.report.dropped == {"not ended: 1": 1}
    suspended = header.replace("\n", ",time_suspended\n") + "7,5,3,60,2,1=80,3,100,200,300,30\n"
    (job,) = TableLog(write(tmp_path, suspended)).jobs()
    assert job.run_time == 70.0


def test_each_map_of_a_public_log_has_a_page_that_the_index_names() -> None:
    docs = Path(__file__).parents[3] / "docs" / "reference"
    index = (docs / "public-tables.md").read_text()
    pages = {path.stem for path in (docs / "public-tables").glob("*.md")}
    assert pages == set(shipped_names()) - {"m100", "pred-aware"}  # logs-m100.md has M100's
    for page in pages:
        assert f"[`{page}`](public-tables/{page}.md)" in index
