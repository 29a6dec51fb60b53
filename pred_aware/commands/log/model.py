"""The commands `log model twin` and `log model scale`."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pred_aware.commands.options.converting import WorkloadOptions, convert_log
from pred_aware.commands.options.groups import adding, adding_group, flag, has, option
from pred_aware.commands.options.reading import WORKLOAD_WALLTIME, LogArgument, ReadingOptions

if TYPE_CHECKING:
    from typing import IO

    from workload_tools.changes.twin import TwinLog


def twin(  # noqa: PLR0913 - each is an option of the command
    log: LogArgument,
    *,
    to: Annotated[
        WorkloadOptions,
        has(
            "platform",
            "quiet",
            report="Write as JSON: options, counts, closeness, and what the twin could reveal.",
        ),
    ],
    seed: Annotated[int, option("", "Random seed; the same seed gives the same twin.", min=0)] = 1,
    noise: Annotated[
        float,
        option(
            "",
            "Random change of run times: standard deviation of the factor's logarithm; 0: none.",
            min=0,
        ),
    ] = 0.1,
    jitter: Annotated[
        float,
        option("", "Maximum shift of a session in seconds; 0: none.", min=0),
    ] = 600.0,
    few: Annotated[
        int,
        option(
            "",
            "Replace a size or walltime that fewer than this number of users requested. Users with "
            "fewer sessions exchange jobs with each other. 1: no replacement, no exchange.",
            min=1,
        ),
    ] = 3,
    alike: Annotated[
        int,
        option(
            "",
            "Number of similar sessions of a user that exchange their jobs; 1: no exchange.",
            min=1,
        ),
    ] = 8,
    pause: Annotated[
        float, option("", "A session ends when a user submits no job for this time.", min=0)
    ] = 1200.0,
    keep_dates: Annotated[
        bool,
        flag("Keep dates, time zone and header. By default the twin begins in January 2000."),
    ] = False,
    reading: Annotated[ReadingOptions, has("reader", missing_walltime=WORKLOAD_WALLTIME)],
) -> None:
    """Generate a twin: a synthetic log that behaves like a private log and that you can publish.

    Each user keeps the times of submissions. The jobs of a user are exchanged among sessions with
    similar work and numbers of jobs. Run times and dates get random errors, and names become
    numbers. Common values replace sizes and walltimes that few users request. The command reports
    how close the twin is to the log, and what the twin could still reveal. Read this report before
    you publish the twin.
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
    twin_log = TwinLog(reading.open(log, output=to.output), options=options)
    with ExitStack() as files:
        # open the report first, so that no twin is written without it
        file = None if to.report is None else files.enter_context(written_whole(to.report))
        convert_log(log, twin_log, to=replace(to, report=None))
        if file is not None or not to.quiet:
            _tell(twin_log, file, quiet=to.quiet)


def scale(
    log: LogArgument,
    *,
    to: WorkloadOptions,
    load: Annotated[float, option("FACTOR", "The factor by which the load is multiplied.")],
    what: Annotated[
        Literal["arrivals", "machine"], option("arrivals|machine", "What is scaled.")
    ] = "arrivals",
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", missing_walltime=WORKLOAD_WALLTIME),
    ],
) -> None:
    """Multiply a log's load by a factor.

    `--what arrivals` divides the times between submissions by the factor, so days and weeks become
    shorter. `--what machine` divides the machine's size by the factor. Schedulers reject jobs that
    are larger than the machine; the command counts these jobs.

    For example:

        pred-aware log model scale KTH-SP2-1996-2.1-cln.swf.gz -o busier.json --load 1.2

        pred-aware log model scale kth.json -o less.json --load 1.25 --what machine --platform less.xml
    """  # noqa: E501 - an example is one line
    from workload_tools.changes.scaled import ScaledLog

    # --processors is the size of the original machine, which the command then scales
    opened = replace(reading, processors=None).open(log, output=to.output)
    scaled = ScaledLog(opened, load, by=what, path=log, processors=reading.processors)
    convert_log(log, scaled, to=to)


def _tell(twin_log: "TwinLog", file: "IO[bytes] | None", *, quiet: bool) -> None:
    """Print and write how similar the twin is, and what it could still reveal."""
    from workload_tools.changes.twin import closeness, disclosure

    close, revealed = closeness(twin_log.pairs), disclosure(twin_log.pairs)
    if file is not None:
        from dataclasses import asdict

        import msgspec

        content = {
            "options": asdict(twin_log.options),
            "counts": twin_log.report.to_dict(),
            "closeness": close.to_dict(),
            "disclosure": revealed.to_dict(),
        }
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
    if not quiet:
        from pred_aware.log.twin_report import print_twin
        from pred_aware.report.terminal import console

        print_twin(close, revealed, console())


register = adding_group(
    "model",
    "Derive a log from a log: a twin that you can publish, or another load.",
    adding(twin, scale, page="how-to/twin.md"),
)
