"""The command `service shadow`: a rehearsal of the service on a log."""

from typing import Annotated

from pred_aware.commands.options.groups import adding, has, option
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.parts import CandidateOptions, MoreOptions, parse_policy_options
from pred_aware.commands.options.reading import LogArgument, ReadingOptions

LAG = 5.0
"""Seconds between two reads of PBS's accounting by `service serve`."""

LAG_HELP = "Seconds after a job's end until predictors learn it: about 5 with PBS, 45 with Slurm."


def shadow(  # noqa: PLR0913 - one parameter per option
    log: LogArgument,
    *,
    predicting: Annotated[
        CandidateOptions,
        has(
            predictor="Predictor, as for `predict`. Repeatable. `recorded` means the soft "
            "walltimes in the log.",
            lag=(LAG_HELP, LAG),
        ),
    ],
    start: Annotated[
        str | None,
        option(
            "DATE",
            "Predict jobs submitted from this date on (2017-11-01), or from this many "
            "seconds after the first submission.",
            shown="the first",
        ),
    ] = None,
    end: Annotated[
        str | None, option("DATE", "Predict jobs submitted before this date.", shown="the last")
    ] = None,
    backfill_depth: Annotated[
        int,
        option("N", "Number of jobs that OpenPBS plans, as `list server` of qmgr shows.", min=1),
    ] = 1,
    fuzzy: Annotated[str, option("off|low|medium|high", "OpenPBS's opt_backfill_fuzzy.")] = "low",
    options: MoreOptions = None,
    shakes: Annotated[
        int,
        option("N", "Simulate N perturbed copies of the log, for confidence intervals.", min=0),
    ] = 10,
    workers: Annotated[
        int | None,
        option(
            "N",
            "Worker processes for the perturbed copies.",
            "-j",
            "--workers",
            shown="one per core",
            min=1,
        ),
    ] = None,
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", "time_zone", "site", "order", "missing_walltime"),
    ],
    output: Annotated[
        OutputOptions,
        has(
            *PAGE,
            csv="Write each job's soft walltime and waits.",
        ),
    ],
) -> None:
    """Rehearse soft walltimes on a log, before you switch them on.

    Shows the soft walltime that the service would have set for each job of a period, and the errors
    by queue and user. Simulates the schedule without and with soft walltimes, and recommends
    whether to use them. The command only reads the log and changes nothing. The estimates come from
    the code of `service serve`, which learns each job at its end.

    The simulated scheduler is OpenPBS's with `strict_ordering: true`, or Slurm's if `--site`
    contains Slurm's configuration. `-O` replaces parts of the scheduler, as for `run -s policy`.

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
    scheduler_options = {**({} if of_slurm else {"backfilling": calendar}), "site": site}
    scheduler_options |= parse_policy_options(options)
    read = reading.read(log)
    with output.progress("perturbed copies", shown=bool(shakes)) as progress:
        found = rehearse(
            read, candidates, begin=start, end=end, options=scheduler_options, lag=predicting.lag,
            shakes=shakes, workers=workers, progress=progress,
        )  # fmt: skip
    output.deliver(RehearsalReport(found), readable=True)


register = adding(shadow, page="how-to/rehearsal.md")
