"""The command `study`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.log_changes import CleanOption
from pred_aware.commands.options.log_options import (
    FormatOption,
    LogsArgument,
    ProcessorsOption,
    ReaderOption,
    TimeZoneOption,
)
from pred_aware.commands.options.outputs import JsonOption, NamesOption, QuietOption, print_json
from pred_aware.commands.options.panels import CHANGES, OUTPUT, READING, see
from pred_aware.commands.options.typed import typed
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from pred_aware.study.request import Reading

HELP = """Find out on your own log what prediction would change: one command, one page.

Reads any log that `convert` reads, or several that are put together, looks at it, compares the
queue of simulated EASY with the one that the log recorded, measures predictors, and simulates EASY,
EASY++, paper 001's scheduler and the recommended one, on the log and on shakes of it, until the
time is up or the differences are known. Writes a page that can be sent round and its data, and says
the answer. Called again with the same -o it goes on from its runs, and gets sharper.

Examples:

    pred-aware study sacct.txt --slurm-conf slurm.conf

    pred-aware study jobs-2026-01.txt jobs-2026-02.txt --processors 4096 --minutes 60 -o two-months

    pred-aware study /var/spool/pbs/server_priv/accounting -o site

    pred-aware study KTH-SP2-1996-2.1-cln.swf.gz --shakes 20 --json
"""

SUFFIX = ".study"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("study", help=HELP, epilog=see("study.md"), no_args_is_help=True)(study)


def study(  # noqa: PLR0913 - each is an option of the command
    context: typer.Context,
    logs: LogsArgument,
    *,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            min=0.0,
            help="How long it may take until the page is there, by the clock.",
            show_default="10",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="To which share of EASY's mean wait and slowdown the differences are to be known; "
            "then it ends before.",
            show_default="0.005",
        ),
    ] = None,
    shakes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Make N shakes, however long it takes: the same page each time.",
            show_default="as the time allows",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "-j", "--workers", min=1, help="Processes; by default one a core.", show_default=False
        ),
    ] = None,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    processors: ProcessorsOption = None,
    slurm_conf: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The cluster's slurm.conf, for the machine's size.",
            show_default=False,
            rich_help_panel=READING,
        ),
    ] = None,
    platform: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The machine's XML file.",
            show_default=False,
            rich_help_panel=READING,
        ),
    ] = None,
    time_zone: TimeZoneOption = None,
    missing_walltime: Annotated[
        str | None,
        typer.Option(
            metavar="drop|SECONDS",
            help="What becomes of a job without a walltime: left out, or given this one.",
            show_default="drop; where most have none, all get the same",
            rich_help_panel=CHANGES,
        ),
    ] = None,
    clean: CleanOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Where page, data and runs go.",
            show_default="named after the log",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    names: NamesOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Find out on a log what prediction would change."""
    from pred_aware.commands.options.missing_walltime import missing_walltime_of
    from pred_aware.commands.options.run_output import read_options
    from pred_aware.study.publishing import publish
    from pred_aware.study.request import MINUTES, PRECISION, Effort, Reading
    from pred_aware.study.showing import progress_shown, show_study
    from pred_aware.study.study import JSON, PAGE
    from pred_aware.study.study import study as make

    # what was imported until now belongs to the time that is kept
    began = time.monotonic() - time.process_time()
    missing = missing_walltime_of(missing_walltime, keep=False)
    if missing == "keep":
        raise PredAwareError(
            "--missing-walltime keep: EASY rejects jobs without a walltime and others run them, "
            "which can't be compared; give drop or a number of seconds"
        )
    if shakes is not None and (minutes is not None or precision is not None):
        raise PredAwareError("give --shakes, or --minutes and --precision, not both")
    check_shakes(shakes)
    if precision is not None and not precision > 0.0:
        raise PredAwareError(f"--precision is {precision:g}; it must be above 0, such as 0.01")
    asked = Reading(
        paths=tuple(logs),
        format=log_format,
        options=read_options(reader),
        time_zone=time_zone,
        processors=processors,
        platform=platform,
        slurm_conf=slurm_conf,
        clean=tuple(clean or ()),
        missing_walltime=missing,
        names=names,
    )
    effort = Effort(
        seconds=60.0 * (MINUTES if minutes is None else minutes),
        precision=precision or PRECISION,
        shakes=shakes,
        workers=workers,
    )
    folder = output or Path(f"{name_of(asked.paths[0])}{SUFFIX}")
    with progress_shown(shown=not quiet) as told:
        found = make(asked, folder, effort=effort, told=told, began=began)
        told("Writing the page")
        publish(found, folder, made=_made(context, asked, shakes=found.rounds.shakes))
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        show_study(found, page=folder / PAGE, data=folder / JSON)


def _made(context: typer.Context, asked: "Reading", *, shakes: int) -> str:
    """Return the command that makes the same study, however long that takes."""
    clean = asked.told_clean or None
    return typed(
        context, instead={"minutes": None, "precision": None, "shakes": shakes, "clean": clean}
    )


def check_shakes(shakes: int | None) -> None:
    """Refuse a single shake.

    Raises
    ------
    PredAwareError
        There is one.
    """
    if shakes == 1:
        raise PredAwareError("--shakes 1: an interval needs at least 2; 0 makes one run each")


def name_of(log: Path) -> str:
    """Return a log's name without its folder and without what tells its kind.

    Examples
    --------
    >>> name_of(Path("logs/KTH-SP2-1996-2.1-cln.swf.gz")), name_of(Path("pbs/"))
    ('KTH-SP2-1996-2.1-cln', 'pbs')
    """
    name = log.resolve().name
    for suffix in (".gz", ".swf", ".txt", ".csv", ".json", ".parquet", ".tsv"):
        name = name.removesuffix(suffix)
    return name or "log"
