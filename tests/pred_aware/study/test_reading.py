"""How a study reads a log: several dumps, the machine's size, a folder."""

from dataclasses import replace
from pathlib import Path

from pred_aware.study.reading import ReadLog, read
from pred_aware.study.request import Reading
from tests.pred_aware.study.conftest import MakeLog

NO_SIZE = "; UnixStartTime: 1700000000\n"


def reading(*paths: Path, **asked: object) -> ReadLog:
    return read(Reading(paths=paths, **asked))  # type: ignore[arg-type] # as the test says


def test_several_dumps_are_one_log_and_repeated_records_count_once(make_log: MakeLog) -> None:
    first, second = make_log("a.swf", jobs=60), make_log("b.swf", jobs=90)
    log = reading(first, second)
    assert (len(log.log), log.name) == (90, "a.swf and 1 more file")
    assert dict(log.log.report.dropped) == {"same job as in an earlier file": 60}
    assert (log.log.report.read, log.log.report.kept) == (150, 90)
    # other jobs of the same number are other jobs
    later = "; MaxProcs: 8\n; UnixStartTime: 1800000000\n"
    log = reading(make_log("a.swf", jobs=60), make_log("b.swf", jobs=60, header=later), names=True)
    assert len(log.log) == 120
    assert {"60", "60/2"} <= set(log.log.jobs.index)
    assert log.log.jobs["submit_time"].max() > 1e8


def test_a_folder_of_dumps_is_read_completely(make_log: MakeLog, tmp_path: Path) -> None:
    for name in ("a.swf", "b.swf"):
        make_log(name, first=1 if name == "a.swf" else 1000)
    assert len(reading(tmp_path).log) == 240


def test_the_source_of_the_machines_size_is_reported(make_log: MakeLog) -> None:
    log, unknown = make_log(), make_log("unknown.swf", header=NO_SIZE, wait=0)
    assert reading(log).size.source == "the log"
    given = reading(log, processors=64)
    assert (given.size.processors, given.size.source) == (64, "--processors")
    guess = reading(unknown).size
    assert (guess.guessed, guess.processors >= 8) == (True, True)
    assert f"uses {guess.processors} processors" in guess.sentence


def test_names_and_folders_are_not_shown(make_log: MakeLog) -> None:
    log = reading(make_log(first=501))
    assert list(log.log.jobs.index[:3]) == ["1", "2", "3"]
    assert list(log.log.jobs["user"][:3]) == ["1", "2", "3"]
    # what was asked is told without names and folders
    asked = Reading(paths=(Path("/home/ann/log.csv"),), clean=("user=ann and run>7d", "run<10"))
    assert (asked.name, asked.reported_clean) == ("log.csv", ("(a condition on user)", "run<10"))
    assert replace(asked, names=True).reported_clean == asked.clean


def test_two_dumps_of_sacct_are_one_log(shared: Path) -> None:
    dumps = [shared / "sacct" / name for name in ("01_allocs_X_P.txt.gz", "05_json.txt.gz")]
    log = reading(*dumps, slurm_conf=shared / "sacct" / "slurm.conf.txt")
    assert log.size.source == "--slurm-conf"
    assert log.log.report.dropped["same job as in an earlier file"] > 300
