"""The command `shadow`: a rehearsal of the service on a log."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.converting import no_jobs
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
from pred_aware.commands.options.run_output import progress_bar, read_options
from pred_aware.commands.options.typed import typed
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.rehearsal import Rehearsal

LAG = 5.0
"""After how many seconds `serve` looks again at PBS's accounting."""

HELP = """Rehearse soft walltimes on a log, before anybody turns them on.

Says what the service would have set for each job of a period, how right that would have been, by
queue and user, what the schedule would have been without and with, and whether to do it. Nothing is
changed anywhere: only the log is read. The estimates are made by the code of `serve`, which learns
each job of the log when it ended.

Jobs are scheduled as OpenPBS does with `strict_ordering: true`: `--options` has other parts, as for
`run -s policy`.

Examples:

    pred-aware shadow /var/spool/pbs/server_priv/accounting --predictor pbs_v3 --from 2024-03-01

    pred-aware shadow LOG --predictor pbs_v3 --predictor similar --backfill-depth 5 --html page.html

    pred-aware shadow sacct.txt --predictor similar -o '{"backfilling": "easy"}' --csv jobs.csv
"""


def shadow(  # noqa: PLR0913 - one parameter an option
    context: typer.Context,
    log: LogArgument,
    *,
    predictor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PREDICTOR",
            help="Who predicts, as for `predict`; can be given many times. `recorded` is what the "
            "log says was set.",
            show_default=False,
        ),
    ] = None,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DATE",
            help="Ask about jobs submitted from this date on (2017-11-01), or this many seconds "
            "after the first submission.",
            show_default="the first",
        ),
    ] = None,
    end: Annotated[
        str | None,
        typer.Option("--to", metavar="DATE", help="And before this date.", show_default="the last"),
    ] = None,
    lag: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="How many seconds after its end a job is learned: 5, as of PBS, or 45, as of "
            "Slurm.",
        ),
    ] = LAG,
    backfill_depth: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="For how many jobs OpenPBS plans, as `list server` of qmgr says.",
        ),
    ] = 1,
    fuzzy: Annotated[
        str,
        typer.Option(
            metavar="off|low|medium|high",
            help="OpenPBS's opt_backfill_fuzzy.",
        ),
    ] = "low",
    options: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--options",
            metavar="JSON",
            help="Other parts of the scheduler, as a JSON object or @FILE with one; "
            "docs/schedulers.md has them.",
            show_default=False,
        ),
    ] = None,
    shakes: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Simulate on N shakes of the log, which gives each difference an interval.",
        ),
    ] = 10,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="For shakes: processes.", show_default="one a core"),
    ] = None,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    processors: ProcessorsOption = None,
    time_zone: TimeZoneOption = None,
    missing_walltime: MissingInLogOption = None,
    html: HtmlOption = None,
    picture: PictureOption = None,
    tables: TablesOption = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what would have been set for each job, and its waits.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Rehearse soft walltimes on a log."""
    from pred_aware.log.job_log import JobLog
    from pred_aware.prediction.candidate import read_candidates
    from pred_aware.rehearsal import rehearse
    from workload_tools.formats import open_log
    from workload_tools.log import gather

    candidates = read_candidates(predictor or [])
    for candidate in candidates:
        candidate.make()
    check_outputs({"the log": log}, csv=csv, html=html, picture=picture, tables=tables)
    calendar = {"name": "openpbs", "backfill_depth": backfill_depth, "opt_backfill_fuzzy": fuzzy}
    asked = {"backfilling": calendar, **read_options(options)}
    opened = open_log(
        log,
        format=log_format,
        options={
            "missing_walltime": None,
            **reader_options(read_options(reader), missing_walltime),
        },
        processors=processors,
        time_zone=time_zone,
    )
    read = JobLog(log.name, gather(opened), opened.report)
    if not len(read):
        raise no_jobs(log, opened.report)
    with progress_bar(
        shown=bool(shakes) and not quiet and sys.stderr.isatty(), what="shakes"
    ) as progress:
        found = rehearse(
            read, candidates, begin=begin, end=end, options=asked, lag=lag, shakes=shakes,
            workers=workers, progress=progress,
        )  # fmt: skip
    made = typed(context, more=("--html", "FILE"))
    _write(found, csv=csv, html=html, picture=picture, tables=tables, made=made)
    if as_json:
        print_json(found.to_dict(), readable=True)
    elif not quiet:
        _tell(found)
        for what, path in (("Page", html), ("Picture", picture), ("Jobs", csv)):
            if path is not None:
                say(f"{what}: {path}")


def _write(
    found: "Rehearsal",
    *,
    csv: Path | None,
    html: Path | None,
    picture: Path | None,
    tables: Path | None,
    made: str,
) -> None:
    """Write the files that are asked for."""
    if csv is not None:
        from pred_aware.rehearsal import job_by_job

        job_by_job.write(found, csv)
    if html is not None:
        from pred_aware.rehearsal import page

        page.write(found, html, made=made)
    if picture is not None:
        from pred_aware.rehearsal.pictures import pictures
        from pred_aware.rehearsal.verdict import verdict_of
        from pred_aware.report.picture import figure_of, save

        title = f"Soft walltimes on {found.log.name}, {found.dates}"
        save(figure_of(pictures(found, verdict_of(found)), title), picture)
    if tables is not None:
        from pred_aware.rehearsal.tables import tables as tables_of
        from pred_aware.report.table import write_tables

        write_tables(tables_of(found), tables)


def _tell(found: "Rehearsal") -> None:
    """Print the answer, what it rests on, and the tables."""
    from pred_aware.rehearsal.in_words import trust, what_is_simulated
    from pred_aware.rehearsal.tables import beside_each_other, errors, what_is_set
    from pred_aware.rehearsal.verdict import verdict_of
    from pred_aware.report.remark import Remark, remarks
    from pred_aware.report.terminal import console, show

    told = verdict_of(found)
    answer = (Remark(told.sentence, strong=True), *remarks(told.more))
    tables = [what_is_set(found), *errors(found), beside_each_other(found)]
    show([answer, *tables, trust(found), what_is_simulated(found)], console())


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("production.md")
    app.command("shadow", help=HELP, epilog=epilog, no_args_is_help=True)(shadow)
