"""Groups of options: fields of dataclasses as options of the commands that take one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from pred_aware.cli import command_line
from pred_aware.commands.options.groups import add, argument, flag, has, option
from pred_aware.commands.options.parts import parse_policy_options
from pred_aware.errors import PredAwareError
from schedulers.options import OPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    size: Annotated[int, option("N", "The size.", min=1)] = 4
    strict: Annotated[bool, flag("Be strict.")] = False
    zone: Annotated[str | None, option("ZONE", "The zone.")] = None


@pytest.fixture
def app() -> typer.Typer:
    """A command that takes some of a group, one with a help and a default of its own."""
    made = typer.Typer()

    def read(
        log: Annotated[Path, argument("LOG", "The log.")],
        *,
        reading: Annotated[Reading, has("strict", size=("How large.", 8))],
    ) -> None:
        typer.echo(f"{log.name} {reading}")

    add(made, read, help="Read a log.")
    return made


def test_a_group_gets_the_typed_values(app: typer.Typer) -> None:
    typed = CliRunner().invoke(app, ["a.swf", "--strict", "--size", "2"])
    assert typed.output == "a.swf Reading(size=2, strict=True, zone=None)\n"
    assert "size=8, strict=False" in CliRunner().invoke(app, ["a.swf"]).output


def test_a_command_chooses_options_of_a_group_and_their_help(app: typer.Typer) -> None:
    told = CliRunner().invoke(app, ["--help"]).output
    assert "How large." in told
    assert "--zone" not in told
    assert "--no-strict" not in told


def test_an_option_that_a_group_lacks_cannot_be_chosen(app: typer.Typer) -> None:
    def read(*, reading: Annotated[Reading, has("zones")]) -> None: ...

    with pytest.raises(AssertionError, match="Reading has no"):
        add(app, read)


def test_the_help_of_run_has_each_option_of_a_policy_that_a_command_line_can_give() -> None:
    made = command_line().commands["run"]
    own = {one.name: one for one in made.params}
    told = " ".join((made.help or "").split())
    for name, one in OPTIONS.items():
        if name in own:
            assert own[name].help == one.help, name  # type: ignore[attr-defined]
        elif one.metavar:
            assert f"{name} {' '.join(one.help.split())}" in told, name


def test_options_of_a_policy_are_numbers_text_or_json() -> None:
    assert parse_policy_options(["order=sjf", "reservations=2", "max-wait=60", "x=1.5"]) == {
        "order": "sjf", "reservations": 2, "max_wait": 60.0, "x": 1.5,
    }  # fmt: skip
    assert parse_policy_options(['order={"name": "wfp"}', '{"order": "lxf"}']) == {"order": "lxf"}
    for text in ("order", "=sjf", "[1]"):
        with pytest.raises(PredAwareError, match="give NAME=VALUE"):
            parse_policy_options([text])
