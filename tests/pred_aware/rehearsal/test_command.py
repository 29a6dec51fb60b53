import csv
import json
from pathlib import Path

from tests.pred_aware.command import Command
from tests.pred_aware.rehearsal.conftest import MakeLog


def test_shadow_prints_the_answer_and_writes_page_tables_and_jobs(
    make_log: MakeLog, tmp_path: Path, command: Command
) -> None:
    page, table, jobs = (tmp_path / name for name in ("page.html", "t.csv", "jobs.csv"))
    ended = command(
        "service", "shadow", make_log(jobs=65), "--predictor", "pbs_v1", "--predictor", "v3=pbs_v3",
        "--start", "2017-11-02", "--shakes", "2", "--workers", "1", "--backfill-depth", "2",
        "--html", page, "--tables", table, "--csv", jobs,
    )  # fmt: skip
    assert (ended.code, ended.err) == (0, "")
    assert "backfilling openpbs (backfill_depth 2, opt_backfill_fuzzy low)" in ended.out
    text = page.read_text()
    assert "Soft walltimes on log.swf: a rehearsal" in text
    assert "--predictor pbs_v1 --predictor v3=pbs_v3 --start 2017-11-02" in text
    for title in ("Errors by user, pbs_v1", "Errors by queue", "Jobs whose waits changed most"):
        assert title in text
    assert "What each predictor would have set,v3,ran longer," in table.read_text()
    with jobs.open() as file:
        rows = list(csv.DictReader(file))
    assert {row["predictor"] for row in rows} == {"pbs_v1", "v3"}
    assert all(float(row["soft_walltime"] or 1) < float(row["walltime"]) for row in rows)


def test_a_log_without_a_machine_size_needs_one(tmp_path: Path, command: Command) -> None:
    log = tmp_path / "log.swf"
    log.write_text("1 0 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1\n")
    asked = ("service", "shadow", log, "--predictor", "pbs_v3", "--shakes", "0")
    assert "does not contain the machine's size: give --processors N" in command(*asked).err
    assert command(*asked, "--processors", "8", "-q").code == 0


def test_json_has_the_answer_and_its_evidence(make_log: MakeLog, command: Command) -> None:
    ended = command(
        "service", "shadow", make_log(jobs=40), "--predictor", "pbs_v3", "--shakes", "0", "--json"
    )
    told = json.loads(ended.out)
    assert (told["answer"], told["predictor"], told["jobs"]) == ("unknown", "pbs_v3", 40)
    (one,) = told["predictors"]
    assert one["set"] + one["unknown"] == 40
    assert len(one["errors"]["by_queue"]) == 2
    assert set(told["schedules"]["runs"]) == {"walltimes", "pbs_v3"}


def test_impossible_rehearsals_give_a_one_line_error(make_log: MakeLog, command: Command) -> None:
    log = make_log(jobs=20)
    for arguments, said in (
        ((), "no predictor: give --predictor"),
        (("--predictor", "x"), "unknown predictor 'x'"),
        (("--predictor", "pbs_v3", "--start", "x"), "--start x: give a date"),
        (("--predictor", "pbs_v3", "--fuzzy", "x"), "opt_backfill_fuzzy 'x' is not known"),
        (("--predictor", "pbs_v3", "-O", '{"order": "x"}'), "unknown order 'x'"),
        (("--predictor", "pbs_v3", "-O", '{"estimates": "walltime"}'), "option 'estimates'"),
        (("--predictor", "recorded"), "no job has a soft walltime"),
    ):
        command("service", "shadow", log, *arguments).assert_refused(said)
