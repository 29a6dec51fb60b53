"""How the help of every command is arranged: groups, flags without a type, where the docs are."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from typer._click import Command

READING = "How the log is read"
CHANGES = "What is done to the log"
OUTPUT = "What is written and printed"

HELP_OPTIONS = ["-h", "--help"]


def docs() -> Path:
    """Return the folder of the documentation: a clone's, or what a wheel has brought along."""
    package = Path(__file__).parents[2]
    shipped = package / "docs"
    return shipped if shipped.is_dir() else package.parent / "docs"


def see(page: str) -> str:
    """Return the last line of a command's help: where its page of the documentation is."""
    return f"More: `{docs() / page}`"


def arranged(command: "Command") -> "Command":
    """Tell flags by their names alone, where typer would call each a ``<bool>``.

    Parameters
    ----------
    command
        As typer has made it; a group with all of its commands, which end with what the group's help
        ends with unless they have a page of their own.
    """
    # the option for help is made for the first who asks, and kept
    for parameter in command.get_params(typer.Context(command, help_option_names=HELP_OPTIONS)):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    for inner in getattr(command, "commands", {}).values():
        inner.epilog = inner.epilog or command.epilog
        arranged(inner)
    return command
