"""The script `tables.py`, with its campaigns, on logs of a few lines."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import pred_aware as pa
from predictors import PREDICTORS

FOLDER = Path(__file__).parents[1]
PREDICTING = "store = 'runs'\n[predictors.last_two]\n"

Tables = Callable[..., tuple[str, str]]


@pytest.fixture
def tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Tables:
    monkeypatch.chdir(tmp_path)
    for name, apart, longer in (("Some-2003-1", 60, 0), ("Full-1999", 6, 0), ("Other-2004", 6, 30)):
        lines = [
            f"{job} {apart * job} 0 {9 + job + longer} 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1"
            for job in range(9)
        ]
        Path(f"{name}.swf").write_text("\n".join(["; MaxProcs: 2", *lines, ""]))

    monkeypatch.syspath_prepend(FOLDER / "measurements")

    def run(*arguments: object) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["tables.py", *map(str, arguments)])
        with pytest.raises(SystemExit):
            runpy.run_path(str(FOLDER / "measurements" / "tables.py"), run_name="__main__")
        return capsys.readouterr()

    return run


def test_predictors_are_compared_and_measured_once(tables: Tables) -> None:
    Path("one.toml").write_text(PREDICTING)
    Path("two.toml").write_text(f"{PREDICTING}[predictors.walltime]\n")
    assert "Some-2003-1: last_two\n" in tables("one.toml", "predictors", "Some-2003-1.swf")[1]
    out, err = tables("two.toml", "predictors", "Some-2003-1.swf")
    assert err == "replays Some-2003-1: walltime\n"
    # run times 9 to 17 s: walltimes are off by 47 s, last_two by 1.5 s but for the first two
    for line in (
        "|  | Some |", "| `walltime` | 0.8 |", "| `last_two` | **0.2** |",
        "| `walltime` | 0 of 1 |",
        "Where nobody is better than `last_two`: Some (mae), ",
        "| Some | `last_two` (1.00; 100.0 %) | no job | no job |",
    ):  # fmt: skip
        assert line in out


def test_policies_are_compared_on_all_logs(tables: Tables) -> None:
    waits, later = ["mean_waiting_time", "max_waiting_time"], "later_than_baseline"
    policies = "[policies.easy]\n[policies.easy_sjbf]\n"
    Path("one.toml").write_text(f"measures = {[*waits, later, f'mean_{later}']}\n{policies}")
    logs, shown = ("Full-1999.swf", "Other-2004.swf"), ("changes", "averages", "later", "left-out")
    out, _ = tables("one.toml", *shown, *logs, "--shakes", 2, 2, "-j", 1)
    assert "**mean_waiting_time, change in percent**" in out
    assert "**Ratios to easy: geometric mean over the logs, its 95 % interval" in out
    assert "| geometric mean |  |" in out


def test_jobs_of_an_swf_can_take_the_processors_that_they_had(tables: Tables) -> None:
    log = Path("Full-1999.swf")
    log.write_text(log.read_text().replace(" 1 60 ", " 2 60 "))
    Path("one.toml").write_text("store = 'runs'\n[policies.easy]\n[policies.fcfs]\n")
    asked, had = (tables("one.toml", "changes", one)[0] for one in (log, f"allocated:{log}"))
    assert asked != had


def test_harm_is_told_by_load(tables: Tables) -> None:
    file = FOLDER / "campaigns" / "stress.toml"
    loads = ("--load", 0.5, "--load", 1.5, "--shakes", 2, 2, "-j", 1)
    out, _ = tables(file, "harm", "Full-1999.swf", *loads)
    assert "| mean_waiting_time | 1.5 | always 1 s |" in out


def test_campaigns_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER / "measurements")
    for file in FOLDER.glob("campaigns/*.toml"):
        made = tmp_path / file.name
        made.write_text(f"{file.read_text()}\n[logs.one]\nfile = 'one.swf'\n")
        found = pa.read_campaign(made)
        assert found.policies[:1] == ["easy"] or found.predictors == PREDICTORS.names(), file.name
