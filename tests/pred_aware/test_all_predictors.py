"""The benchmark `all_predictors.py`, on a log of a few lines."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "all_predictors.py"

Command = Callable[..., tuple[str, str]]


@pytest.fixture
def measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    lines = [
        f"{job} {60 * job} 0 {9 + job} 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1" for job in range(9)
    ]
    (tmp_path / "Some-2003-1.swf").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--cache", "cache", *arguments])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return capsys.readouterr()

    return run


def test_what_is_measured_is_not_measured_again(measure: Command) -> None:
    log = "Some-2003-1.swf"
    assert "last_two: MAE" in measure(log, "--predictor", "last_two")[1]
    _, told = measure(log, "--predictor", "last_two", "--predictor", "walltime")
    assert ("last_two" in told, "walltime: MAE" in told) == (False, True)


def test_the_tables_are_of_what_was_measured(measure: Command) -> None:
    log = "Some-2003-1.swf"
    measure(log, "--predictor", "last_two", "--predictor", "walltime")
    out, _ = measure(log, "--table")
    # run times 9 to 17 s: walltimes are off by 47 s, last_two by 1.5 s but for the first two
    assert "| | Some |" in out
    assert "| `walltime` | 0.8 |" in out
    assert "| `last_two` | **0.2** |" in out
    assert "| `walltime` | 0 of 1 |" in out
