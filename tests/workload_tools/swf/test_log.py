import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from workload_tools.errors import LogError
from workload_tools.swf.log import read_swf

# writes a log of these lines
Write = Callable[..., Path]

HEADER = "; Version: 2.2\n; UnixStartTime: 1000\n; MaxNodes: 8\n; MaxProcs: 64 (32, 32)\n"


def line(number: int = 1, **fields: float | str) -> str:
    """Write a line of a log: 4 processors for 100 s by default."""
    names = [
        "number", "submit", "wait", "run", "allocated", "cpu", "used", "requested", "walltime",
        "memory", "status",
    ]  # fmt: skip
    names += ["user", "group", "executable", "queue", "partition", "preceding", "think"]
    values = dict.fromkeys(names, -1) | {"number": number, "submit": 10 * number, "run": 100}
    values |= {"allocated": 4, "requested": 4, "walltime": 3600, "status": 1}
    return " ".join(str(value) for value in (values | fields).values())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_log(*lines: str, header: str = HEADER) -> Path:
        path = tmp_path / "log.swf"
        path.write_text(header + "".join(f"{text}\n" for text in lines))
        return path

    return write_log


def test_every_field_of_a_job_is_kept(write: Write) -> None:
    fields = {"wait": 5, "used": 1048576, "memory": 2097152, "user": 7, "group": 8, "think": 3}
    fields |= {"executable": 9, "queue": 0, "partition": 2, "preceding": 1, "allocated": 8}
    (job,) = read_swf(write(line(3, **fields)))[0].jobs
    assert (job.id, job.submit_time, job.processors, job.run_time) == ("3", 0.0, 4, 100.0)
    assert (job.user, job.group, job.executable) == ("7", "8", "9")
    assert (job.queue, job.partition, job.preceding_job) == ("0", "2", "1")
    assert (job.wait_time, job.think_time, job.status) == (5.0, 3.0, 1)
    assert (job.requested_processors, job.allocated_processors) == (4, 8)
    # KB for each processor in the log, GiB for the whole job here
    assert (job.memory, job.used_memory) == (8.0, 8.0)


def test_unknown_values_are_none(write: Write) -> None:
    (job,) = read_swf(write(line(walltime=-1, status=-1, allocated=-1)))[0].jobs
    assert job.walltime is None
    assert job.user is job.queue is job.memory is job.status is job.wait_time is None
    assert job.allocated_processors is None


def test_the_header_gives_the_machine_and_the_date(write: Write) -> None:
    header = HEADER + "; TimeZoneString: Europe/Paris\n"
    workload, _ = read_swf(write(line(2), header=header))
    assert (workload.processors, workload.nodes) == (64, 8)
    assert (workload.start_time, workload.time_zone) == (1020.0, "Europe/Paris")


def test_the_user_can_give_the_size_of_the_machine(write: Write) -> None:
    assert read_swf(write(line(), header=""))[0].processors is None
    assert read_swf(write(line()), machine_processors=100)[0].processors == 100


def test_a_machine_given_by_nodes_has_as_many_processors(write: Write) -> None:
    assert read_swf(write(line(), header="; MaxNodes: 8\n"))[0].processors == 8


@each_case(
    ("first", "requested", "allocated", "expected"),
    [
        ("requested", 4, 8, 4),
        ("requested", -1, 8, 8),
        ("allocated", 4, 8, 8),
        ("allocated", 4, 0, 4),
    ],
)
def test_the_size_is_the_requested_or_else_the_allocated_number(
    write: Write, first: str, requested: int, allocated: int, expected: int
) -> None:
    log = write(line(requested=requested, allocated=allocated))
    workload, report = read_swf(log, processors_from=first)
    assert workload.jobs[0].processors == expected
    assert report.repaired.total() == (1 if min(requested, allocated) <= 0 else 0)


def test_jobs_without_size_or_run_time_are_dropped_and_counted(write: Write) -> None:
    log = write(
        line(1, requested=-1, allocated=0), line(2, run=0), line(3, run=-1), line(4, run=-9),
        line(5),
    )  # fmt: skip
    workload, report = read_swf(log)
    assert [job.id for job in workload.jobs] == ["5"]
    assert (report.read, report.kept, report.dropped.total()) == (5, 1, 4)
    expected = {"no number of processors", "run time of 0 s", "no run time", "negative run time"}
    assert set(report.dropped) == expected


def test_strict_names_the_first_job_that_would_be_dropped(write: Write) -> None:
    with pytest.raises(LogError, match=r"log\.swf:6: job '2': run time of 0 s"):
        read_swf(write(line(1), line(2, run=0), line(3, run=-1)), strict=True)


def test_a_missing_walltime_stays_missing_is_given_or_drops_the_job(write: Write) -> None:
    log = write(line(1, walltime=-1), line(2, walltime=50))
    assert [job.walltime for job in read_swf(log)[0].jobs] == [None, 50.0]
    assert [job.id for job in read_swf(log, missing_walltime="drop")[0].jobs] == ["2"]
    workload, report = read_swf(log, missing_walltime=600.0)
    assert [job.walltime for job in workload.jobs] == [600.0, 50.0]
    assert dict(report.repaired) == {"no walltime: set to --missing-walltime": 1}


def test_jobs_beyond_their_walltime_and_cancelled_jobs_are_kept(write: Write) -> None:
    jobs = read_swf(write(line(1, run=90, walltime=60), line(2, status=5)))[0].jobs
    assert [(job.run_time, job.walltime) for job in jobs] == [(90.0, 60.0), (100.0, 3600.0)]


def test_a_job_larger_than_the_machine_is_kept(write: Write) -> None:
    assert read_swf(write(line(requested=65)))[0].jobs[0].processors == 65


def test_jobs_are_sorted_by_submission_and_begin_at_zero(write: Write) -> None:
    log = write(line(1, submit=7.3), line(2, submit=5.1), line(3, submit=7.3))
    workload, report = read_swf(log)
    found = [(job.id, job.submit_time) for job in workload.jobs]
    assert found == [("2", 0.0), ("1", 7.3 - 5.1), ("3", 7.3 - 5.1)]
    assert report.repaired["submitted before the line above: sorted"] == 1
    assert workload.start_time == 1005.1


def test_a_number_used_twice_gets_a_suffix(write: Write) -> None:
    workload, report = read_swf(write(line(1), line(1, submit=20), line(1, submit=30)))
    assert [job.id for job in workload.jobs] == ["1", "1.2", "1.3"]
    assert report.repaired["job number used before: a suffix added"] == 2


def test_partial_executions_are_dropped_if_the_job_has_a_line(write: Write) -> None:
    workload, report = read_swf(write(line(1), line(1, status=2), line(1, status=3)))
    assert len(workload.jobs) == 1
    assert report.read == report.kept + report.dropped.total() == 3


def test_cerits_lines_end_with_queue_and_nodes(write: Write) -> None:
    text = line(memory=2**31, queue=-1) + " {1,1,2,2} q_1d 2:ppn=2:x86_64:brno#excl"
    (job,) = read_swf(write(text, header=""))[0].jobs
    assert (job.queue, job.nodes, job.memory) == ("q_1d", 2, 2.0)
    assert (job.tasks_per_node, job.features, job.exclusive) == (2, "x86_64&brno", True)


def test_fields_left_out_of_cerits_lines_are_counted(write: Write) -> None:
    rows = [
        line(1) + " {1} q 1:ppn=x",
        line(2) + " {1} q 1:ppn=1+1:ppn=2",
        line(3) + " {1} q 1:ppn=2",
    ]
    _, report = read_swf(write(*rows, header=""))
    assert report.left_out.jobs == {
        "an invalid PBS specification": 1,
        "chunks with different requests": 1,
    }


def test_frontiers_lines_end_with_gpus_soft_walltime_and_nodes(write: Write) -> None:
    header = "; MaxNodes: 9408\n; MaxProcs: 602112\n"
    rows = [
        line(1, requested=589824, allocated=589824) + " 42016 3600 frontier:excl:5252x112",
        line(2, requested=4, allocated=4) + " -1 -1 frontier:excl:4x112",
    ]
    workload, report = read_swf(write(*rows, header=header))
    told = [(job.processors, job.nodes, job.gpus, job.soft_walltime) for job in workload.jobs]
    assert told == [(5252, 5252, 42016, 3600.0), (4, 4, None, None)]
    assert (workload.processors, workload.nodes) == (9408, 9408)
    assert report.repaired == {
        "size: nodes in field 21 used, because field 8 may be in nodes or cores": 1
    }


@each_case(
    ("extra", "message"),
    [
        (" 1 2 3", "the fields 19 to 21 are '1', '2' and '3'. They must be hosts, queue and PBS"),
        (" many 2 frontier:excl:4x112", "or GPUs, soft walltime and system:mode:NODESxCORES"),
        (" {1} q_1d 1:ppn=2", "are as in CERIT-SC's logs, but as in Frontier's on the lines above"),
    ],
)
def test_another_number_of_fields_is_refused(write: Write, extra: str, message: str) -> None:
    path = write(line(1) + " 8 3600 frontier:excl:1x112", line(2) + extra, header="")
    with pytest.raises(LogError, match=r":2: the fields 19 to 21") as error:
        read_swf(path)
    assert message in str(error.value)


@each_case(
    ("text", "message"),
    [
        (line(2).rsplit(" ", 1)[0], "17 fields instead of 18"),
        (line(2) + " 5", "19 fields instead of 18"),
        (line(2, run="long"), "field 'run time' is 'long', not a number"),
        (line(2, user="nan"), "field 'user' is 'nan', not a number"),
        (line(2, submit="1_000"), "field 'submit time' is '1_000', not a number"),
        (line(2, walltime="inf"), "field 'requested time' is 'inf', not a number"),
        (line(2, requested="1.5"), "field 'requested processors' is '1.5', not a whole number"),
        (line(2, requested="1e300"), "'1e300' is too large"),
        ("once upon a time", "4 fields instead of 18"),
    ],
)
def test_a_line_that_is_not_swf_is_an_error_with_its_number(
    write: Write, text: str, message: str
) -> None:
    with pytest.raises(LogError) as error:
        read_swf(write(line(1), text, line(3)))
    assert message in str(error.value)
    assert error.value.line == 6


@each_case("text", ["", HEADER, "\n\n"])
def test_a_log_without_jobs_is_an_error(write: Write, text: str) -> None:
    with pytest.raises(LogError, match="has no jobs"):
        read_swf(write(header=text))


def test_blank_lines_tabs_carriage_returns_and_late_comments_are_ignored(write: Write) -> None:
    log = write(line(1).replace(" ", "\t") + "\r", "", "  ; said later", line(2))
    assert read_swf(log)[1].to_dict()["read"] == 2


def test_gzip_is_recognised_by_its_content(write: Write, tmp_path: Path) -> None:
    plain = write(line(1), line(2))
    packed = tmp_path / "named-like-text.swf"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_swf(packed) == read_swf(plain)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.integers(-2, 5), min_size=18, max_size=18), min_size=1, max_size=20),
    st.sampled_from(["keep", "drop", 60.0]),
)
def test_every_line_is_either_kept_or_dropped(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[list[int]],
    missing_walltime: Literal["keep", "drop"] | float,
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.swf"
    path.write_text("".join(f"{' '.join(map(str, numbers))}\n" for numbers in lines))
    workload, report = read_swf(path, missing_walltime=missing_walltime)
    assert report.read == len(lines) == report.kept + report.dropped.total()
    assert report.kept == len(workload.jobs) == len({job.id for job in workload.jobs})
    assert all(job.run_time > 0 and job.processors > 0 for job in workload.jobs)
    assert [job.submit_time for job in workload.jobs][:1] in ([], [0.0])


# Figures counted with awk over the logs: lines without ';' and, of these, those with a positive
# run time (field 4) and a positive size (field 8, else 5).
REAL_LOGS = {
    "ANL-Intrepid-2009-1": (68936, 68936, 163840),
    "CEA-Curie-2011-2.1-cln": (312826, 295540, 93312),
    "DOST-ASTI_COARE-Saliksik-2020-cln": (19760, 19760, 1728),
    "HPC2N-2002-2.2-cln": (202871, 202871, 240),
    "KTH-SP2-1996-2.1-cln": (28476, 28467, 100),
    "SDSC-DS-2004-2.1-cln": (96069, 84893, 1664),
    "UniLu-Gaia-2014-1": (51987, 51859, 2004),
    "wagap-2013": (17900, 17898, 2176),
}


QUICK = ("DOST-ASTI_COARE-Saliksik-2020-cln",)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in REAL_LOGS],
)
def test_real_logs_are_read_to_the_last_line(shared: Path, name: str) -> None:
    workload, report = read_swf(shared / "traces" / f"{name}.swf.gz")
    assert (report.read, report.kept, workload.processors) == REAL_LOGS[name]
    assert report.read == report.kept + report.dropped.total()
    assert len(workload.jobs) == report.kept
    assert workload.jobs[0].submit_time == 0.0
    assert workload.jobs[-1].submit_time == max(job.submit_time for job in workload.jobs)


@each_case("words", ["Sat Feb  1 08:00:00 PST 2020", "2020-02-01 08:00", "1 Feb 2020"])
def test_a_header_with_swapped_dates_still_gives_the_date(write: Write, words: str) -> None:
    path = write(line(), header=f"; UnixStartTime: {words}\n; StartTime: 1580544000\n")
    assert read_swf(path)[0].start_time == 1580544010.0
    path = write(line(), header=f"; UnixStartTime: 1000\n; StartTime: {words}\n")
    assert read_swf(path)[0].start_time == 1010.0


def test_a_second_log_in_the_file_begins_at_its_start(write: Write) -> None:
    path = write(f"{line(1)}\n; UnixStartTime: 5000\n; MaxProcs: 8\n{line(2)}\n{line(3)}\n")
    workload, report = read_swf(path)
    assert [job.submit_time for job in workload.jobs] == [0, 4010, 4020]
    assert workload.processors == 64
    moved = "another header with another UnixStartTime: submission times moved"
    assert report.repaired == {moved: 2}
