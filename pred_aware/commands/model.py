"""The commands `model twin` and `model scale`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.converting import (
    LogArgument,
    OutputOption,
    PlatformOption,
    QuietOption,
    ReportOption,
    check_names,
    convert_log,
)
from pred_aware.commands.options.log_changes import Changes, CleanOption, changed
from pred_aware.commands.options.log_options import FormatOption, ProcessorsOption, ReaderOption
from pred_aware.commands.options.missing_walltime import MissingWalltimeOption, reader_options
from pred_aware.commands.options.panels import OUTPUT, see
from pred_aware.commands.options.run_output import read_options

if TYPE_CHECKING:
    from typing import IO

    from workload_tools.changes.twin import TwinLog
    from workload_tools.log import Log

TWIN_HELP = """Make a twin of a log: another log that behaves like it, to be
published where the log can not be.

Users submit at the times at which they did, but what they submitted is exchanged among their
sessions of about the same work and number of jobs; run times and dates are blurred, names become
numbers, sizes and walltimes that few users ask for are replaced by common ones. Says how close the
twin is, and what it could still reveal: read that before you publish it. docs/twin.md describes
the model.

Examples:

    pred-aware model twin KTH-SP2-1996-2.1-cln.swf.gz -o twin.swf.gz

    pred-aware model twin site.json.gz -o twin.json --seed 7 --noise 0.3 --jitter 3600

    pred-aware model twin LOG.swf -o twin.json --clean 'run>7d' --report twin.report.json
"""

SCALE_HELP = """Multiply a log's load by a factor.

By `arrivals`, the times between submissions are divided by the factor; days and weeks become
shorter by it, too. By `machine`, the machine's size is divided by it; jobs that are larger than
the machine are rejected by schedulers, and counted here.

Examples:

    pred-aware model scale KTH-SP2-1996-2.1-cln.swf.gz -o busier.json --load 1.2

    pred-aware model scale kth.json -o smaller.json --load 1.25 --by machine --platform smaller.xml
"""


class By(StrEnum):
    """What is scaled."""

    arrivals = "arrivals"
    machine = "machine"


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    model = typer.Typer(
        name="model",
        help="Make a log from a log: a twin that can be published, or another load.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
    )
    epilog = see("twin.md")
    model.command("twin", help=TWIN_HELP, epilog=epilog, no_args_is_help=True)(twin)
    model.command("scale", help=SCALE_HELP, epilog=epilog, no_args_is_help=True)(scale)
    app.add_typer(model)


def twin(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same twin.")] = 1,
    noise: Annotated[
        float,
        typer.Option(
            min=0,
            help="Standard deviation of the logarithm of the factor that blurs run times; 0: none.",
        ),
    ] = 0.1,
    jitter: Annotated[
        float,
        typer.Option(
            min=0, help="Seconds by which a session begins at most earlier or later; 0: none."
        ),
    ] = 600.0,
    few: Annotated[
        int,
        typer.Option(
            min=1,
            help="Sizes and walltimes of fewer users are replaced, and users with fewer sessions "
            "exchange them with each other; 1: none of it.",
        ),
    ] = 3,
    alike: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many of a user's sessions that are alike are exchanged; 1: all stay.",
        ),
    ] = 8,
    pause: Annotated[
        float,
        typer.Option(min=0, help="Seconds between two submissions that make another session."),
    ] = 1200.0,
    keep_dates: Annotated[
        bool,
        typer.Option(
            "--keep-dates",
            help="Keep the period, time zone and header; else the twin begins in January 2000.",
        ),
    ] = False,
    missing_walltime: MissingWalltimeOption = None,
    clean: CleanOption = None,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    platform: PlatformOption = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write options, counts, closeness and what it could reveal, as JSON.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Make a twin of a log."""
    from contextlib import ExitStack

    from workload_tools.changes.twin import TwinLog, TwinOptions
    from workload_tools.files import written_whole

    outputs = [file for file in (output, platform, report) if file is not None]
    check_names(log, outputs)
    options = TwinOptions(
        seed=seed,
        noise=noise,
        jitter=jitter,
        few=few,
        alike=alike,
        pause=pause,
        keeps_dates=keep_dates,
    )
    reading = reader_options(read_options(reader), missing_walltime, output=output)
    opened = _opened(log, log_format, reading, clean=clean, folder=output.parent)
    made = TwinLog(opened, options=options)
    with ExitStack() as files:
        # first, so that no twin is left without the report that was asked for
        file = None if report is None else files.enter_context(written_whole(report))
        convert_log(log, made, output=output, platform=platform, report=None, quiet=quiet)
        if file is not None or not quiet:
            _tell(made, file, quiet=quiet)


def scale(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    output: OutputOption,
    load: Annotated[float, typer.Option(metavar="FACTOR", help="What the load is multiplied by.")],
    by: Annotated[By, typer.Option(help="What is scaled.")] = By.arrivals,
    processors: ProcessorsOption = None,
    missing_walltime: MissingWalltimeOption = None,
    clean: CleanOption = None,
    log_format: FormatOption = None,
    reader: ReaderOption = None,
    platform: PlatformOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Multiply a log's load by a factor."""
    from workload_tools.changes.scaled import ScaledLog

    reading = reader_options(read_options(reader), missing_walltime, output=output)
    opened = _opened(log, log_format, reading, clean=clean, folder=output.parent)
    scaled = ScaledLog(opened, load, by=by.value, path=log, processors=processors)
    convert_log(log, scaled, output=output, platform=platform, report=report, quiet=quiet)


def _opened(
    log: Path,
    log_format: str | None,
    options: dict[str, object],
    *,
    clean: list[str] | None,
    folder: Path,
) -> "Log":
    from workload_tools.formats import open_log

    opened = open_log(log, format=log_format, options=options)
    return changed(opened, Changes(clean), folder=folder).log


def _tell(made: "TwinLog", file: "IO[bytes] | None", *, quiet: bool) -> None:
    """Print and write how close the twin is, and what it could still reveal."""
    from workload_tools.changes.twin import closeness, disclosure

    close, revealed = closeness(made.pairs), disclosure(made.pairs)
    if file is not None:
        from dataclasses import asdict

        import msgspec

        content = {
            "options": asdict(made.options),
            "counts": made.report.to_dict(),
            "closeness": close.to_dict(),
            "disclosure": revealed.to_dict(),
        }
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
    if not quiet:
        from pred_aware.commands.options.twin_report import print_twin
        from pred_aware.report.terminal import console

        print_twin(close, revealed, console())
