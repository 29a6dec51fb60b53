"""The command `explain`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.options.outputs import JsonOption, QuietOption, print_json
from pred_aware.commands.options.panels import see
from pred_aware.commands.options.run_output import progress_bar
from pred_aware.report.lines import say

HELP = """Explain why a job of a run waited: the answer to a user who asks.

Who held the processors meanwhile, what the job was promised and why that moved, who overtook it
and by which rule. RUN is the prefix of the files that `pred-aware run -e PREFIX` wrote, or its
PREFIX_jobs.csv. What a scheduler promises stands in no file, so the run is simulated once more, as
PREFIX_run.json tells how, and must come out the same. Runs of the real Batsim, or of another
program's decisions, are explained by their schedule alone, and what that does not tell is said.

Jobs and users are called by their names.

Examples:

    pred-aware explain out/easy --job 1234

    pred-aware explain out/easy --job 1234 --job 1240 --json

    pred-aware explain batsim/out_jobs.csv --job 15 --schedule-only
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("explain.md")
    app.command("explain", help=HELP, epilog=epilog, no_args_is_help=True)(explain)


def explain(  # noqa: PLR0913 - each is an option of the command
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN", help="Prefix of a run's files, or its PREFIX_jobs.csv."),
    ],
    *,
    job: Annotated[
        list[str],
        typer.Option("--job", metavar="ID", help="The job's id in the workload; may be repeated."),
    ],
    workload: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The workload that was simulated, if it is no longer where it was.",
            show_default=False,
        ),
    ] = None,
    platform: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The platform's XML, if it is no longer where it was.",
            show_default=False,
        ),
    ] = None,
    own_parts: Annotated[
        bool,
        typer.Option(
            "--own-parts", help="Import parts of your own that PREFIX_run.json calls module:Class."
        ),
    ] = False,
    schedule_only: Annotated[
        bool,
        typer.Option("--schedule-only", help="Simulate nothing; say only what the schedule tells."),
    ] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Explain why a job of a run waited."""
    from pred_aware.explanation.explainer import Explainer
    from pred_aware.runs.reading import read_run

    read = read_run(run, workload=workload)
    shown = not quiet and not as_json and sys.stderr.isatty()
    with progress_bar(shown=shown) as progress:
        explainer = Explainer(
            read, platform=platform, own_parts=own_parts, schedule_only=schedule_only,
            progress=progress,
        )  # fmt: skip
        found = [explainer.explain(one) for one in job]
    if as_json:
        print_json({"explanations": [one.as_json() for one in found]}, readable=True)
    elif not quiet:
        for place, one in enumerate(found):
            first, *others = one.sentences
            if place:
                say()
            say(first)
            for sentence in others:
                say(f"  - {sentence}")
