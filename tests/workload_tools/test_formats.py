import gzip
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools import formats
from workload_tools.errors import LogError
from workload_tools.formats import open_log
from workload_tools.log import gather
from workload_tools.swf.line import STANDARD_FIELDS

SWF = "; MaxProcs: 8\n1 100 0 60 4 -1 -1 4 120 -1 1 1 1 -1 1 -1 -1 -1\n"


@each_case("pack", [bytes, gzip.compress])
def test_a_log_in_the_standard_workload_format_is_recognised(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(SWF.encode()))
    log = open_log(path)
    workload = gather(log)
    assert [(job.id, job.submit_time, job.processors) for job in workload.jobs] == [("1", 0.0, 4)]
    assert (log.report.read, log.report.kept, workload.processors) == (1, 1, 8)


def test_a_folder_of_pbs_records_is_not_taken_for_an_swf_log(
    tmp_path: Path,
) -> None:
    words = " ".join(f"resources_used.r{number}=1" for number in range(9))
    (tmp_path / "20240301").write_text(
        "03/01/2024 11:00:00;E;7.srv;user=ann queue=q ctime=900 start=1000 end=1060 "
        f"Resource_List.ncpus=2 Exit_status=0 resources_used.walltime=00:01:00 {words}\n"
    )
    assert len((tmp_path / "20240301").read_text().split()) == STANDARD_FIELDS
    assert formats.recognised(tmp_path) == ["pbs"]


def test_a_batsim_workload_is_read_as_a_log(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(
        '{"nb_res": 4, "jobs": [{"id": 1, "subtime": 5, "res": 2, "profile": "p", "user_id": 7}],'
        ' "profiles": {"p": {"type": "delay", "delay": 60}}}'
    )
    workload = gather(open_log(path))
    assert (workload.jobs[0].run_time, workload.jobs[0].user, workload.processors) == (60.0, "7", 4)


def test_dates_begin_with_the_first_submission_and_keep_their_origin(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    later = SWF.splitlines()[1].replace("1 100", "2 40", 1)
    path.write_text(f"; UnixStartTime: 1000\n{SWF}{later}\n")
    workload = gather(open_log(path))
    assert [(job.id, job.submit_time) for job in workload.jobs] == [("2", 0.0), ("1", 60.0)]
    assert workload.start_time == 1040.0


def test_a_given_map_reads_a_table_with_an_unknown_header(tmp_path: Path) -> None:
    path, table_map = tmp_path / "log.csv", tmp_path / "m.toml"
    path.write_text("job,user,hours\n1,2,60\n")
    table_map.write_text(
        '[columns]\nsubmit_time = "job"\nrun_time = "hours"\nprocessors = "user"\n'
    )
    (job,) = open_log(path, options={"map": str(table_map)}).jobs()
    assert (job.run_time, job.processors) == (60.0, 2)


def test_an_unknown_option_of_a_format_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(SWF)
    with pytest.raises(LogError, match=r"format 'swf': .*'unit'"):
        open_log(path, options={"unit": "cores"})


@each_case(
    ("content", "format_name", "message"),
    [
        (b"hello\n", None, "is not a known job log, but text that begins with 'hello'; give the f"),
        (b"\n \n", None, "log: is empty; was its export interrupted"),
        (b"1|2|ann|60\n3|4|bob|60\n", None, "4 fields in a row but no header with their names. If"),
        (
            b"1,2,60\n3,4,60\n",
            None,
            "has 3 fields in a row but no header with their names; add one",
        ),
        (b"job,user,hours\n1,2,60\n", None, r"unknown header \(job, user, hours\)"),
        (b'{"nodes": []}', None, "is JSON, but neither sacct output nor a Batsim workload"),
        (b"\xfd7zXZ\0\0", None, "is compressed with xz; unpack it first"),
        (b"\x7fELF\0", None, "is neither a text nor a known binary format"),
        (b"hello\n", "sacct", "unknown format 'sacct': did you mean 'slurm'. known: batsim, "),
        (b"hello\n", "swff", "unknown format 'swff': did you mean 'swf'"),
        (b"\x1f\x8bxx", None, "damaged gzip"),
    ],
)
def test_a_log_of_an_unknown_format_is_an_error(
    tmp_path: Path, content: bytes, format_name: str | None, message: str
) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(LogError, match=message):
        open_log(path, format=format_name)


def test_missing_files_and_empty_folders_are_errors(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be read: No such file"):
        open_log(tmp_path / "none.swf")
    with pytest.raises(LogError, match="is an empty folder"):
        open_log(tmp_path)


@each_case(
    ("options", "told"),
    [
        ({"procesors_from": "used"}, "has no option 'procesors_from': did you mean 'processors_fr"),
        ({"processors_from": "used"}, "is 'used'; it must be one of requested, allocated"),
        ({"processors_from": ["used"]}, "it must be one of requested, allocated"),
        ({"missing_walltime": "later"}, "it must be one of keep, drop, a number"),
        ({"missing_walltime": -3}, "is -3; it must be above 0"),
        ({"machine_processors": 0}, "is 0; it must be above 0"),
        ({"machine_processors": 1.5}, "is 1.5; it must be a whole number"),
        ({"strict": "no"}, "it must be true or false"),
    ],
)
def test_an_invalid_value_of_an_option_is_an_error(
    tmp_path: Path, options: dict[str, object], told: str
) -> None:
    path = tmp_path / "log.swf"
    path.write_text(SWF)
    with pytest.raises(LogError) as error:
        open_log(path, options=options)
    assert "format 'swf'" in str(error.value)
    assert told in str(error.value)


def test_a_name_is_not_read_as_a_list_of_letters(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="option 'partitions' is 'debug'; it must be a list"):
        open_log(tmp_path / "log", format="slurm", options={"partitions": "debug"})


def test_machine_options_apply_to_every_format(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(SWF)
    log = open_log(path, processors=77, time_zone="Asia/Manila")
    assert len(list(log.jobs())) == log.report.kept
    assert (log.machine.processors, log.machine.time_zone) == (77, "Asia/Manila")
    with pytest.raises(LogError, match="unknown time zone 'Mars/Crater'"):
        open_log(path, time_zone="Mars/Crater")


def test_dates_without_a_zone_are_in_the_given_zone(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(
        "JobIDRaw|User|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS\n"
        "1|ann|COMPLETED|1970-01-01T08:00:00|1970-01-01T08:00:10|60|240|8\n"
    )
    (job,) = open_log(path, time_zone="Asia/Manila").jobs()
    assert job.submit_time == 0.0


def test_packages_are_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def found(*, group: str) -> metadata.EntryPoints:
        asked.append(group)
        return metadata.entry_points(group=group)

    monkeypatch.setattr(formats, "entry_points", found)
    formats.formats.cache_clear()
    path = tmp_path / "log"
    path.write_text(SWF)
    open_log(path)
    open_log(path)
    assert asked == ["pred_aware.logs"]


def test_a_missing_reader_affects_no_other_and_is_named_if_none_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = metadata.EntryPoint("gone", "no_such_module:Gone", formats.GROUP)
    known = {**formats.formats(), "gone": gone}
    monkeypatch.setattr(formats, "formats", lambda: known)
    path = tmp_path / "log"
    path.write_text(SWF)
    assert len(gather(open_log(path)).jobs) == 1
    path.write_text("hello\n")
    assert formats.recognised(path) == []
    with pytest.raises(
        LogError, match="text that begins with 'hello'; the reader of the format 'gone'"
    ):
        open_log(path)


def test_an_installation_without_readers_must_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "formats", dict)
    path = tmp_path / "log"
    path.write_text(SWF)
    for name in (None, "swf"):
        with pytest.raises(
            LogError, match="this installation has no formats; install pred-aware again"
        ):
            open_log(path, format=name)


def test_a_name_for_hidden_users_is_no_user_in_any_format(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    line = "{} {} 5 10 4 -1 -1 4 {} -1 1 {} 3 1 -1 1 -1 -1"
    rows = [(1, 0, 60, 7), (2, 1, 60, 8), (3, 2, -1, 7), (4, 3, 60, 7)]
    path.write_text("; Version: 2.2\n" + "\n".join(line.format(*row) for row in rows) + "\n")
    for hidden in ("7", 7):
        options = {"hidden_user": hidden, "missing_walltime": "drop"}
        log = open_log(path, options=options, processors=8)
        assert [job.user for job in log.jobs()] == [None, "8", None]
        # of the jobs that are kept
        assert log.report.repaired == {"user 7 stands for several people: user removed": 2}
    for odd in (5, ["swf"], {}):
        with pytest.raises(LogError, match=r"the format is .*, but must be a text"):
            open_log(path, format=odd)  # type: ignore[arg-type] # as JSON may have it
    with pytest.raises(LogError, match="option 'hidden_user' is null; it must be a"):
        open_log(path, options={"hidden_user": None})
