"""The commands `log model twin` and `log model scale`."""

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.converting import WorkloadOptions, convert_log
from pred_aware.commands.options.groups import add, flag, has, option
from pred_aware.commands.options.reading import (
    WORKLOAD_WALLTIME,
    LogArgument,
    ReadingOptions,
)

if TYPE_CHECKING:
    from typing import IO

    from workload_tools.changes.twin import TwinLog


class What(StrEnum):
    """What is scaled."""

    arrivals = "arrivals"
    machine = "machine"


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    model = typer.Typer(
        name="model",
        help="Make a log from a log: a twin that can be published, or another load.",
        rich_markup_mode="markdown",
    )
    add(model, twin, page="how-to/twin.md")
    add(model, scale, page="how-to/twin.md")
    app.add_typer(model)


def twin(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    to: Annotated[
        WorkloadOptions,
        has(
            "platform",
            "quiet",
            report="Write options, counts, closeness and what it could reveal, as JSON.",
        ),
    ],
    seed: Annotated[int, option("", "The same seed gives the same twin.", min=0)] = 1,
    noise: Annotated[
        float,
        option(
            "",
            "Standard deviation of the logarithm of the factor that blurs run times; 0: none.",
            min=0,
        ),
    ] = 0.1,
    jitter: Annotated[
        float,
        option("", "Seconds by which a session begins at most earlier or later; 0: none.", min=0),
    ] = 600.0,
    few: Annotated[
        int,
        option(
            "",
            "Sizes and walltimes of fewer users are replaced, and users with fewer sessions "
            "exchange them with each other; 1: none of it.",
            min=1,
        ),
    ] = 3,
    alike: Annotated[
        int,
        option(
            "", "How many of a user's sessions that are alike are exchanged; 1: all stay.", min=1
        ),
    ] = 8,
    pause: Annotated[
        float, option("", "Seconds between two submissions that make another session.", min=0)
    ] = 1200.0,
    keep_dates: Annotated[
        bool, flag("Keep the period, time zone and header; else the twin begins in January 2000.")
    ] = False,
    reading: Annotated[ReadingOptions, has("reader", missing_walltime=WORKLOAD_WALLTIME)],
) -> None:
    """Make a twin of a log: one that behaves like it, to be published where the log can not be.

    Users submit at the times at which they did, but what they submitted is exchanged among their
    sessions of about the same work and number of jobs; run times and dates are blurred, names
    become numbers, sizes and walltimes that few users ask for are replaced by common ones. Says how
    close the twin is, and what it could still reveal: read that before you publish it.
    docs/how-to/twin.md describes the model.

    For example:

        pred-aware log model twin KTH-SP2-1996-2.1-cln.swf.gz -o twin.swf.gz

        pred-aware log model twin site.json.gz -o twin.json --seed 7 --noise 0.3 --jitter 3600

        pred-aware log model twin LOG.swf -o twin.json --report twin.report.json
    """
    from contextlib import ExitStack

    from pred_aware.log.conversion import check_names
    from workload_tools.changes.twin import TwinLog, TwinOptions
    from workload_tools.files import written_whole

    check_names(log, to.files)
    options = TwinOptions(
        seed=seed,
        noise=noise,
        jitter=jitter,
        few=few,
        alike=alike,
        pause=pause,
        keeps_dates=keep_dates,
    )
    made = TwinLog(reading.open(log, output=to.output), options=options)
    with ExitStack() as files:
        # first, so that no twin is left without the report that was asked for
        file = None if to.report is None else files.enter_context(written_whole(to.report))
        convert_log(log, made, to=replace(to, report=None))
        if file is not None or not to.quiet:
            _tell(made, file, quiet=to.quiet)


def scale(
    log: LogArgument,
    *,
    to: WorkloadOptions,
    load: Annotated[float, option("FACTOR", "What the load is multiplied by.")],
    what: Annotated[What, option("arrivals|machine", "What is scaled.")] = What.arrivals,
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", missing_walltime=WORKLOAD_WALLTIME),
    ],
) -> None:
    """Multiply a log's load by a factor.

    By `arrivals`, the times between submissions are divided by the factor; days and weeks become
    shorter by it, too. By `machine`, the machine's size is divided by it; jobs that are larger than
    the machine are rejected by schedulers, and counted here.

    For example:

        pred-aware log model scale KTH-SP2-1996-2.1-cln.swf.gz -o busier.json --load 1.2

        pred-aware log model scale kth.json -o less.json --load 1.25 --what machine --platform less.xml
    """  # noqa: E501 - an example is one line
    from workload_tools.changes.scaled import ScaledLog

    # the size that is said is that of the log, which is scaled
    opened = replace(reading, processors=None).open(log, output=to.output)
    scaled = ScaledLog(opened, load, by=what.value, path=log, processors=reading.processors)
    convert_log(log, scaled, to=to)


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
        from pred_aware.log.twin_report import print_twin
        from pred_aware.report.terminal import console

        print_twin(close, revealed, console())
