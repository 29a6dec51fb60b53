"""The command `convert recipes`."""

import typer

HELP = """List the named recipes of `--clean`: what each does to a log, and where it is from."""


def recipes() -> None:
    """List the named recipes of `--clean`."""
    from workload_tools.changes.cleaning import RECIPES

    for name, recipe in RECIPES.items():
        typer.echo(f"{name}: {recipe.source}")
        for step in recipe.steps:
            typer.echo(f"    {step}")
