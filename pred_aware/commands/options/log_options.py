"""How a log of any format is read: the options that commands have in common."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pred_aware.commands.options.panels import READING

LogArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="LOG", help="The job log, of any format.", show_default=False)
]
LogsArgument: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        help="The job log, of any format: a file or folder, or several dumps.",
        show_default=False,
    ),
]
FormatOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--log-format",
        metavar="NAME",
        help="The log's format.",
        show_default="as it looks",
        rich_help_panel=READING,
    ),
]
ReaderOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="Options of the format's reader, as a JSON object or @FILE with one; "
        "`pred-aware convert FORMAT --help` has them.",
        show_default=False,
        rich_help_panel=READING,
    ),
]
ProcessorsOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="The machine's size.",
        show_default="as the log says",
        rich_help_panel=READING,
    ),
]
TimeZoneOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="ZONE",
        help="The machine's time zone, such as Europe/Paris.",
        show_default="as the log says, else UTC",
        rich_help_panel=READING,
    ),
]
