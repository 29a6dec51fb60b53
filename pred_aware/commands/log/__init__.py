"""The commands under `log`: fetch, describe and generate job logs."""

import typer

from pred_aware.commands.log import fetch, infer, maps, model, raps, sacct_command


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(
        name="log",
        help="Fetch a public log, print the sacct command, map a table, or derive a log from "
        "another.",
        rich_markup_mode="markdown",
    )
    for module in (fetch, sacct_command, maps, infer, model, raps):
        module.register(group)
    app.add_typer(group)
