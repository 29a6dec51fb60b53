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
"""Share of jobs without a value from which this is odd."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """A finding that readers of a log should know."""

    kind: Kind
    """``odd`` if results may be wrong because of it; ``note`` for information."""
    text: str
    """The finding, with figures."""
    advice: str = ""
    """What to do about it, or what it means."""


def percents(share: float) -> str:
    """Format a share in percent, with a decimal if it is small."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"  # noqa: PLR2004 - as said


def so_many(count: int) -> str:
    """Format a number of jobs."""
    return counted(count, "job")


def condition_date(inspection: "Inspection", second: float) -> str:
    """Format a date for `--clean`, with its offset from UTC, so that no time zone is needed."""
    if not inspection.clock.knows_dates:
        return f"{second:.0f}"
    return inspection.clock.datetime(second).replace(microsecond=0).isoformat()


IDLE = 0.05
"""Share of busy processors in a hole below which the machine counts as idle."""
BEYOND_WALLTIME = (0.001, 0.01)
"""Shares of processor seconds beyond walltimes from which there is a note, and an oddity."""
ONE_WALLTIME = 0.3
"""Share of jobs with the same walltime from which it looks like a default."""
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
            f"{counted(len(inspection.holes), 'hole')} in the arrivals, {hours:,.0f} h in total; "
            "the "
            f"longest lasts {timespan(longest.length)} from {clock.date(longest.begin)}, when "
            f"{longest.usual_jobs:,.0f} jobs are usual"
            + (f"; in {idle} of them the machine was idle." if idle else "."),
            "Maintenance, or lost records. The log does not say which, and a simulated machine "
            "stays "
            "up: queues that built up before or after are not reproduced.",
        )
    if inspection.flurries:
        largest = inspection.flurries[0]
        share = sum(flurry.share for flurry in inspection.flurries)
        yield Oddity(
            "odd",
            f"{counted(len(inspection.flurries), 'flurry', 'flurries')} of one user, "
            f"{percents(share)} of all jobs; the largest, of user {largest.user}, has "
            f"{largest.jobs:,} jobs from {clock.date(largest.begin)} to {clock.date(largest.end)}, "
            f"{percents(largest.most_alike)} of them with equal size and walltime.",
            "These jobs dominate means over jobs. Compare results with and without them: "
            f"--clean '{_condition_of(inspection, largest)}'.",
        )
    if not clock.knows_dates:
        yield Oddity(
            "note",
            "The log has no dates.",
            "Hours and weekdays count from its second 0.",
        )
        return
    if clock.zone_name is None:
        yield Oddity(
            "note",
            "The log has no time zone; hours and weekdays are in UTC.",
            "Give the machine's with --time-zone.",
        )
    if inspection.days < WEEK / DAY:
        return
    busiest = int(inspection.arrivals.sum(axis=0).argmax())
    if busiest >= NIGHT[0] or busiest < NIGHT[1]:
        yield Oddity(
            "odd",
            f"Most jobs are submitted at night, from {busiest}:00 to {busiest + 1}:00.",
            "The time zone is wrong, or scripts submit the jobs.",
        )


def about_walltimes(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of walltimes."""
    accuracy = inspection.accuracy
    if accuracy is None:
        yield Oddity(
            "odd",
            "No job has a walltime.",
            "They cannot be used for planning or comparison. A conversion needs an option: "
            "--missing-walltime SECONDS gives all jobs one.",
        )
        return
    missing = len(inspection.columns) - accuracy.jobs
    if missing:
        yield Oddity(
            "odd" if missing > MISSING * len(inspection.columns) else "note",
            f"{so_many(missing)} without a walltime.",
            "Some schedulers reject such jobs and others run them, so conversions drop them "
            "and their load; --missing-walltime SECONDS gives them one."
            if missing <= MOST * len(inspection.columns)
            else "A conversion needs an option: --missing-walltime SECONDS gives them "
            "one, drop removes them.",
        )
    worth_a_note, odd = BEYOND_WALLTIME
    if accuracy.work_beyond > worth_a_note:
        yield Oddity(
            "odd" if accuracy.work_beyond > odd else "note",
            f"{percents(accuracy.beyond)} of the jobs ran beyond their walltime (by more than 1 "
            "%), with "
            f"{percents(accuracy.work_beyond)} of the work beyond it.",
            "A simulator kills them, so the simulated machine has less work than the real one.",
        )
    walltime, share = accuracy.walltimes[0]
    if share > ONE_WALLTIME:
        yield Oddity(
            "note",
            f"{percents(share)} of the jobs have the walltime {timespan(walltime)}.",
            "It looks like a default that users keep.",
        )
    if accuracy.median < LOW_RATIO:
        yield Oddity(
            "note",
            f"Half of the jobs use less than {percents(accuracy.median)} of their walltime.",
            "Walltimes are inaccurate here, so predictions can change much.",
        )


def about_run_times(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of run times."""
    run_times = inspection.columns.run_time
    short = float((run_times < SHORT_JOB).mean())
    if short > MANY_SHORT:
        yield Oddity(
            "note",
            f"{percents(short)} of the jobs run for less than 10 s.",
            "Most of them failed or were tests. They dominate mean slowdowns; use bounded "
            "slowdowns instead.",
        )
    long = run_times > LONG_JOB
    if long.any():
        work = float(inspection.columns.work[long].sum() / inspection.columns.work.sum())
        yield Oddity(
            "note",
            f"{so_many(int(long.sum()))} ran for more than 7 days, {percents(work)} of the work.",
            "Paper 000 leaves such jobs out: --clean 'run>7d'.",
        )
    for name, values in (("run times", run_times), ("dates", inspection.columns.submit_time)):
        if float((values % COARSE == 0).mean()) > COARSE_SHARE:
            yield Oddity("note", f"Nearly all {name} are whole minutes.", "The clock is coarse.")


def about_waits(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of waits."""
    waits = inspection.columns.wait_time
    known = waits[np.isfinite(waits)]
    if len(known) < NEARLY_ALL * len(waits):
        yield Oddity(
            "note",
            f"{len(waits) - len(known):,} jobs ({percents(1 - len(known) / len(waits))}) have an "
            "unknown wait.",
            "The machine's load is computed as if they had started at submission.",
        )
    long = int((known > LONG_WAIT).sum())
    if long:
        yield Oddity(
            "odd" if long > MISSING * len(waits) / 10 else "note",
            f"{so_many(long)} waited for more than 30 days, up to {timespan(float(known.max()))}.",
            "They were probably held or waited for other jobs, which a simulation does not know.",
        )
    causes = [] if inspection.clues is None else list(inspection.clues.sentences)
    if causes and inspection.load.beyond <= MOST_BEYOND and known.mean() >= HARDLY:
        first, *others = (cause[0].upper() + cause[1:] for cause in causes)
        yield Oddity(
            "odd",
            f"{first}.",
            "A simulation without the site's rules starts such jobs at once, so its queue differs: "
            "--baseline easy shows by how much.",
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
                "they are one person to predictors and priorities: read the log with "
                f'--reader \'{{"hidden_user": "{user.name}"}}\', and these jobs have no user.',
            )


def _condition_of(inspection: "Inspection", flurry: "Flurry") -> str:
    """Return the condition for `--clean` that removes a flurry."""
    begin, end = (condition_date(inspection, date) for date in (flurry.begin, flurry.end))
    return f'user="{flurry.user}" and submit>={begin} and submit<={end}'
