"""Oddities of a log as a whole: its records, its machine, its weeks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.inspection.odd_jobs import MISSING, Oddity, condition_date, percents, so_many
from pred_aware.recorded_queue.trust import HARDLY, MOST_BEYOND
from pred_aware.recorded_queue.waits import submitted_early
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, timespan
from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection

FEW_JOBS = 1000
SHORT_PERIOD = 28.0
MANY_DROPPED = 0.01
REASONS = 5
"""Number of reasons for dropped records that are listed."""
OVERFULL = 0.001
OTHER_SIZES = 0.05
"""Sizes differ if the loads by allocated and by requested processors differ by more than this."""
LITTLE_LOAD = 0.2
MUCH_LOAD = 0.95
QUIET_WEEK = 0.25
"""A week is quiet if its load is below this fraction of the mean load."""
WEEKS_NAMED = 10


def about_size(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield an oddity if the machine's size is a guess."""
    load = inspection.load
    if load.guessed:
        yield Oddity(
            "odd",
            f"The log does not contain the machine's size; {load.processors:,} processors, "
            "the minimum for the log's jobs, are used instead.",
            "Give the size with --processors; loads and simulated waits depend on the size.",
        )


def about_starts(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield an oddity if the log has no waits and its submissions look like starts."""
    if inspection.load.only_starts:
        yield Oddity(
            "odd",
            "The log has no waits, and its submissions look like starts: jobs that begin at their "
            "submissions never need many more processors than usual, as on a full machine.",
            "In a simulation of this log, hardly any job waits under any policy. Use a log with "
            "the dates of submissions.",
        )


def about_early_jobs(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield an oddity if jobs were submitted before the first recorded start."""
    columns = inspection.columns
    early, share = submitted_early(columns.submit_time, columns.wait_time)
    if early.any():
        yield Oddity(
            "odd",
            f"The log has {so_many(int(early.sum()))} submitted before the first recorded start, "
            f"with {percents(share)} of all waiting.",
            "These jobs waited for jobs that are not in the log, so a simulation starts them at "
            "once. The comparison with the recorded queue leaves these jobs out.",
        )


def about_records(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities: dropped or repaired records, few jobs, or few days."""
    report = inspection.columns.report
    dropped = report.read - report.kept
    if dropped:
        most = report.dropped.most_common(REASONS)
        others = len(report.dropped) - len(most)
        reasons = ", ".join(f"{why}: {count:,}" for why, count in most)
        reasons += f", and {counted(others, 'other reason')}" if others else ""
        yield Oddity(
            "odd" if dropped > MANY_DROPPED * report.read else "note",
            f"{dropped:,} of {report.read:,} records ({percents(dropped / report.read)}) are not "
            f"jobs ({reasons}).",
            "If they were jobs that ran, their work is missing from the load.",
        )
    for reason, count in report.repaired.most_common():
        yield Oddity("note", f"The reader repaired {so_many(count)}: {reason}.")
    if len(inspection.columns) < FEW_JOBS:
        yield Oddity(
            "odd",
            f"The log has only {len(inspection.columns):,} jobs.",
            "With so few jobs, means depend on a few single jobs, and predictors learn little.",
        )
    if inspection.days < SHORT_PERIOD:
        yield Oddity(
            "note",
            f"The log covers less than four weeks: {timespan(inspection.days * DAY)}.",
            "Unusual weeks cannot be distinguished from usual weeks.",
        )


def about_machine(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of the machine's load and size."""
    load, columns = inspection.load, inspection.columns
    too_large = int((columns.processors > load.processors).sum())
    if too_large:
        yield Oddity(
            "odd",
            f"The log has {so_many(too_large)} larger than the machine (up to "
            f"{columns.processors.max():,} processors; the machine has {load.processors:,}).",
            "Schedulers reject such jobs.",
        )
    if load.overfull > OVERFULL and load.starts_known:
        yield Oddity(
            "odd",
            f"During {percents(load.overfull)} of the time, more processors were busy than the "
            f"machine has, up to {load.peak:,} of {load.processors:,}.",
            "The size is wrong or changed, or jobs shared processors or are recorded twice."
            if load.beyond <= MOST_BEYOND
            else f"{percents(load.beyond)} of the work would have been done on processors that do "
            "not exist: the recorded waits or the size must be wrong.",
        )
    if abs(load.taken - load.used) > OTHER_SIZES * load.used:
        yield Oddity(
            "odd",
            f"The machine's load is {load.used:.2f} with the processors that jobs had on the real "
            f"machine, but {load.taken:.2f} with the processors of the jobs in a simulation.",
            "The log has two sizes for each job; choose the size that occupied the machine "
            "(`convert swf --processors-from allocated`).",
        )
    if load.used > MUCH_LOAD or load.used < LITTLE_LOAD:
        yield Oddity("odd", f"The load is {load.used:.2f}.", _meaning(inspection))


def _meaning(inspection: "Inspection") -> str:
    """Return what a very high or low load means, given the log's waits."""
    if inspection.load.used > MUCH_LOAD:
        return "With such a load, the queue can only grow. Is the machine's size correct?"
    waits = inspection.distributions["wait_time"]
    if waits is None or not inspection.load.starts_known:
        return "Hardly any job will wait in a simulation, and schedulers will hardly differ."
    if waits["mean"] < HARDLY:
        return "Hardly any job waits, so schedulers will hardly differ."
    return (
        f"Nevertheless jobs waited {timespan(waits['mean'])} on average, a tenth of the jobs over "
        f"{timespan(waits['90 %'])}. They did not wait for processors. In a simulation, hardly "
        "any job will wait, and schedulers will hardly differ."
    )


def about_weeks(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield an oddity if weeks are empty or quiet."""
    weeks = inspection.load.by_week
    quiet = np.flatnonzero(weeks < QUIET_WEEK * weeks.mean())
    if not len(quiet) or len(weeks) == 1:
        return
    named = ", ".join(str(week + 1) for week in quiet[:WEEKS_NAMED])
    more = ", ..." if len(quiet) > WEEKS_NAMED else ""
    first_busy = int(np.argmax(weeks >= QUIET_WEEK * weeks.mean()))
    advice = "Part of the machine was down, or the log has gaps."
    if first_busy:
        begin = condition_date(inspection, inspection.columns.first + first_busy * WEEK)
        advice = (
            "At the beginning of a log, the machine may be new, or jobs that were submitted "
            f"earlier are missing. Leave out the quiet first weeks: --clean 'submit<{begin}'."
        )
    yield Oddity(
        "odd",
        f"{len(quiet)} of {len(weeks)} weeks had less than a quarter of the mean load "
        f"(week {named}{more}).",
        advice,
    )


def about_fields(inspection: "Inspection") -> Iterator[Oddity]:
    """Yield oddities of fields that the log lacks."""
    known, jobs = inspection.columns.known, len(inspection.columns)
    if not known["user"]:
        yield Oddity("odd", "The log has no users.", "Predictors that learn by user cannot learn.")
    elif jobs - known["user"] > MISSING * jobs:
        yield Oddity("note", f"The log has {so_many(jobs - known['user'])} without a user.")
    if not inspection.columns.states:
        yield Oddity(
            "note",
            "The log does not say how jobs ended.",
            "Failed and cancelled jobs cannot be distinguished from completed ones.",
        )
