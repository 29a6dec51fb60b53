"""The command `demo`."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.missing_walltime import missing_walltime_of
from pred_aware.commands.outputs import (
    HtmlOption,
    PictureOption,
    QuietOption,
    TablesOption,
    check_outputs,
)
from pred_aware.commands.panels import OUTPUT, see
from pred_aware.errors import PredAwareError

HELP = """Show on a job log what prediction would have changed: simulate, compare, draw.

Without a log of yours a model makes one: users who repeat themselves and round their walltimes up,
day and night, working days and weekends. It is simulated with `easy_bf` (the users' walltimes),
`pred_aware` (shortest prediction first) and `easy` with the predictor `last_two`.

Examples:

    pred-aware demo

    pred-aware demo --log KTH-SP2-1996-2.1-cln.swf.gz -o kth --html kth.html

    pred-aware demo --log cluster.swf --processors 2048 -o cluster
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("demo", help=HELP, epilog=see("demo-model.md"))(demo)


def demo(  # noqa: PLR0913 - each is an option of the command
    *,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="LOG",
            help="A log of your own, in the Standard Workload Format (SWF), plain or gzip.",
            show_default="a model makes one",
        ),
    ] = None,
    processors: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Size of the machine.",
            show_default="as the log says",
        ),
    ] = None,
    missing_walltime: Annotated[
        str | None,
        typer.Option(
            metavar="drop|SECONDS",
            help="What becomes of a job of the log without a walltime: left out, or given this "
            "one.",
            show_default="drop, and an error where most have none",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Seed of the model that makes the log.")
    ] = 1,
    shakes: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Simulate again on N shakes of the log, which gives each difference an interval; "
            "0: don't.",
        ),
    ] = 5,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where the files go.", rich_help_panel=OUTPUT
        ),
    ] = Path("demo"),
    html: HtmlOption = None,
    picture: PictureOption = None,
    tables: TablesOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show on a job log what prediction would have changed."""
    from pred_aware.comparison.in_words import HOW_TO_READ, in_words
    from pred_aware.comparison.page import draw_comparison, write_comparison
    from pred_aware.comparison.tables import print_comparison
    from pred_aware.comparison.tables import tables as tables_of
    from pred_aware.demo.demonstration import demonstrate
    from pred_aware.report.lines import say
    from pred_aware.report.table import write_tables
    from pred_aware.report.terminal import console

    read = {} if log is None else {"the log": log}
    check_outputs(read, html=html, picture=picture, tables=tables)
    missing = missing_walltime_of(missing_walltime)
    if missing == "keep":
        raise PredAwareError(
            "--missing-walltime keep: easy_bf rejects jobs without a walltime and the others run "
            "them, which can't be compared; give drop or a number of seconds"
        )
    result = demonstrate(
        output,
        log,
        processors=processors,
        missing_walltime=missing,
        seed=seed,
        shakes=shakes,
        say=(lambda _: None) if quiet else say,
    )
    if picture is not None:
        draw_comparison(result.comparison, picture)
    if tables is not None:
        write_tables(tables_of(result.comparison), tables)
    if html is not None:
        asked = {
            "--log": None if log is None else log.name, "--processors": processors,
            "--missing-walltime": missing_walltime, "--seed": seed if log is None else None,
            "--shakes": shakes,
        }  # fmt: skip
        given = [f"{option} {value}" for option, value in asked.items() if value is not None]
        write_comparison(
            result.comparison, html, made=" ".join(("pred-aware demo", *given, "--html FILE"))
        )
    if quiet:
        return
    terminal = console()
    terminal.print()
    print_comparison(result.comparison, terminal)
    terminal.print()
    for paragraph in (*in_words(result.comparison), HOW_TO_READ):
        terminal.print(paragraph, markup=False)
    terminal.print()
    names = ", ".join(file.name for file in result.files)
    terminal.print(f"Files in {output}: {names}", markup=False)
    say(f"Picture: {picture or result.picture}")
    if html is not None:
        say(f"Page: {html}")
