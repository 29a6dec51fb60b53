"""How a log of any format is read: the options that commands have in common."""

from typing import Annotated, TypeAlias

import typer

FormatOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The log's format.", show_default="as it looks"),
]
ReaderOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="Options of the format's reader, as a JSON object or @FILE with one.",
        show_default=False,
    ),
]
ProcessorsOption: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, help="The machine's size.", show_default="as the log says"),
]
TimeZoneOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The machine's time zone, such as Europe/Paris.",
        show_default="as the log says, else UTC",
    ),
]
