"""The command `service shadow`: a rehearsal of the service on a log."""

from typing import Annotated

import typer

from pred_aware.commands.options.groups import add, has, option
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.parts import CandidateOptions, MoreOptions, told_options
from pred_aware.commands.options.reading import LogArgument, ReadingOptions

LAG = 5.0
"""After how many seconds `service serve` looks again at PBS's accounting."""

LAG_HELP = "How many seconds after its end a job is learned: 5, as of PBS, or 45, as of Slurm."


def shadow(  # noqa: PLR0913 - one parameter an option
    log: LogArgument,
    *,
    predicting: Annotated[
        CandidateOptions,
        has(
            predictor="Predictor, as for `predict`; can be given many times. `recorded` is what "
            "the log says was set.",
            lag=(LAG_HELP, LAG),
        ),
    ],
    start: Annotated[
        str | None,
        option(
            "DATE",
            "Ask about jobs submitted from this date on (2017-11-01), or this many seconds "
            "after the first submission.",
            shown="the first",
        ),
    ] = None,
    end: Annotated[str | None, option("DATE", "And before this date.", shown="the last")] = None,
    backfill_depth: Annotated[
        int, option("N", "For how many jobs OpenPBS plans, as `list server` of qmgr says.", min=1)
    ] = 1,
    fuzzy: Annotated[str, option("off|low|medium|high", "OpenPBS's opt_backfill_fuzzy.")] = "low",
    options: MoreOptions = None,
    shakes: Annotated[
        int,
        option(
            "N", "Simulate on N shakes of the log, which gives each difference an interval.", min=0
        ),
    ] = 10,
    workers: Annotated[
        int | None,
        option("N", "For shakes: processes.", "-j", "--workers", shown="one per core", min=1),
    ] = None,
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", "time_zone", "site", "order", "missing_walltime"),
    ],
    output: Annotated[
        OutputOptions,
        has(
            *PAGE,
            csv="Write what would have been set for each job, and its waits.",
        ),
    ],
) -> None:
    """Rehearse soft walltimes on a log, before anybody turns them on.

    Says what the service would have set for each job of a period, how right that would have been,
    by queue and user, what the schedule would have been without and with, and whether to do it.
    Nothing is changed anywhere: only the log is read. The estimates are made by the code of
    `service serve`, which learns each job of the log when it ended.

    Jobs are scheduled as OpenPBS does with `strict_ordering: true`, or by Slurm's scheduler where
    `--site` states Slurm's configuration. `-O` sets other parts, as for `run -s policy`.

    For example:

        pred-aware service shadow server_priv/accounting --predictor pbs_v3 --start 2024-03-01

        pred-aware service shadow LOG --predictor pbs_v3 --predictor similar --html page.html

        pred-aware service shadow sacct.txt --predictor similar -O backfilling=easy
    """
    from pred_aware.rehearsal import rehearse
    from pred_aware.rehearsal.report import RehearsalReport

    candidates = predicting.candidates()
    output.check({"the log": log, **reading.files})
    calendar = {"name": "openpbs", "backfill_depth": backfill_depth, "opt_backfill_fuzzy": fuzzy}
    site = reading.read_site()
    of_slurm = site is not None and site.slurm is not None
    asked = {**({} if of_slurm else {"backfilling": calendar}), "site": site}
    asked |= told_options(options)
    read = reading.read(log)
    with output.progress("shakes", shown=bool(shakes)) as progress:
        found = rehearse(
            read, candidates, begin=start, end=end, options=asked, lag=predicting.lag,
            shakes=shakes, workers=workers, progress=progress,
        )  # fmt: skip
    output.deliver(RehearsalReport(found), readable=True)


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, shadow, page="how-to/rehearsal.md")
