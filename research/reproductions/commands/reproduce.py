"""The command `reproduce`: the papers' claims on the logs at hand."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options import PrintOptions, add, argument, flag, option, typed

if TYPE_CHECKING:
    from reproductions.reproduction import Reproduction

HELP = """Try the papers' claims, one by one, on the logs that are at hand.

Looks for the logs in the folders and among the files given by --logs, and in the cache of
`log fetch`; simulates the papers' policies on them and on shakes of them, replays their predictors,
and says of each claim whether it holds, does not hold, or cannot be told, on the authors' own data,
on these changed, and on others. What is not tried is said, with the way to get it. Stopped, it goes
on where it was.

Writes claims.html, claims.csv and claims.json into the folder given by -o.

Examples:

    pred-aware reproduce 003 --logs ~/logs --quick

    pred-aware reproduce all --logs ~/logs -o papers
"""


def reproduce(
    papers: Annotated[list[str], argument("PAPER...", "Numbers of papers, or all.")],
    *,
    logs: Annotated[
        list[Path] | None,
        option("PATH", "Where logs are: a folder or a file; can be given many times.", exists=True),
    ] = None,
    folder: Annotated[Path, option("FOLDER", "The folder to write to.", "-o", "--output")] = Path(
        "reproduced"
    ),
    quick: Annotated[bool, flag("A first look: fewer logs, and five shakes of each.")] = False,
    shakes: Annotated[
        int | None, option("N", "So many shakes of each log, in place of 5 to 20 (5 with --quick).")
    ] = None,
    workers: Annotated[
        int | None, option("", "Processes, by default one per core.", "-j", "--workers", min=1)
    ] = None,
    output: PrintOptions,
) -> None:
    """Try the papers' claims."""
    from pred_aware.campaign import progress_shown
    from pred_aware.report import say
    from reproductions.reproduction import reproduce as try_papers

    silent = output.silent
    found = try_papers(
        papers,
        logs=logs or (),
        folder=folder,
        quick=quick,
        shakes=shakes,
        workers=workers,
        told=(lambda _: None) if silent else (lambda text: say(f"replays {text}", error=True)),
        progress=lambda: progress_shown(shown=not silent),
        made=typed(output.context, instead={"folder": None}),
    )
    found.write()
    output.print_result([one.to_dict() for one in found.papers], partial(_show, found))


def _show(found: "Reproduction") -> None:
    from pred_aware.report import console, say, show
    from reproductions.claims_tables import in_terminal
    from reproductions.report import counts_table

    show([*map(in_terminal, found.papers), counts_table(found.papers)], console())
    say(found.summary)
    say(f"Figures and intervals are on the page, {found.folder / 'claims.html'}.")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, reproduce, help=HELP)
