"""Tables read through maps: what becomes of each cell, and of rows that make no job."""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.suites import each_case
from tests.workload_tools.table.tables import COLUMNS, HEADER, opened, read, write
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.job import Job
from workload_tools.log import gather
from workload_tools.table.log import TableLog

ROW = "7,1600000000,60,120,4\n"


def test_ten_lines_of_a_map_turn_a_table_into_jobs(tmp_path: Path) -> None:
    (job,) = read(tmp_path, HEADER + ROW)
    assert job == Job(id="7", submit_time=1.6e9, run_time=60.0, walltime=120.0, processors=4)


def test_invalid_rows_are_counted_by_reason(tmp_path: Path) -> None:
    rows = [
        ROW, "8,1600000000,0,120,4\n", "9,1600000000,,120,4\n", "10,1600000000,-5,120,4\n",
        "11,,60,120,4\n", "12,1600000000,60,120,0\n", "13,1600000000,60,120,many\n",
        "14,soon,60,120,4\n", "15,1600000000,long,120,4\n", "16,1600000000,60,120\n", ROW,
        "7,1600000001,60,soon,4\n", "18,1600000000,60,120,1.5\n",
    ]  # fmt: skip
    log = opened(tmp_path, HEADER + "".join(rows))
    assert [job.id for job in log.jobs()] == ["7", "7.2"]
    assert log.report.to_dict() == {
        "read": 13,
        "kept": 2,
        "dropped": {
            "line with a different number of fields than the first": 1, "negative run time": 1,
            "no number of processors": 1, "no run time": 1, "no submission time": 1,
            "processors is not a whole number": 2, "run time of 0 s": 1,
            "run_time is not a number of seconds": 1,
            "same job_id and submission time as a row above": 1,
            "submit_time is not a date": 1,
        },
        "repaired": {
            "job_id used before: suffix added": 1,
            "walltime is not a number of seconds: none": 1,
        },
    }  # fmt: skip


def test_with_strict_the_first_row_without_a_time_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"jobs\.csv:3: no run time; without --strict"):
        read(tmp_path, HEADER + ROW + "8,1600000000,,120,4\n", strict=True)


@each_case(
    ("said", "cell", "seconds"),
    [
        ('"run"', "90.5", 90.5),
        ('{ from = "run", unit = "minutes" }', "1.5", 90.0),
        ('{ from = "run", unit = "milliseconds" }', "1500", 1.5),
        ('{ from = "run", unit = "hours" }', "2", 7200.0),
        ('{ from = "run", unit = "d-hh:mm:ss" }', "1-00:00:03", 86403.0),
        ('{ from = "run", unit = "d-hh:mm:ss" }', "100:00:00", 360000.0),
        ('{ from = "run", unit = "d-hh:mm:ss" }', "0 days 00:01:30.500000", 90.5),
        ('"run * 60"', "2", 120.0),
        ('"first(other, run)"', "3", 3.0),
        ('["other", "run"]', "3", 3.0),
        ('"if(run > 100, run / 10, run)"', "200", 20.0),
        ("{ from = \"run\", pattern = 'wall=([0-9]+)' }", "cpu=3;wall=44", 44.0),
        ("\"number(after(run, '='))\"", "wall=44", 44.0),
    ],
)
def test_run_times_can_have_many_units(
    tmp_path: Path, said: str, cell: str, seconds: float
) -> None:
    table_map = COLUMNS.replace('run_time = "run"', f"run_time = {said}")
    (job,) = read(
        tmp_path, f"job,submit,run,limit,cpus,other\n7,1600000000,{cell},,4,\n", table_map
    )
    assert job.run_time == seconds


@each_case(
    ("said", "cell", "date"),
    [
        ('"submit"', "1600000000", 1.6e9),
        ('{ from = "submit", unit = "milliseconds" }', "1600000000500", 1600000000.5),
        ('"submit"', "2020-09-13 12:26:40", 1.6e9),
        ('"submit"', "2020-09-13T14:26:40+02:00", 1.6e9),
        ('{ from = "submit", time_zone = "Europe/Berlin" }', "2020-09-13 14:26:40", 1.6e9),
        ('{ from = "submit", format = "%d.%m.%Y %H:%M", time_zone = "Europe/Berlin" }',
         "13.09.2020 14:26", 1.6e9 - 40),
        ('{ from = "submit", format = "%b %d %Y %I:%M %p" }', "Sep 13 2020 12:26 PM", 1.6e9 - 40),
    ],
)  # fmt: skip
def test_dates_can_have_many_forms(tmp_path: Path, said: str, cell: str, date: float) -> None:
    table_map = COLUMNS.replace('submit_time = "submit"', f"submit_time = {said}")
    (job,) = read(tmp_path, f"{HEADER}7,{cell},60,,4\n", table_map)
    assert job.submit_time == date


def test_a_number_after_the_year_9999_is_not_a_date(tmp_path: Path) -> None:
    log = opened(tmp_path, f"{HEADER}7,163561635640200,60,,4\n8,1600000000,60,,4\n", COLUMNS)
    assert [job.id for job in log.jobs()] == ["8"]


LOCAL = """
[machine]
time_zone = "Europe/Berlin"
[columns]
id = "job"
submit_time = "submit"
start_time = "start"
end_time = "end"
processors = "cpus"
"""


def test_dates_in_the_repeated_hour_of_autumn_are_counted_and_taken_as_the_first(
    tmp_path: Path,
) -> None:
    rows = (
        "job,submit,start,end,cpus\n"
        "1,2021-10-31 02:30:00,2021-10-31 02:40:00,2021-10-31 04:00:00,1\n"
        "2,2021-10-31 01:00:00,2021-10-31 02:50:00,2021-10-31 02:10:00,1\n"
        "3,2021-10-31 04:00:00,2021-10-31 04:00:00,2021-10-31 05:00:00,1\n"
    )
    log = opened(tmp_path, rows, LOCAL)
    jobs = list(log.jobs())
    assert [job.submit_time for job in jobs] == [1635640200.0, 1635634800.0, 1635649200.0]
    # the end cannot be before the start, so that it is in the second pass
    found = [(job.wait_time, job.run_time) for job in jobs]
    assert found == [(600.0, 8400.0), (6600.0, 1200.0), (0.0, 3600.0)]
    doubt = "date in an hour that a clock change repeats: first possible date used"
    assert log.report.repaired == {doubt: 2}


def test_end_and_run_time_resolve_a_start_in_the_repeated_hour(tmp_path: Path) -> None:
    rows = (
        "job,submit,start,end,run,cpus\n"
        "1,2021-10-31 01:00:00,2021-10-31 02:30:00,2021-10-31 04:00:00,5400,1\n"
        "2,2021-10-31 01:00:00,2021-10-31 02:30:00,2021-10-31 04:00:00,9000,1\n"
        "3,2021-10-31 02:10:00,2021-10-31 02:30:00,2021-10-31 04:00:00,5400,1\n"
    )
    log = opened(tmp_path, rows, LOCAL + 'run_time = "run"\n')
    first, second = 1635640200.0, 1635643800.0
    starts = [job.submit_time + (job.wait_time or 0.0) for job in log.jobs()]
    assert starts == [second, first, second]
    # of job 2 the pass stays the first, and of job 3 the submission's is unknown
    assert sum(log.report.repaired.values()) == 2


def test_dates_in_a_skipped_hour_are_reported(tmp_path: Path) -> None:
    rows = (
        "job,submit,start,end,cpus\n"
        "1,2021-03-28 02:30:00,2021-03-28 03:40:00,2021-03-28 04:00:00,1\n"
    )
    log = opened(tmp_path, rows, LOCAL)
    assert [job.submit_time for job in log.jobs()] == [1616895000.0]
    assert log.report.repaired == {
        "date in an hour that a clock change skips: check --time-zone": 1
    }


def test_states_give_the_status_and_unfinished_jobs(tmp_path: Path) -> None:
    states = '[states]\ncompleted = ["ok", 0]\nfailed = ["bad"]\nrunning = ["R"]\n'
    table_map = COLUMNS + 'state = "state"\n' + states
    cells = ["ok", "bad", "R", "odd", "0", ""]
    rows = "".join(f"{i},1600000000,60,120,4,{cell}\n" for i, cell in enumerate(cells, 1))
    log = opened(tmp_path, "job,submit,run,limit,cpus,state\n" + rows, table_map)
    found = [(job.state, job.status) for job in log.jobs()]
    assert found == [("ok", 1), ("bad", 0), ("odd", None), ("0", 1), (None, None)]
    assert log.report.dropped == {"not ended: R": 1}
    assert log.report.repaired == {"state not in the map: no status": 1}


def test_without_states_in_the_map_those_of_slurm_apply(tmp_path: Path) -> None:
    cells = ["COMPLETED", "CANCELLED by 12", "timeout", "RUNNING", "OUT_OF_ME+"]
    rows = "".join(f"{i},1600000000,60,120,4,{cell}\n" for i, cell in enumerate(cells, 1))
    log = opened(
        tmp_path, "job,submit,run,limit,cpus,state\n" + rows, COLUMNS + 'state = "state"\n'
    )
    found = [(job.state, job.status) for job in log.jobs()]
    assert found == [("COMPLETED", 1), ("CANCELLED", 5), ("timeout", 0), ("OUT_OF_MEMORY", 0)]
    assert log.report.dropped == {"not ended: RUNNING": 1}


@each_case(
    ("said", "cell", "gib"),
    [
        ('unit = "MiB"', "512", 0.5),
        ('unit = "bytes"', "1073741824", 1.0),
        ('unit = "with suffix"', "4000M", 3.90625),
        ('unit = "with suffix"', "16gb", 16.0),
        ('unit = "GiB", per = "node"', "8", 16.0),
        ('unit = "GiB", per = "processor"', "1", 4.0),
    ],
)
def test_memory_is_that_of_the_whole_job_in_gib(
    tmp_path: Path, said: str, cell: str, gib: float
) -> None:
    table_map = f'{COLUMNS}nodes = "nodes"\nmemory = {{ from = "mem", {said} }}\n'
    rows = f"job,submit,run,limit,cpus,nodes,mem\n7,1600000000,60,120,4,2,{cell}\n"
    (job,) = read(tmp_path, rows, table_map)
    assert job.memory == gib


def test_decimal_commas_and_array_ids_are_read(tmp_path: Path) -> None:
    table_map = (
        '[table]\ndelimiter = ";"\ndecimal = ","\n'
        + COLUMNS
        + "array = { from = \"job\", pattern = '^([0-9]+)\\[' }\n"
        + 'used_memory = { from = "mem", unit = "bytes" }\n'
    )
    rows = "job;submit;run;limit;cpus;mem\n16922[16921];1600000000;60,5;;4;1073741824,0\n"
    (job,) = read(tmp_path, rows, table_map)
    found = (job.id, job.array, job.run_time, job.used_memory)
    assert found == ("16922[16921]", "16922", 60.5, 1.0)


def test_empty_cells_are_missing_values(tmp_path: Path) -> None:
    table_map = COLUMNS + 'user = { from = "user", missing = ["nobody"] }\n'
    cells = ["-1", "NaN", "", "nobody", "None", "12.0", "3.5012304659472e+13"]
    rows = "".join(f"{i},1600000000,60,-1,4,{cell}\n" for i, cell in enumerate(cells, 1))
    jobs = read(tmp_path, "job,submit,run,limit,cpus,user\n" + rows, table_map)
    assert [job.user for job in jobs] == [None] * 5 + ["12", "35012304659472"]
    assert {job.walltime for job in jobs} == {None}


def test_rows_are_left_out_by_a_condition(tmp_path: Path) -> None:
    table_map = (
        COLUMNS
        + '[[drop]]\nwhere = "cpus > 8 or run < 10"\nreason = "no batch job"\n'
        + "[[drop]]\nwhere = \"job in ('3', '4')\"\n"
    )
    rows = "1,9,60,120,4\n2,9,60,120,16\n3,9,60,120,4\n5,9,5,120,4\n"
    log = opened(tmp_path, HEADER + rows, table_map)
    assert [job.id for job in log.jobs()] == ["1"]
    assert log.report.dropped == {"left out: no batch job": 2, "left out: job in ('3', '4')": 1}


JOINED = """
[columns]
id = "job"
submit_time = "submit"
run_time = "times.run"
processors = "sizes.cpus"
user = "times.user"
[[join]]
name = "times"
file = "times.csv"
on = "job"
to = "id"
[[join]]
name = "sizes"
file = "sizes.csv"
on = "job"
required = true
"""


def test_three_files_are_joined(tmp_path: Path) -> None:
    write(tmp_path, "id,run,user\n2,60,ann\n1,50,\n1,99,bob\n", "times.csv")
    write(tmp_path, "job,cpus\n1,4\n2,8\n", "sizes.csv")
    log = opened(tmp_path, "job,submit\n1,5\n2,6\n3,7\n", JOINED)
    jobs = [(job.id, job.run_time, job.processors, job.user) for job in log.jobs()]
    assert jobs == [("1", 50.0, 4, None), ("2", 60.0, 8, "ann")]
    assert log.report.dropped == {"no row in sizes.csv with its job": 1}
    assert log.report.repaired == {"several rows in times.csv with its job: first one used": 1}


def test_a_folder_a_glob_and_packed_files_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", HEADER + "2,6,60,120,4\n", "2.csv")
    (tmp_path / "parts" / "1.csv.gz").write_bytes(gzip.compress((HEADER + ROW).encode()))
    table_map = write(tmp_path, COLUMNS + '[table]\nfiles = ["*.csv", "*.csv.gz"]\n', "m.toml")
    folder = TableLog(tmp_path / "parts", map=str(table_map))
    assert [job.id for job in folder.jobs()] == ["7", "2"]
    by_glob = TableLog(tmp_path / "parts" / "*.csv*", map=str(table_map))
    assert [job.id for job in by_glob.jobs()] == ["7", "2"]


def test_parquet_gives_the_jobs_of_the_csv(tmp_path: Path) -> None:
    table_map = COLUMNS + 'user = "user"\n'
    from_csv = read(
        tmp_path,
        "job,submit,run,limit,cpus,user\n7,2020-09-13 12:26:40,60,120,4,ann\n8,,60,120,4,\n",
        table_map,
    )
    columns = {
        "job": [7, 8],
        "submit": pa.array([1600000000, None], pa.timestamp("s")),
        "run": pa.array([60_000, 60_000], pa.duration("ms")),
        "limit": [120.0, 120.0],
        "cpus": pa.array([4, 4], pa.int16()),
        "user": pa.array(["ann", None]).dictionary_encode(),
    }
    pq.write_table(pa.table(columns), tmp_path / "jobs.parquet")
    log = TableLog(tmp_path / "jobs.parquet", map=str(tmp_path / "mine.toml"))
    assert list(log.jobs()) == from_csv
    assert log.report.dropped == {"no submission time": 1}


SIZES = COLUMNS.replace('processors = "cpus"', "") + (
    '[size]\nnodes = "nodes"\ncores = "cpus"\ngpus = "gpus"\n[machine]\nnodes = 8\ncores = 64\n'
)
SIZED = "job,submit,run,limit,cpus,nodes,gpus\n"


def test_sizes_are_in_the_requested_unit(tmp_path: Path) -> None:
    rows = SIZED + "1,9,60,120,16,2,0\n"
    nodes = opened(tmp_path, rows, SIZES)
    (job,) = nodes.jobs()
    assert (job.processors, job.nodes, job.gpus, nodes.machine.processors) == (2, 2, 0, 8)
    cores = opened(tmp_path, rows, SIZES, size="cores")
    (job,) = cores.jobs()
    assert (job.processors, job.nodes, cores.machine.processors) == (16, 2, 64)


def test_without_nodes_sizes_are_in_the_available_unit(tmp_path: Path) -> None:
    assert [job.processors for job in read(tmp_path, SIZED + "1,9,60,,0,0,4\n", SIZES)] == [4]
    rows = "job,submit,run,limit,cpus\n1,9,60,,16\n"
    assert [job.processors for job in read(tmp_path, rows, SIZES)] == [16]


def test_a_map_beside_the_log_is_found(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + ROW)
    write(tmp_path, COLUMNS, "jobs.csv.map.toml")
    log = open_log(path)
    assert isinstance(log, TableLog)
    assert gather(log).start_time == 1.6e9


@pytest.mark.slow
def test_miras_map_gives_the_same_jobs_as_its_swf(shared: Path) -> None:
    log = open_log(shared / "mira" / "mira.csv.gz")
    jobs = gather(log).jobs
    same = gather(open_log(shared / "mira" / "mira.swf.gz")).jobs

    def told(job: Job) -> tuple[object, ...]:
        times = (job.submit_time, job.wait_time, job.run_time, job.walltime)
        return (*times, job.processors, job.status)

    assert [told(job) for job in jobs] == [told(job) for job in same]
    assert log.report.to_dict() == {"read": 22508, "kept": 22508, "dropped": {}, "repaired": {}}
    assert (len({job.user for job in jobs}), len({job.project for job in jobs})) == (160, 79)
    assert sum(job.run_time > (job.walltime or 0.0) for job in jobs) == 4261
    assert sum(job.state == "Killed" for job in jobs) == 4733


RECUT = (
    ",job,user,project,state,gpu_num,cpu_num,node_num,submit_time,wait_time,run_time,wall_time,"
    "node_hour,new_status\n"
)


@each_case(
    ("sizes", "options", "expected"),
    [
        ("0,32768.0,512.0", {}, 512),
        ("0,32768.0,512.0", {"size": "cores"}, 32768),
        ("0,0,512.0", {}, 512),
        ("4,0,0", {}, 4),
        ("4,24,0", {}, 24),
    ],
)
def test_miras_map_also_reads_similar_tables(
    tmp_path: Path, sizes: str, options: dict[str, str], expected: int
) -> None:
    row = f"0,35079,3.5e+13,4.5e+13,0,{sizes},1535348017.0,102306,17348.25,18000.0,1,Pass\n"
    log = open_log(write(tmp_path, RECUT + row), options=options)
    (job,) = log.jobs()
    assert (job.processors, job.run_time, job.user) == (expected, 17348.25, "35000000000000")


CERIT = (
    "; Format: job arrival wait run CPUs memory user queue walltime softwalltime\n"
    "16922[16921]  1633046400 5\t60 4 1073741824,0 17 q_2h 7200 3600\n"
    "16923 1633046401 0 60 1 536870912,5 18 default 86400 -1\n"
)


def test_cerits_log_with_soft_walltimes_is_recognised_and_read(tmp_path: Path) -> None:
    log = open_log(write(tmp_path, CERIT, "CERIT-soft-wall.txt"))
    jobs = list(log.jobs())
    found = [(job.id, job.array, job.walltime, job.soft_walltime) for job in jobs]
    assert found == [("16922[16921]", "16921", 7200.0, 3600.0), ("16923", None, 86400.0, None)]
    told = [(job.processors, job.user, job.queue, job.wait_time) for job in jobs]
    assert told == [(4, "17", "q_2h", 5.0), (1, "18", "default", 0.0)]
    assert jobs[0].memory == 1.0


def test_an_swf_with_other_fields_is_read_through_a_map(tmp_path: Path) -> None:
    table_map = (
        '[table]\ndelimiter = "whitespace"\ncomment = ";"\n'
        'header = ["job", "submit", "run", "cpus", "limit", "extra"]\n'
        + COLUMNS
        + 'soft_walltime = "extra"\n'
    )
    (job,) = read(tmp_path, "; MaxProcs: 4\n 1   9  60 4  120  90\n", table_map)
    assert (job.id, job.run_time, job.soft_walltime) == ("1", 60.0, 90.0)


def test_an_unsupported_compression_is_reported(tmp_path: Path) -> None:
    for begin, what in (
        (b"PK\x03\x04\x14", "is a ZIP; unpack it"),
        (b"BZh91AY", "with bzip2"),
    ):
        path = tmp_path / "jobs.csv"
        path.write_bytes(begin + b"\0\0\n")
        with pytest.raises(LogError, match=what):
            list(TableLog(path, map="eagle").jobs())


def test_decimal_minutes_become_whole_seconds(tmp_path: Path) -> None:
    seconds = range(1, 500)
    rows = "".join(f"{s},{s},{s / 60},{s / 60},4\n" for s in seconds)
    table_map = COLUMNS.replace('"run"', '{ from = "run", unit = "minutes" }').replace(
        '"limit"', '{ from = "limit", unit = "minutes" }'
    )
    jobs = list(opened(tmp_path, HEADER + rows, table_map).jobs())
    assert [(job.run_time, job.walltime) for job in jobs] == [(s, s) for s in seconds]


@pytest.mark.parametrize(
    "rows",
    ['1,"ann,0,60\n' + "2,bob,0,60\n" * 13_000, "1,ann," + "0" * (3 << 20) + ",60\n"],
    ids=["quote", "line"],
)
def test_a_row_without_an_end_is_an_error(tmp_path: Path, rows: str) -> None:
    path = write(tmp_path, "id,user,came,ran\n" + rows)
    columns = '[columns]\nsubmit_time = "came"\nrun_time = "ran"\nprocessors = "id"\n'
    table_map = write(tmp_path, columns, "mine.toml")
    with pytest.raises(LogError, match=r"jobs.csv:2: has a row of over 2 MB or a cell"):
        list(TableLog(path, map=str(table_map)).jobs())
