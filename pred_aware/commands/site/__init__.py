"""The commands under `site`: the nodes and rules of a machine."""

import typer

from pred_aware.commands.site import files, infer, machine, snapshot


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(
        name="site",
        help="Save the configuration of Slurm or PBS, and make, infer, show or check a site "
        "file: nodes, limits, start windows, downtime.",
        rich_markup_mode="markdown",
    )
    for module in (snapshot, infer, files, machine):
        module.register(group)
    app.add_typer(group)
