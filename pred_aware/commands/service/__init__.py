"""The commands under `service`: predictions in production."""

import typer

from pred_aware.commands.service import pbs, serve, shadow, store


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(
        name="service",
        help="Rehearse, install, run and check the prediction service.",
        rich_markup_mode="markdown",
    )
    for module in (shadow, store, serve, pbs):
        module.register(group)
    app.add_typer(group)
