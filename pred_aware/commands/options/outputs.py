"""Files that commands write: checked before anything is computed."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pred_aware.commands.options.panels import OUTPUT
from pred_aware.errors import PredAwareError

HtmlOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a page with tables and pictures, which needs no network.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
NamesOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--names",
        help="Keep the names of users and jobs on the page; without, they have numbers there.",
        rich_help_panel=OUTPUT,
    ),
]
PictureOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Draw the pictures into a .png, .svg or .pdf file.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
TablesOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the tables into a .csv or .json file, with all digits.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
JsonOption: TypeAlias = Annotated[
    bool,
    typer.Option("--json", help="Print JSON and nothing else.", rich_help_panel=OUTPUT),
]
QuietOption: TypeAlias = Annotated[
    bool,
    typer.Option("-q", "--quiet", help="Print nothing but errors.", rich_help_panel=OUTPUT),
]


def check_outputs(read: Mapping[str, Path], **outputs: Path | None) -> None:
    """Refuse, before anything is computed, outputs that would overwrite what is there to stay.

    Parameters
    ----------
    read
        The files and folders that are read, by what they are.
    outputs
        The files to write, by their options.

    Raises
    ------
    PredAwareError
        An output is also read or another output, is in a folder that is read, is a folder, or has
        none; the name of a picture or of tables does not say which kind of file it is.
    """
    taken = {path.resolve(): what for what, path in read.items()}
    for option, path in outputs.items():
        if path is None:
            continue
        resolved = path.resolve()
        name = taken.setdefault(resolved, f"--{option}")
        if name != f"--{option}":
            raise PredAwareError(f"--{option} {path} is also {name}; each file needs its own name")
        for what, source in read.items():
            if source.is_dir() and resolved.is_relative_to(source.resolve()):
                raise PredAwareError(
                    f"--{option} {path} is in the folder of {what}; write it elsewhere"
                )
        if not path.absolute().parent.is_dir():
            raise PredAwareError(f"can't write {path}: there is no folder {path.parent}")
        if path.is_dir():
            raise PredAwareError(f"can't write {path}: it is a folder; name a file")
        if option == "tables":
            from pred_aware.report.table import check_tables_path

            check_tables_path(path)
        if option == "picture":
            from pred_aware.report.picture import check_picture_path

            check_picture_path(path)


def print_json(content: Any, *, readable: bool = False) -> None:  # noqa: ANN401 - whatever JSON has
    """Print a JSON object, on one line or, if it is to be readable, on many."""
    import msgspec

    told = msgspec.json.encode(content)
    # JSON is UTF-8, whatever the terminal's encoding
    sys.stdout.buffer.write((msgspec.json.format(told) if readable else told) + b"\n")
