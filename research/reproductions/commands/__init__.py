"""The commands about papers, which the command line finds by their entry point."""

import typer

from reproductions.commands import paper001, reproduce

PANEL = "Papers"
"""The group of the help that they stand in."""


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    reproduce.register(app)
    paper001.register(app)
