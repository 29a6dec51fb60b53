"""The command `inspect`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.log_changes import Changes, CleanOption, changed
from pred_aware.commands.options.log_options import (
    FormatOption,
    LogsArgument,
    ProcessorsOption,
    ReaderOption,
    TimeZoneOption,
)
from pred_aware.commands.options.outputs import (
    HtmlOption,
    JsonOption,
    PictureOption,
    QuietOption,
    TablesOption,
    check_outputs,
    print_json,
)
from pred_aware.commands.options.panels import see
from pred_aware.commands.options.typed import typed

if TYPE_CHECKING:
    from pred_aware.inspection import Inspection
    from pred_aware.recorded_queue import BaseCheck
    from workload_tools.log import Kept

HELP = """Look at a job log before you trust it: what it holds, what is missing, what looks odd.

Takes every format that can be read, and several dumps of a machine as one log. Tells period, jobs,
users and load, how sizes, run times, walltimes and waits are distributed, how run times compare
with walltimes, the busiest users, flurries of one user, holes in the arrivals, what the reader
dropped or repaired, and which fields are known; and what in the dates shows why jobs waited.
--base easy simulates the log and puts the waits beside those that it recorded. With --html it
writes one page with pictures, which needs no network.

Examples:

    pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz

    pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz --html kth.html

    pred-aware inspect KTH-SP2-1996-2.1-cln.swf.gz --base easy --picture kth.png

    pred-aware inspect UniLu-Gaia-2014-1.swf.gz --clean 'user=8 and submit>=2014-08-13'

    pred-aware inspect wagap-2013.swf.gz --processors 2176 --time-zone Europe/Prague --json
"""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = see("inspect.md")
    app.command("inspect", help=HELP, epilog=epilog, no_args_is_help=True)(inspect)


def inspect(  # noqa: PLR0913 - each is an option of the command
    context: typer.Context,
    logs: LogsArgument,
    *,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    processors: ProcessorsOption = None,
    time_zone: TimeZoneOption = None,
    clean: CleanOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="SCHEDULER",
            help="Simulate the log under this scheduler, such as easy, and show the waits beside "
            "those that the log recorded.",
            show_default=False,
        ),
    ] = None,
    html: HtmlOption = None,
    picture: PictureOption = None,
    tables: TablesOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Look at a job log."""
    from tempfile import TemporaryDirectory

    from pred_aware.commands.options.run_output import read_options
    from pred_aware.inspection import inspect_log
    from pred_aware.inspection.tables import tables as tables_of
    from pred_aware.report.table import write_tables
    from pred_aware.study.request import Reading
    from workload_tools.log import Kept
    from workload_tools.several import SeveralLogs, open_logs

    alone = len(logs) == 1
    called = logs[0] if alone else Path(Reading(paths=tuple(logs)).name)
    read = {"the log" if alone else f"the log {log}": log for log in logs}
    check_outputs(read, html=html, picture=picture, tables=tables)
    if base is not None:
        from schedulers import make_policy

        # what is wrong with its name is told before a long log is read
        make_policy(base, {})
    opened = open_logs(
        logs,
        format=log_format,
        options=read_options(reader),
        processors=processors,
        time_zone=time_zone,
    )
    with TemporaryDirectory(prefix="pred-aware-") as folder:
        cleaned = changed(opened, Changes(clean), folder=Path(folder)).log
        # read once: what is looked at is what is simulated
        kept = None if base is None else Kept(cleaned)
        inspection = inspect_log(kept or cleaned, called)
    check = None if base is None or kept is None else _check(kept, base, inspection)
    if tables is not None:
        of_base = [] if check is None else check.tables()
        write_tables([*of_base, *tables_of(inspection)], tables)
    if picture is not None:
        from pred_aware.inspection.report import draw_inspection

        draw_inspection(inspection, picture, check=check)
    if html is not None:
        from pred_aware.inspection.report import write_inspection

        made = typed(context, more=("--html", "FILE"))
        write_inspection(inspection, html, made=made, check=check)
    if as_json:
        _print_json(inspection, check)
        return
    if quiet:
        return
    from pred_aware.inspection.report import first_remarks, remarks
    from pred_aware.report.lines import say
    from pred_aware.report.terminal import console, show

    overview, *others = tables_of(inspection)
    of_base = [] if check is None else check.tables()
    overview = replace(overview, title=inspection.path.name)
    apart = opened.apart if isinstance(opened, SeveralLogs) else ""
    first = first_remarks(inspection, check, apart=apart)
    show([first, *of_base, overview, *others, remarks(inspection)], console())
    if picture is not None:
        say(f"Picture: {picture}")
    if html is not None:
        say(f"Page: {html}")


def _check(log: "Kept", base: str, inspection: "Inspection") -> "BaseCheck":
    """Simulate the log, and compare the waits."""
    from msgspec.structs import replace as with_size

    from pred_aware.execution.simulate import simulate
    from pred_aware.log.job_log import JobLog
    from pred_aware.recorded_queue import check_base
    from workload_tools.log import gather
    from workload_tools.missing_walltime import WithWalltimes

    path, again, load = inspection.path, log.again(), inspection.load
    jobs = gather(WithWalltimes(again, missing_walltime=None, path=path))
    # no job shall be rejected for a guess
    largest = int(inspection.columns.processors.max()) if load.guessed else 0
    machine = with_size(jobs, processors=max(load.processors, largest), guessed=False)
    run = simulate(JobLog(path.name, machine, again.report), base)
    return replace(check_base(run), guessed=load.guessed)


def _print_json(inspection: "Inspection", check: "BaseCheck | None") -> None:
    from dataclasses import asdict

    from pred_aware.inspection import findings

    content = {
        **inspection.to_dict(),
        **({} if check is None else {"base_queue": check.to_dict()}),
        "findings": [asdict(finding) for finding in findings(inspection)],
    }
    print_json(content, readable=True)
