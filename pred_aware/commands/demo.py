"""The command `demo`."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.outputs import JsonOption, QuietOption, print_json
from pred_aware.commands.options.panels import OUTPUT, see

HELP = """Show what `study` finds, on a log that a model makes.

The model's users repeat themselves and round their walltimes up, day and night, working days and
weekends. The log is studied as `pred-aware study` studies yours: EASY, EASY++, paper 001's
scheduler and the recommended one, on the log and on five shakes of it; a page, its data, an answer.

Examples:

    pred-aware demo

    pred-aware demo --seed 2 -o second
"""
SHAKES = 5
"""Few, for the demonstration's sake: intervals of 20 are less than half as wide."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("demo", help=HELP, epilog=see("demo-model.md"))(demo)


def demo(
    *,
    processors: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Size of the machine.", show_default="256"),
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
    ] = SHAKES,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where the files go.", rich_help_panel=OUTPUT
        ),
    ] = Path("demo"),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show what a study finds."""
    from pred_aware.commands.study import check_shakes
    from pred_aware.demo.made_log import make_log
    from pred_aware.study.publishing import publish
    from pred_aware.study.request import Effort, Reading
    from pred_aware.study.showing import progress_shown, show_study
    from pred_aware.study.study import JSON, PAGE, check_folder, study

    check_shakes(shakes)
    log = output / "log.swf"
    asked = Reading(paths=(log,), called="a made log")
    check_folder(output, asked)
    size = [] if processors is None else ["--processors", str(processors)]
    made = ["pred-aware", "demo", *size, "--seed", str(seed), "--shakes", str(shakes)]
    with progress_shown(shown=not quiet) as told:
        told("Making a log of users who repeat themselves")
        make_log(log, processors=processors, seed=seed)
        found = study(asked, output, effort=Effort(shakes=shakes), told=told)
        told("Writing the page")
        publish(found, output, made=" ".join(made))
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        show_study(found, page=output / PAGE, data=output / JSON)
