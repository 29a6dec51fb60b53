"""First maps: real logs written as a site's own tables come back through `log map suggest`."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from tests.suites import each_case
from tests.workload_tools.jobs import beginning
from tests.workload_tools.table.tables import read, write
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.table.log import TableLog
from workload_tools.table.suggest.first_map import suggest

LOGS = {
    "kth": "KTH-SP2-1996-2.1-cln.swf.gz",
    "hpc2n": "HPC2N-2002-2.2-cln.swf.gz",
    "saliksik": "DOST-ASTI_COARE-Saliksik-2020-cln.swf.gz",
}
SYDNEY = ZoneInfo("Australia/Sydney")
Layout = tuple[list[Path], list[tuple[str, str]]]


def in_seconds(frame: pd.DataFrame, folder: Path) -> Layout:
    """Other names, Unix dates, seconds; nothing to be corrected."""
    names = {"id": "JobID", "submit": "QueuedAt", "wait": "Waited", "run": "Elapsed"}
    names |= {"limit": "TimeLimit", "size": "NCPUS", "user": "Owner", "status": "Status"}
    frame.rename(columns=names).to_csv(folder / "jobs.csv", index=False)
    return [folder / "jobs.csv"], []


def in_minutes(frame: pd.DataFrame, folder: Path) -> Layout:
    """Minutes in two columns without a unit in their name; ends for starts."""
    out = pd.DataFrame(
        {
            "job number": frame.id, "arrival time": frame.submit, "wait (min)": frame.wait / 60,
            "duration": frame.run / 60, "requested walltime": frame.limit / 60,
            "processors": frame["size"], "user name": frame.user, "status": frame.status,
        }
    )  # fmt: skip
    out.to_csv(folder / "jobs.csv", index=False, sep=";")
    corrected = [
        ('run_time = "duration"', 'run_time = { from = "duration", unit = "minutes" }'),
        ("walltime = ", 'walltime = { from = "requested walltime", unit = "minutes" }'),
    ]
    return [folder / "jobs.csv"], corrected


def in_local_time(frame: pd.DataFrame, folder: Path) -> Layout:
    """Dates of a zone with summer time, which they do not tell, and durations as texts."""

    def local(seconds: float) -> str:
        return datetime.fromtimestamp(seconds, SYDNEY).strftime("%d.%m.%Y %H:%M:%S")

    def clock(seconds: float) -> str:
        if seconds < 0:
            return ""
        days, rest = divmod(int(seconds), 86400)
        return f"{days}-{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"

    out = pd.DataFrame(
        {
            "Job": frame.id, "Submitted": frame.submit.map(local), "Run Time": frame.run.map(clock),
            "Wait": frame.wait.map(clock), "Time Limit": frame.limit.map(clock),
            "Cores": frame["size"], "User": frame.user, "Status": frame.status,
        }
    )  # fmt: skip
    out.to_csv(folder / "jobs.csv", index=False, sep="\t")
    return [folder / "jobs.csv"], [("time_zone = ", 'time_zone = "Australia/Sydney"')]


def in_nodes(frame: pd.DataFrame, folder: Path) -> Layout:
    """Nodes of four cores for cores, the rest of a core as a fraction of a node; start and end."""
    start = frame.submit + frame.wait
    out = pd.DataFrame(
        {
            "job_id": frame.id, "submit_time": frame.submit, "start_time": start,
            "end_time": start + frame.run, "req_walltime": frame.limit, "nodes": frame["size"] / 4,
            "user": frame.user, "status": frame.status,
        }
    )  # fmt: skip
    out.to_csv(folder / "jobs.csv", index=False)
    return [folder / "jobs.csv"], [('processors = "nodes"', 'processors = "nodes * 4"')]


def as_parquet(frame: pd.DataFrame, folder: Path) -> Layout:
    frame = frame.assign(submit=pd.to_datetime(frame.submit, unit="s", utc=True))
    frame = frame.rename(columns={"limit": "time_limit", "size": "cpus", "run": "run_time"})
    frame.to_parquet(folder / "jobs.parquet")
    return [folder / "jobs.parquet"], []


def in_three_files(frame: pd.DataFrame, folder: Path) -> Layout:
    files = [folder / name for name in ("jobs.csv", "times.csv", "sizes.csv")]
    frame[["id", "submit", "user", "status"]].to_csv(files[0], index=False)
    shuffled = frame.sample(frac=1.0, random_state=1)
    times = shuffled[["id", "wait", "run", "limit"]].rename(columns={"id": "job_id"})
    times.to_csv(files[1], index=False)
    shuffled[["id", "size"]].rename(columns={"size": "cpus"}).to_csv(files[2], index=False)
    return files, []


def corrected(text: str, lines: list[tuple[str, str]]) -> str:
    """Change lines of a map as its user would by hand."""
    for begin, line in lines:
        at = [number for number, one in enumerate(text.split("\n")) if one.startswith(begin)]
        assert len(at) == 1, (begin, text)
        text = "\n".join([*text.split("\n")[: at[0]], line, *text.split("\n")[at[0] + 1 :]])
    return text


def told(job: Job) -> tuple[Any, ...]:
    times = (job.submit_time, job.run_time, job.walltime, job.wait_time)
    return (
        *(None if time is None else round(time, 3) for time in times),
        *(job.id, job.processors, job.user, job.status),
    )


@cache
def real_log(path: Path) -> tuple[dict[str, tuple[Any, ...]], float, pd.DataFrame]:
    """Read a log: the fields of its jobs, its start, and a table of them."""
    log = open_log(path)
    jobs = [*log.jobs()]
    zero = log.machine.start_time or 0.0
    frame = pd.DataFrame(
        {
            "id": [job.id for job in jobs],
            "submit": [int(job.submit_time + zero) for job in jobs],
            "wait": [-1 if job.wait_time is None else job.wait_time for job in jobs],
            "run": [job.run_time for job in jobs],
            "limit": [-1 if job.walltime is None else job.walltime for job in jobs],
            "size": [job.processors for job in jobs],
            "user": [job.user for job in jobs],
            "status": [job.status for job in jobs],
        }
    )
    return {job.id: told(job) for job in jobs}, zero, frame


@each_case("layout", [in_seconds, in_minutes, in_local_time, in_nodes, as_parquet, in_three_files])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("kth", marks=pytest.mark.slow),
        pytest.param("hpc2n", marks=pytest.mark.large),
        "saliksik",
    ],
)
def test_a_suggested_map_reads_a_real_log(
    shared: Path, tmp_path: Path, name: str, layout: Callable[[pd.DataFrame, Path], Layout]
) -> None:
    log = shared / "traces" / LOGS[name]
    jobs, zero, frame = real_log(beginning(log, tmp_path, 2500) if name == "saliksik" else log)
    files, lines = layout(frame, tmp_path)
    assert len(lines) <= 5
    text = corrected(suggest(files[0], files[1:]), lines)
    read = TableLog(files[0], map=str(write(tmp_path, text, "mine.toml")))
    found = {job.id: told(job) for job in read.jobs()}
    repeated = [
        value for reason, value in read.report.repaired.items() if "repeated hour" in reason
    ]
    expected = {name: (round(values[0] + zero, 3), *values[1:]) for name, values in jobs.items()}
    second_pass = {
        name
        for name, (date, *_) in expected.items()
        if layout is in_local_time and datetime.fromtimestamp(date, SYDNEY).fold
    }
    for job_id in second_pass:
        date, *rest = expected[job_id]
        expected[job_id] = (date - 3600.0, *rest)
    assert found == expected
    assert sum(repeated) >= len(second_pass)
    # in HPC2N's log alone jobs were submitted in such an hour
    assert len(second_pass) == (41 if name == "hpc2n" and layout is in_local_time else 0)


def test_doubts_about_a_suggestion_are_stated(tmp_path: Path) -> None:
    text = suggest(
        write(
            tmp_path,
            "job,submitted,elapsed,limit,cpus,state,extra\n"
            "1,2021-03-04 05:06:07,60,90,4,done,a\n2,2021-03-04 05:07:07,60,90,4,odd,b\n",
        )
    )
    assert 'time_zone = "UTC"    # not sure: the dates have no zone' in text
    assert 'run_time = "elapsed"    # not sure: in seconds?' in text
    assert "completed = [\"done\"]\n# not sure: the meaning of 'odd'" in text
    assert "# not used: 'extra'" in text


def test_walltimes_in_minutes_are_recognised_by_the_run_times(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i},{i + 5},{i + 5 + 55 * i},{i},4\n" for i in range(1, 40))
    text = suggest(write(tmp_path, "job,submit,start,end,limit,cpus\n" + rows))
    assert 'walltime = { from = "limit", unit = "minutes" }' in text


def test_unusual_column_names_are_quoted(tmp_path: Path) -> None:
    rows = 'job,submit,run,"CPUs ""\\\x1b"\n1,5,60,4\n'
    text = suggest(write(tmp_path, rows))
    assert "\x1b" not in text
    (job,) = read(tmp_path, rows, text)
    assert job.processors == 4


def test_tables_without_a_common_column_cannot_be_joined(tmp_path: Path) -> None:
    one = write(tmp_path, "job,submit\n1,5\n", "a.csv")
    with pytest.raises(LogError, match=r"b\.csv: cannot be joined: no column has the same name"):
        suggest(one, [write(tmp_path, "job,run\n7,60\n", "b.csv")])


def test_a_table_without_rows_has_no_map(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="has no rows"):
        suggest(write(tmp_path, "job,submit\n"))


def test_a_log_of_another_format_has_no_map(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("; Version: 2.2\n; Computer: X\n1 0 5 10 4 -1 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1\n")
    with pytest.raises(LogError, match=r"log\.swf: is not a table of jobs: its only column"):
        suggest(path)


def test_a_binary_file_has_no_map(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    for seed in range(20):
        path.write_bytes(np.random.default_rng(seed).bytes(4000))
        with pytest.raises(LogError, match=r"is not a table|has no rows|only column"):
            suggest(path)


def test_the_values_of_a_column_outweigh_its_name(tmp_path: Path) -> None:
    waits = [7, 0, 4000, 30] * 10
    rows = "".join(
        f"{i},{100 * i},{100 * i + wait},{100 * i + wait + 300},4,{wait},{i % 2}\n"
        for i, wait in enumerate(waits, 1)
    )
    text = suggest(write(tmp_path, "job,submit,start,end,cpus,queue,exit_status\n" + rows))
    assert 'wait_time = "queue"    # not sure' in text
    assert "\nqueue =" not in text
    assert "status =" not in text.replace("exit_status", "")
    assert 'completed = ["0"]' in text
    assert 'failed = ["1"]' in text
    numbered = "".join(f"{i},{i},{i + 5 * i},{i + 900},4,{i % 3}\n" for i in range(1, 40))
    text = suggest(write(tmp_path, "job,submit,start,end,cpus,queue\n" + numbered))
    assert 'queue = "queue"' in text


DATE = 1_709_287_200
"""A Unix date in seconds."""


MEANT_OTHERWISE = {
    "submit,start,end,walltime": (
        "{i},{s},{e},{r}", ['run_time = "walltime"    # not sure: it is called walltime, but']
    ),
    "submit,run_time,walltime": (
        "{i},{r},{r}", ["run_time = \"run_time\"    # not sure: 'walltime' is called walltime, but"]
    ),
    "submit,start,end,partition": ("{i},{s},{e},{k}", ['partition = "partition"']),
    "submit,start,duration": (
        "{i},{w},{r}", ['start_time = "start"    # not sure: its dates are mostly before']
    ),
    "submit,wait_time,run_time": (
        "{i},{s},{e}", ['# run_time = ""    # not sure', "# not used: 'wait_time', 'run_time'"]
    ),
    "submit,start,end,exit_status": (
        "{i},{s},{e},0:{k}", ['state = "exit_status"', 'completed = ["0:0"]', 'failed = ["0:1"]']
    ),
}  # fmt: skip


@pytest.mark.parametrize("header", MEANT_OTHERWISE)
def test_times_with_misleading_names_are_recognised(tmp_path: Path, header: str) -> None:
    row, lines = MEANT_OTHERWISE[header]
    rows = []
    for number in range(60):
        i, w, r = DATE + 100 * number, 37 * number % 3000, 60 + 611 * number % 9000
        rows.append(f"{number},4," + row.format(i=i, w=w, r=r, s=i + w, e=i + w + r, k=number % 2))
    text = suggest(write(tmp_path, f"job,cpus,{header}\n" + "\n".join(rows) + "\n"))
    assert [line for line in lines if f"\n{line}" not in text] == [], text


def test_raw_numbers_and_twelve_hour_dates_are_recognised(tmp_path: Path) -> None:
    table = write(
        tmp_path,
        "JobID,JobIDRaw,submitted,elapsed_s,cpus\n"
        "1_1,10,03/04/2021 12:06:07 AM,60,4\n1_2,11,03/14/2021 01:06:07 PM,60,4\n",
    )
    table.with_name(f"{table.name}.map.toml").write_text(suggest(table))
    first, second = open_log(table, format="table").jobs()
    assert (first.id, second.id) == ("10", "11")
    assert second.submit_time - first.submit_time == 10 * 86400 + 13 * 3600


@pytest.mark.parametrize(
    ("header", "row", "size", "line"),
    [
        ("cpusPerTask,ntasks", "4,3", 12, 'processors = "cpusPerTask * ntasks"\n'),
        (
            "gpus per worker,num_workers",
            "2,3",
            6,
            'processors = "`gpus per worker` * num_workers"\n',
        ),
        ("cores_per_node,nodes", "16,3", 48, 'cores = "cores_per_node * nodes"\n'),
        ("gpu_num,inst_num", "2,3", 6, 'processors = "gpu_num * inst_num"    # not sure: mostly'),
        (
            "gpus,workers",
            "4,3",
            4,
            'processors = "gpus"    # not sure: of the whole job, or per',
        ),
        ("gpus,workers", "6,3", 6, 'processors = "gpus"\n'),
        ("cpus,ntasks", "4,3", 4, 'processors = "cpus"\n'),
        (
            "cpus_per_task,user",
            "4,3",
            4,
            'processors = "cpus_per_task"    # not sure: per task',
        ),
    ],
)
def test_a_size_per_worker_is_multiplied_by_the_number_of_workers(
    tmp_path: Path, header: str, row: str, size: int, line: str
) -> None:
    rows = "".join(f"{i},{100 * i},60,{row}\n" for i in range(1, 9))
    table = write(tmp_path, f"job,submit,run_time_s,{header}\n{rows}")
    text = suggest(table)
    assert line in text
    mapped = TableLog(
        table, map=str(write(tmp_path, text, "m.toml")), size="cores" if "[size]" in text else None
    )
    assert {job.processors for job in mapped.jobs()} == {size}


@pytest.mark.parametrize(
    ("header", "memory"), [("mem_per_cpu_gb", 8), ("memory_per_node_gb", 4), ("mem_gb", 2)]
)
def test_memory_per_node_or_processor_is_recognised(
    tmp_path: Path, header: str, memory: int
) -> None:
    table = write(tmp_path, f"job,submit,run_s,nodes,cpus,{header}\n1,5,60,2,4,2\n2,6,60,2,4,2\n")
    mapped = TableLog(table, map=str(write(tmp_path, suggest(table), "m.toml")), size="cores")
    assert {job.memory for job in mapped.jobs()} == {memory}
