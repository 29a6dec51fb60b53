"""The command `demo`."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from pred_aware.commands.options.groups import OUTPUT, adding, option
from pred_aware.commands.options.output import PrintOptions
from pred_aware.commands.options.typed import typed

SHAKES = 5
"""A few copies keep the demo fast. Intervals from 20 copies are less than half as wide."""


def demo(
    *,
    processors: Annotated[
        int | None, option("N", "Size of the machine.", shown="256", min=1)
    ] = None,
    seed: Annotated[int, option("N", "Seed of the model that generates the log.", min=0)] = 4,
    shakes: Annotated[
        int,
        option(
            "N",
            "Also simulate N perturbed copies of the log, for confidence intervals; 0: none.",
            min=0,
        ),
    ] = SHAKES,
    folder: Annotated[
        Path, option("FOLDER", "Folder for the files.", "--output", "-o", panel=OUTPUT)
    ] = Path("demo"),
    output: PrintOptions,
) -> None:
    """Show what `study` finds on a synthetic log whose scheduling rules are known.

    In the synthetic log, users repeat similar jobs and round their time limits up. Jobs wait under
    EASY with a limit of 20 running jobs per user. The demo studies this log as `pred-aware study`
    studies your log, with five perturbed copies. It writes a page and its data, and prints the
    answer.

    For example:

        pred-aware demo

        pred-aware demo --seed 2 -o second
    """
    from pred_aware.commands.study import check_shakes
    from pred_aware.demo.synthetic_log import make_log
    from pred_aware.study.folder import JSON, PAGE, check_folder
    from pred_aware.study.request import Reading, StudyEffort
    from pred_aware.study.showing import progress_shown, publish, show_study
    from pred_aware.study.study import study

    check_shakes(shakes)
    log = folder / "log.swf"
    reading = Reading(paths=(log,), called="a synthetic log")
    check_folder(folder, reading)
    # the page's command must repeat the demo, even if a later version has other defaults
    command = typed(output.context, instead={"seed": seed, "shakes": shakes})
    with progress_shown(shown=not output.quiet) as on_progress:
        on_progress("Generating a log of users who repeat their jobs")
        reading = replace(reading, site=make_log(log, processors=processors, seed=seed))
        found = study(reading, folder, effort=StudyEffort(shakes=shakes), on_progress=on_progress)
        on_progress("Writing the page")
        publish(found, folder, command=command)
    show = partial(show_study, found, page=folder / PAGE, data=folder / JSON)
    output.print_result(found.to_dict(), show)


register = adding(demo, page="how-to/study.md")
