"""What every command's help has, and that commands call the same things alike."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup, TyperOption

from pred_aware.cli import COMMANDS, command_line
from pred_aware.commands.options.groups import HELP_OPTIONS
from tests.pred_aware.command import Command

WRITES = {"--output", "--html", "--picture", "--tables", "--csv", "--export"}


def commands(group: TyperGroup, above: str = "") -> Iterator[tuple[str, list[TyperOption]]]:
    """Yield each command's name and options."""
    context = typer.Context(group, help_option_names=HELP_OPTIONS)
    for name in group.list_commands(context):  # type: ignore[arg-type] # typer's own vendored type
        inner = group.get_command(context, name)  # type: ignore[arg-type]
        if isinstance(inner, TyperGroup):
            yield from commands(inner, f"{above}{name} ")
        elif inner is not None:
            options = [one for one in inner.params if isinstance(one, TyperOption)]
            yield f"{above}{name}", options


ALL = dict(commands(command_line()))


def test_the_list_of_commands_is_in_groups_that_have_them_all(command: Command) -> None:
    ended = command("--help")
    panels = re.findall(r"─ ([A-Z][a-z ]+) ─", ended.out)
    *ours, last = COMMANDS
    assert panels == ["Options", *ours, "Papers", last]
    assert {name.split()[0] for name in ALL} <= set(ended.out.split())


@pytest.mark.parametrize("name", ALL)
def test_help_says_where_the_documentation_is_and_calls_no_flag_bool(
    command: Command, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    told = command(*name.split(), "--help").out
    assert "<bool>" not in told
    assert Path(told.split("More: ")[1].split()[0]).is_file()


@pytest.mark.parametrize("name", ALL)
def test_every_command_that_writes_files_can_do_it_quietly(name: str) -> None:
    names = [one.opts for one in ALL[name]]
    writes = any(WRITES.intersection(opts) for opts in names)
    assert not writes or ["-q", "--quiet"] in names


@pytest.mark.parametrize("name", ALL)
def test_options_of_the_same_name_take_the_same_thing(name: str) -> None:
    opts = {opt: one for one in ALL[name] for opt in one.opts}
    wanted = {"--html": "FILE", "--picture": "FILE", "--tables": "FILE", "--reader": "JSON",
              "--log-format": "NAME", "--time-zone": "ZONE", "--report": "FILE"}  # fmt: skip
    told = {opt: opts[opt].metavar for opt in wanted.keys() & opts.keys()}
    assert told == {opt: wanted[opt] for opt in told}


def test_a_shell_completes_commands_options_and_names(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_PRED_AWARE_COMPLETE", "complete_bash")
    found = []
    for words in ("pred-aware predic", "pred-aware inspect --log", "pred-aware run -s easy_s"):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        found.append(command().out.split())
    assert found == [["predict", "predictors"], ["--log-format"], ["easy_sjbf"]]
