"""What every command's help has, and that commands call the same things alike."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup, TyperOption

from pred_aware.cli import COMMANDS, command_line
from pred_aware.commands.options.groups import HELP_OPTIONS
from tests.pred_aware.command import Command

WRITES = {"--output", "--html", "--picture", "--tables", "--csv", "--export"}
ITS_OWN = {"batsim": {"-s"}}
"""Options by names that mean something else elsewhere: those of the real Batsim."""


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


def test_every_command_is_in_a_group_of_the_list(command: Command) -> None:
    ended = command("--help")
    panels = re.findall(r"─ ([A-Z][a-z ]+) ─", ended.out)
    assert set(panels) >= {"Options", *COMMANDS}
    top = {name.split()[0] for name in ALL}
    assert top <= set(ended.out.split())
    assert len({name for names in COMMANDS.values() for name in names}) <= 18


def test_help_links_to_the_documentation_and_shows_no_type_for_flags(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    for name in ALL:
        told = command(*name.split(), "--help").out
        assert "<bool>" not in told, name
        assert Path(told.split("More: ")[1].split()[0]).is_file(), name


def test_every_command_that_writes_files_has_a_quiet_option() -> None:
    for name, options in ALL.items():
        names = [one.opts for one in options]
        writes = any(WRITES.intersection(opts) for opts in names)
        assert not writes or ["-q", "--quiet"] in names, name


def test_an_option_has_the_same_long_and_short_name_everywhere() -> None:
    short, long = defaultdict(set), defaultdict(set)
    for name, options in ALL.items():
        if name.startswith("convert "):
            continue
        for one in options:
            shorts = {opt for opt in one.opts if not opt.startswith("--")}
            longs = {opt for opt in one.opts if opt.startswith("--")}
            for opt in shorts - ITS_OWN.get(name, set()):
                short[opt] |= longs
            for opt in longs:
                long[opt].add(frozenset(shorts))
    assert {opt: names for opt, names in short.items() if len(names) > 1} == {}
    both = {opt for opt, names in long.items() if len(names) > 1}
    # a workload or platform that is run, and one that may have to be named again
    assert both <= {"--workload", "--platform"}


def test_options_with_the_same_name_take_the_same_values() -> None:
    wanted = {"--html": "FILE", "--picture": "FILE", "--tables": "FILE", "--reader": "NAME|JSON",
              "--options": "NAME=VALUE", "--time-zone": "ZONE", "--csv": "FILE",
              "--report": "FILE"}  # fmt: skip
    for name, options in ALL.items():
        opts = {opt: one for one in options for opt in one.opts}
        told = {opt: opts[opt].metavar for opt in wanted.keys() & opts.keys()}
        assert told == {opt: wanted[opt] for opt in told}, name


def test_missing_arguments_give_a_one_line_error(command: Command) -> None:
    for words in ("study", "run", "log", "log map", "campaign", "service serve"):
        command(*words.split()).assert_refused("Missing ", f"see `pred-aware {words} --help`")


def test_a_shell_completes_commands_options_and_names(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_PRED_AWARE_COMPLETE", "complete_bash")
    found = []
    for words in ("pred-aware predic", "pred-aware inspect --rea", "pred-aware run -s easy_s"):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        found.append(command().out.split())
    assert found == [["predict", "predictors"], ["--reader"], ["easy_sjbf"]]
