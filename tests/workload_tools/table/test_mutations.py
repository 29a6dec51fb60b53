"""Damaged tables and maps: an error of one line or a report that adds up, never a traceback."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from tests.workload_tools.mutations import counted, mutated
from tests.workload_tools.table.tables import write
from workload_tools.errors import InputError
from workload_tools.table.log import TableLog
from workload_tools.table.suggest.first_map import suggest

MAP = """title = "made"
same_job = "id"
[table]
delimiter = ","
missing = ["n.n."]
[machine]
time_zone = "Europe/Berlin"
nodes = 4
[columns]
id = "job"
array = { from = "job", pattern = '^([0-9]+)_' }
user = ["user", "owner"]
submit_time = "submit"
start_time = { from = "start", format = "%d.%m.%Y %H:%M:%S" }
run_time = { from = "run", unit = "d-hh:mm:ss" }
walltime = "limit * 60"
memory = { from = "mem", unit = "with suffix", per = "node" }
state = "state"
[size]
nodes = "nodes"
cores = "if(cores > 0, cores, nodes * 16)"
[states]
completed = ["ok"]
running = ["R"]
[[drop]]
where = "nodes > 100 or user in ('root', 'test')"
reason = "no batch job"
[[join]]
name = "more"
file = "more.csv"
on = "job"
"""
ROWS = """job,user,owner,submit,start,run,limit,mem,state,nodes,cores
7_1,ann,,2021-10-31 01:59:59,31.10.2021 02:00:00,00:01:00,2,4000M,ok,2,32
7_2,,bob,2021-10-31 02:30:00,31.10.2021 02:40:00,1-00:00:01,1500,1G,bad,1,0
8,"ann, x",,2021-10-31T02:30:00+01:00,,00:00:00,,,R,4,64
9,eve,,1635640200,01.11.2021 00:00:00,02:00,10,16gb,ok,1,1
"""
SIGNS = [
    *("", "0", "-1", "1e999", "nan", "inf", "9" * 30, "-", '"', "'", ",", ";", "\n", "\r", "\t"),
    *("\0", "\x1b[31m", "\ufeff", "ß", "[", "]", "{", "}", "=", "(", ")", "`", "\\", "#", "%Y"),
    *("seconds", "minutse", "Europe/Nowhere", "nodes", "true", "1 / 0", "2021-13-45 99:99:99"),
    *("99:99", "12 parsecs", "0000-00-00", "9999-12-31 23:59:59", "1_000", "0x10", "½"),
]


def damaged(text: str, rng: random.Random) -> bytes:
    alphabet = [*(sign.encode() for sign in SIGNS), b"\x80", b"\xff"]
    return mutated(text.encode(), rng, alphabet=alphabet, edits=3, longest=12)


def tried(path: Path, table_map: Path) -> None:
    """Read a table, which may be refused in one line."""
    log = TableLog(path, map=str(table_map))
    try:
        jobs = counted(log)
    except InputError:
        return
    for job in jobs:
        assert job.processors >= 1
        assert 0.0 < job.run_time < 1e13
        assert 0.0 <= job.submit_time < 1e13
        assert job.walltime is None or 0.0 < job.walltime < 1e13


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.large)])
def test_damaged_rows_are_counted_or_refused(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - which faults, not a secret
    table_map = write(tmp_path, MAP, "mine.toml")
    write(tmp_path, "job,x\n7_1,2\n", "more.csv")
    for _ in range(80 if seed == 1 else 7_000):
        path = tmp_path / "jobs.csv"
        path.write_bytes(damaged(ROWS, rng))
        tried(path, table_map)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.large)])
def test_damaged_maps_are_refused_or_read(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - which faults, not a secret
    path = write(tmp_path, ROWS)
    write(tmp_path, "job,x\n7_1,2\n", "more.csv")
    for _ in range(100 if seed == 1 else 3_000):
        table_map = tmp_path / "mine.toml"
        table_map.write_bytes(damaged(MAP, rng))
        tried(path, table_map)


def test_damaged_tables_get_a_map_or_an_error(tmp_path: Path) -> None:
    rng = random.Random(3)  # noqa: S311 - which faults, not a secret
    for _ in range(60):
        path = tmp_path / "jobs.csv"
        path.write_bytes(damaged(ROWS, rng))
        try:
            text = suggest(path)
        except InputError:
            continue
        tried(path, write(tmp_path, text, "mine.toml"))


def test_damaged_parquet_is_an_error(tmp_path: Path) -> None:
    rng = random.Random(4)  # noqa: S311 - which faults, not a secret
    table_map = write(tmp_path, MAP, "mine.toml")
    write(tmp_path, "job,x\n7_1,2\n", "more.csv")
    table = pacsv.read_csv(pa.py_buffer(ROWS.encode()))
    path = tmp_path / "jobs.parquet"
    pq.write_table(table, path)
    whole = path.read_bytes()
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            content[rng.randrange(4, len(content))] = rng.randrange(256)
        path.write_bytes(content[: rng.randrange(len(content))] if rng.random() < 0.1 else content)
        tried(path, table_map)
