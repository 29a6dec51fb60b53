"""Oddities of a log's jobs: submissions, walltimes, run times, waits, users."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from pred_aware.inspection.load import NEARLY_ALL
from pred_aware.recorded_queue.trust import HARDLY, MOST_BEYOND
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, HOUR, timespan
from pred_aware.report.plural import counted
from workload_tools.missing_walltime import MOST

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection
    from pred_aware.inspection.load import Flurry


Kind = Literal["odd", "note"]

MISSING = 0.01
"""A missing value is odd if more than this share of jobs lacks it."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """A finding that readers of a log should know."""

    kind: Kind
    """``odd`` if the finding may make results wrong; ``note`` if it is only information."""
    text: str
    """The finding, with its numbers."""
    advice: str = ""
    """What the finding means, or what to do; may be empty."""


def percents(share: float) -> str:
    """Format a share in percent; below 10 % with two significant digits."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"  # noqa: PLR2004 - see the docstring


def so_many(count: int) -> str:
    """Return a number of jobs in words, such as ``1 job``."""
    return counted(count, "job")


def condition_date(inspection: "Inspection", second: float) -> str:
    """Format a date for `--clean`, with its offset from UTC; `--clean` then needs no time zone."""
    if not inspection.clock.knows_dates:
        return f"{second:.0f}"
    return inspection.clock.datetime(second).replace(microsecond=0).isoformat()


IDLE = 0.05
"""The machine counts as idle in a hole if fewer than this share of processors was busy."""
BEYOND_WALLTIME = (0.001, 0.01)
"""If the share of work beyond walltimes exceeds the first value, this is a note; if it exceeds the
second, it is odd."""
ONE_WALLTIME = 0.3
"""A walltime looks like a default if more than this share of jobs has it."""
LOW_RATIO = 0.1
SHORT_JOB = 10.0
MANY_SHORT = 0.1
LONG_JOB = 7 * DAY
LONG_WAIT = 30 * DAY
ONE_USER = 0.25
NIGHT = (22, 6)
"""Hours in which most people sleep."""
COARSE = 60
COARSE_SHARE = 0.9


def about_arrivals(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of submissions."""
    clock = inspection.clock
    if inspection.holes:
        longest = inspection.holes[0]
        hours = sum(hole.length for hole in inspection.holes) / HOUR
        idle = sum(hole.busy is not None and hole.busy < IDLE for hole in inspection.holes)
        yield Oddity(
            "odd",
            f"{counted(len(inspection.holes), 'period')} without submissions (holes), "
            f"{hours:,.0f} h in total; the longest lasts {timespan(longest.length)} from "
            f"{clock.date(longest.begin)}; usually, {longest.usual_jobs:,.0f} jobs are submitted "
            "in these hours" + (f"; in {idle} of the holes the machine was idle." if idle else "."),
            "Holes mean maintenance or lost records; the log does not say which. A simulated "
            "machine stays up, so the queues before and after a hole differ from the real ones.",
        )
    if inspection.flurries:
        largest = inspection.flurries[0]
        share = sum(flurry.share for flurry in inspection.flurries)
        yield Oddity(
            "odd",
            f"{counted(len(inspection.flurries), 'flurry', 'flurries')} (days with very many "
            f"jobs of one user), with {percents(share)} of all jobs; the largest, "
            f"of user {largest.user}, has {largest.jobs:,} jobs from {clock.date(largest.begin)} "
            f"to {clock.date(largest.end)}, {percents(largest.most_alike)} of them with "
            "equal size and walltime.",
            "Such jobs dominate means over jobs. Compare results with and without the largest "
            f"flurry: --clean '{_condition_of(inspection, largest)}'.",
        )
    if not clock.knows_dates:
        yield Oddity(
            "note",
            "The log has no dates.",
            "Hours and weekdays are counted from the log's second 0.",
        )
        return
    if clock.zone_name is None:
        yield Oddity(
            "note",
            "The log has no time zone; hours and weekdays are in UTC.",
            "Give the machine's time zone with --time-zone.",
        )
    if inspection.days < WEEK / DAY:
        return
    busiest = int(inspection.arrivals.sum(axis=0).argmax())
    if busiest >= NIGHT[0] or busiest < NIGHT[1]:
        yield Oddity(
            "odd",
            f"The hour with most submissions is at night, from {busiest}:00 to {busiest + 1}:00.",
            "The time zone is wrong, or scripts submit the jobs.",
        )


def about_walltimes(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of walltimes."""
    accuracy = inspection.accuracy
    if accuracy is None:
        yield Oddity(
            "odd",
            "No job has a walltime.",
            "So schedulers cannot plan with walltimes. A conversion needs an option: "
            "--missing-walltime SECONDS gives all jobs this walltime.",
        )
        return
    missing = len(inspection.columns) - accuracy.jobs
    if missing:
        yield Oddity(
            "odd" if missing > MISSING * len(inspection.columns) else "note",
            f"The log has {so_many(missing)} without a walltime.",
            "Some schedulers reject such jobs and others run them. So conversions drop the jobs "
            "and their load; --missing-walltime SECONDS gives them a walltime instead."
            if missing <= MOST * len(inspection.columns)
            else "A conversion needs an option: --missing-walltime SECONDS gives these jobs a "
            "walltime, --missing-walltime drop removes the jobs.",
        )
    worth_a_note, odd = BEYOND_WALLTIME
    if accuracy.work_beyond > worth_a_note:
        yield Oddity(
            "odd" if accuracy.work_beyond > odd else "note",
            f"{percents(accuracy.beyond)} of the jobs ran longer than their walltime (by more than "
            f"1 %); {percents(accuracy.work_beyond)} of all work was done after walltimes.",
            "A simulator kills jobs at their walltime, so the simulated machine has less work.",
        )
    walltime, share = accuracy.walltimes[0]
    if share > ONE_WALLTIME:
        yield Oddity(
            "note",
            f"{percents(share)} of the jobs have the walltime {timespan(walltime)}.",
            "This looks like a default that users do not change.",
        )
    if accuracy.median < LOW_RATIO:
        yield Oddity(
            "note",
            f"Half of the jobs run less than {percents(accuracy.median)} of their walltime.",
            "These walltimes are inaccurate, so predictions can change the schedule much.",
        )


def about_run_times(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of run times."""
    run_times = inspection.columns.run_time
    short = float((run_times < SHORT_JOB).mean())
    if short > MANY_SHORT:
        yield Oddity(
            "note",
            f"{percents(short)} of the jobs run for less than 10 s.",
            "Most such jobs failed or were tests. They dominate mean slowdowns; use bounded "
            "slowdowns instead.",
        )
    long = run_times > LONG_JOB
    if long.any():
        work = float(inspection.columns.work[long].sum() / inspection.columns.work.sum())
        yield Oddity(
            "note",
            f"{so_many(int(long.sum()))} ran for more than 7 days, with {percents(work)} of all "
            "work.",
            "Some published studies leave such jobs out: --clean 'run>7d'.",
        )
    for name, values in (("run times", run_times), ("dates", inspection.columns.submit_time)):
        if float((values % COARSE == 0).mean()) > COARSE_SHARE:
            yield Oddity("note", f"Nearly all {name} are whole minutes.", "They are rounded.")


def about_waits(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of waits."""
    waits = inspection.columns.wait_time
    known = waits[np.isfinite(waits)]
    if len(known) < NEARLY_ALL * len(waits):
        yield Oddity(
            "note",
            f"{len(waits) - len(known):,} jobs ({percents(1 - len(known) / len(waits))}) have an "
            "unknown wait.",
            "The machine's load is computed as if these jobs had started at their submission.",
        )
    long = int((known > LONG_WAIT).sum())
    if long:
        yield Oddity(
            "odd" if long > MISSING * len(waits) / 10 else "note",
            f"{so_many(long)} waited for more than 30 days, up to {timespan(float(known.max()))}.",
            "These jobs were probably held, or depended on other jobs. A simulation "
            "knows neither holds nor dependencies.",
        )
    causes = [] if inspection.clues is None else list(inspection.clues.sentences)
    if causes and inspection.load.beyond <= MOST_BEYOND and known.mean() >= HARDLY:
        first, *others = (cause[0].upper() + cause[1:] for cause in causes)
        yield Oddity(
            "odd",
            f"{first}.",
            "A simulation without the site's rules starts such jobs immediately. Its queue "
            "therefore differs from the real one; --baseline easy measures this difference.",
        )
        yield from (Oddity("note", f"{cause}.") for cause in others)


def about_users(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of users."""
    for user in inspection.users:
        if max(user.share_of_jobs, user.share_of_work) > ONE_USER:
            yield Oddity(
                "odd",
                f"User {user.name} submitted {percents(user.share_of_jobs)} of the jobs and used "
                f"{percents(user.share_of_work)} of the processor-seconds.",
                "This user dominates results. If the name stands for several hidden users, "
                "predictors and priorities take them for one user. Then read the log with "
                f'--reader \'{{"hidden_user": "{user.name}"}}\', so that these jobs have no user.',
            )


def _condition_of(inspection: "Inspection", flurry: "Flurry") -> str:
    """Return the condition for `--clean` that removes a flurry."""
    begin, end = (condition_date(inspection, date) for date in (flurry.begin, flurry.end))
    return f'user="{flurry.user}" and submit>={begin} and submit<={end}'
