import sys
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.errors import MissingLibraryError
from workload_tools.formats import open_log
from workload_tools.job import Workload
from workload_tools.m100.log import M100Log
from workload_tools.swf.log import SwfLog
from workload_tools.table.writer import write_parquet_to

SWF = "; MaxProcs: 8\n1 100 0 60 4 -1 -1 4 120 -1 1 1 1 -1 1 -1 -1 -1\n"
M100 = (
    "tres_req_str,user_id,qos,time_limit,run_time,partition,job_state,submit_time\n"
    '"cpu=4,mem=8G,node=1",7,normal,60,30,prod,COMPLETED,100000\n'
)
ADVICE = (
    "this file needs pyarrow, which is not installed; run: "
    "pip install --no-deps --require-hashes -r requirements-tables.lock"
)


@pytest.fixture(autouse=True)
def _without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)


@each_case("name", [None, "m100", "table"])
def test_reading_parquet_without_its_library_names_the_extra(
    name: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "jobs.parquet"
    path.write_bytes(b"PAR1 and so on")
    options = {"map": "pm100"} if name == "table" else {}
    with pytest.raises(MissingLibraryError) as raised:
        list(open_log(path, format=name, options=options).jobs())
    assert str(raised.value) == f"{path}: {ADVICE}"


def test_a_text_table_is_read_without_the_library(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("id,came,ran,size\n1,0,60,4\n")
    (tmp_path / "jobs.csv.map.toml").write_text(
        '[columns]\nsubmit_time = "came"\nrun_time = "ran"\nprocessors = "size"\n'
    )
    (job,) = open_log(path).jobs()
    assert (job.processors, job.run_time) == (4, 60.0)


def test_writing_a_table_without_the_library_names_the_extra(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    with path.open("wb") as file, pytest.raises(MissingLibraryError) as raised:
        write_parquet_to(file, Workload(jobs=[], processors=4), path)
    assert str(raised.value) == f"{path}: {ADVICE}"


def test_other_logs_are_recognised_and_read_without_the_library(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(SWF)
    log = open_log(path)
    assert isinstance(log, SwfLog)
    assert len(list(log.jobs())) == 1


def test_marconi100s_text_table_is_read_without_the_library(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(M100)
    assert len(list(M100Log(path).jobs())) == 1
