"""The command `predict`: predictors measured on a log."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pred_aware.commands.options.converting import no_jobs
from pred_aware.commands.options.log_changes import Changes, CleanOption, changed
from pred_aware.commands.options.log_options import (
    FormatOption,
    LogArgument,
    ProcessorsOption,
    ReaderOption,
    TimeZoneOption,
)
from pred_aware.commands.options.missing_walltime import MissingInLogOption, reader_options
from pred_aware.commands.options.outputs import (
    HtmlOption,
    JsonOption,
    PictureOption,
    QuietOption,
    TablesOption,
    check_outputs,
    print_json,
)
from pred_aware.commands.options.panels import OUTPUT, see
from pred_aware.commands.options.run_output import HISTORY_HELP, progress_bar, read_options
from pred_aware.commands.options.typed import typed
from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.log.past_jobs import PastJobs
    from pred_aware.prediction.evaluation import Evaluation
    from pred_aware.prediction.splits import Split
    from workload_tools import Workload
    from workload_tools.log import Log
    from workload_tools.report import Report

HELP = """Measure how well predictors would have predicted the run times of a log's jobs.

Replays the log in time order: each job is predicted when it is submitted and learned when it has
ended, so that nothing is known before its time. Predictions are those that a scheduler would plan
with: at least 1 s, at most the walltime. Run times are the log's, also beyond the walltime.

A predictor is given as for `run`: a name, module:Class, or JSON with name and options. `actual`
and `accuracy`, which look at the run time, show what is the best that can be had.

Examples:

    pred-aware predict KTH-SP2-1996-2.1-cln.swf.gz --predictor last_two

    pred-aware predict LOG.swf.gz --predictor last_two --predictor 'near={"name": "knn", "k": 3}'

    pred-aware predict LOG.swf.gz --predictor pbs_v3 --html pbs.html --csv predictions.csv

    pred-aware predict LOG.swf.gz --predictor decision_tree --train-until 0.8 --json

    pred-aware predict LOG.swf.gz --predictor decision_tree --split random --test-share 0.2
"""


class SplitKind(StrEnum):
    """How the jobs to learn are told from those to predict."""

    consecutive = "consecutive"
    random = "random"


def predict(  # noqa: PLR0913 - one parameter an option
    context: typer.Context,
    log: LogArgument,
    *,
    predictor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PREDICTOR",
            help="Who predicts, and what to call it; can be given many times. "
            "`pred-aware predictors` lists them.",
            show_default=False,
        ),
    ] = None,
    history: Annotated[
        str | None, typer.Option(metavar="FILE|JSON", help=HISTORY_HELP, show_default=False)
    ] = None,
    train_until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE|FRACTION",
            help="Learn what had ended by this date (2003-01-31), by this share of the jobs (0.8) "
            "or this many seconds after the first submission; then predict without learning more.",
            show_default=False,
        ),
    ] = None,
    split: Annotated[
        SplitKind | None,
        typer.Option(
            help="Learn some of the jobs and predict the others, as paper 001 does: the last ones, "
            "or drawn at random (which looks into the future)."
        ),
    ] = None,
    test_share: Annotated[
        float,
        typer.Option(
            metavar="SHARE", help="Share of the jobs that a split predicts, between 0 and 1."
        ),
    ] = 0.2,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the random split.", min=0)] = 0,
    lag: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="How many seconds after its end a job is learned: in production 5 of PBS, and 45 "
            "of Slurm.",
        ),
    ] = 0.0,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    processors: ProcessorsOption = None,
    time_zone: TimeZoneOption = None,
    missing_walltime: MissingInLogOption = None,
    clean: CleanOption = None,
    html: HtmlOption = None,
    picture: PictureOption = None,
    tables: TablesOption = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write every prediction.", rich_help_panel=OUTPUT),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Measure predictors on a log."""
    from pred_aware.log.job_log import JobLog
    from pred_aware.prediction import predict as prediction
    from pred_aware.prediction.candidate import read_candidates
    from pred_aware.prediction.protocol import check_protocol, told_protocol
    from pred_aware.prediction.tables import tables as tables_of
    from pred_aware.report.table import write_tables
    from workload_tools.formats import open_log

    candidates = read_candidates(predictor or [])
    for candidate in candidates:
        candidate.make()
    read = {"the log": log}
    past: Any = read_options(history) if (history or "").startswith("{") else history
    if isinstance(past, str) or (past and isinstance(past.get("file"), str)):
        read["--history"] = Path(past if isinstance(past, str) else past["file"])
    if reader is not None and reader.startswith("@"):
        read["--reader"] = Path(reader[1:])
    check_outputs(read, csv=csv, html=html, picture=picture, tables=tables)
    check_protocol(train_until, split, history, lag)
    opened = open_log(
        log,
        format=log_format,
        options=reader_options(read_options(reader), missing_walltime),
        processors=processors,
        time_zone=time_zone,
    )
    workload = _jobs_of(log, opened, clean)
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as progress:
        measured = prediction.predict(
            JobLog(log.name, workload, opened.report), candidates,
            history=past, train_until=train_until, split=None if split is None else split.value,
            test_share=test_share, seed=seed, lag=lag, progress=progress,
        )  # fmt: skip
    jobs, division, evaluations = measured.jobs, measured.split, list(measured.evaluations)
    remarks = _remarks(jobs, opened.report, division)
    dates = _dates(workload)
    made = typed(context, more=("--html", "FILE"))
    _write(log, evaluations, remarks, dates=dates, html=html, picture=picture, made=made)
    told = tables_of(evaluations)
    if tables is not None:
        write_tables(told, tables)
    if csv is not None:
        from pred_aware.prediction.predictions_csv import (
            write_predictions,
        )

        write_predictions(jobs, measured.predictions, csv)
    if as_json:
        answer = [{**one.to_dict(), **told_protocol(division)} for one in evaluations]
        print_json(answer, readable=True)
    elif not quiet:
        from pred_aware.report import remark as page
        from pred_aware.report.terminal import console, show

        show([*told, page.remarks(remarks)], console())


def _jobs_of(path: Path, log: "Log", clean: list[str] | None) -> "Workload":
    """Read a log to its end, with what is to be done to it on the way."""
    from tempfile import TemporaryDirectory

    from workload_tools.log import gather

    with TemporaryDirectory(prefix="pred-aware-") as folder:
        workload = gather(changed(log, Changes(clean), folder=Path(folder)).log)
    if not workload.jobs:
        raise no_jobs(path, log.report)
    return workload


def _dates(workload: "Workload") -> str:
    from pred_aware.report.clock import believed, make_clock

    first, last = workload.jobs[0].submit_time, workload.jobs[-1].submit_time
    start = believed(workload.start_time, first, last)
    clock = make_clock(start, workload.time_zone)
    return clock.period(first, last, jobs=len(workload.jobs))


def _write(
    log: Path,
    evaluations: "list[Evaluation]",
    remarks: list[str],
    *,
    dates: str,
    html: Path | None,
    picture: Path | None,
    made: str,
) -> None:
    """Write the page and the pictures that are asked for."""
    from pred_aware.prediction.pictures import pictures
    from pred_aware.prediction.tables import tables

    title = f"Run time prediction on {log.name}"
    drawn = [] if picture is html is None else pictures(evaluations)
    if picture is not None:
        from pred_aware.report.picture import figure_of, save

        save(figure_of(drawn, f"{title}, {dates}"), picture)
    if html is not None:
        from pred_aware.report.page.content import report
        from pred_aware.report.page.writing import write
        from pred_aware.report.remark import Block
        from pred_aware.report.remark import remarks as told

        first, *others = tables(evaluations)
        blocks: list[Block] = [told(remarks), first, *drawn, *others]
        write(html, report(title, under=dates, blocks=blocks, made=made))


def _remarks(jobs: "PastJobs", report: "Report", division: "Split | None") -> list[str]:
    """Say what has to be known of the figures."""
    from workload_tools.missing_walltime import GIVEN_WALLTIME

    found = [] if division is None else [division.remark]
    if report.dropped:
        reasons = "; ".join(f"{n:,} {reason}" for reason, n in sorted(report.dropped.items()))
        found.append(f"Jobs of the log that did not count: {reasons}.")
    if given := report.repaired[GIVEN_WALLTIME]:
        found.append(f"{counted(given, 'job')} without a walltime: given that of the option.")
    if jobs.without_wait:
        found.append(
            f"{jobs.without_wait:,} jobs have no wait in the log and count as started at once."
        )
    without = sum(job.walltime is None for job in jobs.submissions)
    if without:
        found.append(
            f"{without:,} jobs have no walltime; they are left out of what is compared with it."
        )
    if all(job.user is None for job in jobs.submissions):
        found.append("The log tells no users: who predicts by user answers with the walltime.")
    filling = len(jobs) - sum(jobs.counted)
    if filling:
        found.append(f"{filling:,} jobs are there only to fill the machine: learned, not measured.")
    return found


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("predict.md")
    app.command("predict", help=HELP, epilog=epilog, no_args_is_help=True)(predict)
