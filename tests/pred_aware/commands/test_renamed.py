"""Commands and options by their old names are refused with those of today."""

import pytest

from pred_aware import cli
from pred_aware.cli import OF_RESEARCH, RENAMED, RENAMED_OPTIONS
from tests.pred_aware.command import Command


def test_an_old_command_is_refused_with_the_new_one(command: Command) -> None:
    for old, new in RENAMED.items():
        ended = command(*old.split(), "--json")
        ended.assert_refused(f"'{old}' is now '{new}'; see `pred-aware ")
        assert command(*ended.err.split("`")[1].split()[1:]).code == 0, old


def test_a_command_of_the_papers_is_refused_with_its_package(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "installed", lambda _: {})
    for name in OF_RESEARCH:
        command(name, "all").assert_refused("is in pred-aware-research", "pip install ./research")


def test_an_old_option_is_refused_with_the_new_one(command: Command) -> None:
    for path, renamed in RENAMED_OPTIONS.items():
        for old, new in renamed.items():
            words = ["swf"] if path == "convert" else []
            command(*path.split(), *words, f"{old}=x" if old[1] == "-" else old).assert_refused(
                f"'{old}' is now '{new}'; see `pred-aware {path}"
            )


def test_an_option_that_never_existed_gives_no_new_name(command: Command) -> None:
    assert "No such option: --at-best" in command("run", "--at-best").err


def test_an_old_measure_is_refused_with_the_new_one(command: Command) -> None:
    command("compare", "a_jobs.csv", "b_jobs.csv", "--measures", "later_than_base").assert_refused(
        "no measure 'later_than_base'; it is now later_than_baseline"
    )
