"""The command `log map`."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.groups import adding, adding_group, argument, option
from pred_aware.commands.options.output import QuietOption

HELP = """Column maps: files that state the meaning of the columns of a CSV or Parquet file."""


def suggest_map(
    file: Annotated[Path, argument("FILE", "A table of jobs.")],
    other: Annotated[
        list[Path] | None, argument("[OTHER]...", "Further tables, joined to the first.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        option(
            "MAP",
            "The column map to write. Every command finds FILE.map.toml by itself.",
            "-o",
            "--output",
            shown="printed",
        ),
    ] = None,
    delimiter: Annotated[
        str | None,
        option("SIGN", "The sign between the cells of a CSV.", shown="from the first line"),
    ] = None,
    printing: QuietOption,
) -> None:
    """Write a first column map for a table.

    The command guesses fields, units, date formats, sizes and states from the names and first rows
    of the columns. The map marks uncertain guesses with a comment. OTHER are further tables. Each
    of their rows completes one row of the first table.

    For example:

        pred-aware log map suggest jobs.csv -o jobs.csv.map.toml

        pred-aware log map suggest jobs.csv times.csv sizes.csv -o mine.toml
    """
    from pred_aware.log.conversion import check_names
    from workload_tools.errors import LogError
    from workload_tools.files import written_whole
    from workload_tools.table.suggest.first_map import suggest

    text = suggest(file, other or [], delimiter=delimiter)
    if output is None:
        typer.echo(text, nl=False)
        return
    check_names(file, [output], read_too=other or [])
    with written_whole(output, LogError) as into:
        into.write(text.encode())
    doubts = text.count("# not sure")
    printing.print_lines(
        [f"wrote {output}: check {doubts} uncertain lines" if doubts else f"wrote {output}"]
    )


def list_maps() -> None:
    """List the column maps that come with pred-aware."""
    from workload_tools.table.shipped import shipped_maps

    for one in shipped_maps():
        typer.echo(f"{one.path.stem:16} {one.title}")


register = adding_group(
    "map", HELP, adding(suggest=suggest_map, list=list_maps, page="how-to/logs-table.md")
)
