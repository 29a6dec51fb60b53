"""Oddities of a log as a whole: its records, its machine, its weeks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.inspection.odd_jobs import MISSING, Oddity, condition_date, percents, so_many
from pred_aware.recorded_queue.answer import HARDLY, MOST_BEYOND
from pred_aware.recorded_queue.waits import submitted_early
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, spoken
from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection

FEW_JOBS = 1000
SHORT_PERIOD = 28.0
MANY_DROPPED = 0.01
REASONS = 5
"""How many reasons are told of why records make no job."""
OVERFULL = 0.001
OTHER_SIZES = 0.05
"""Relative difference of the loads by allocated processors and by those that jobs take."""
LITTLE_LOAD = 0.2
MUCH_LOAD = 0.95
QUIET_WEEK = 0.25
"""Of the mean load: less makes a week quiet."""
WEEKS_NAMED = 10


def about_size(inspection: "Inspection") -> Iterator[Oddity]:
    """Say that the machine's size is a guess, where it is."""
    load = inspection.load
    if load.guessed:
        yield Oddity(
            "odd",
            f"The log does not tell the machine's size; {load.processors:,} processors, the least "
            "that its jobs show, stand in for it.",
            "Give the size with --processors; loads and simulated waits depend on it.",
        )


def about_starts(inspection: "Inspection") -> Iterator[Oddity]:
    """Say that submissions look like starts, where the log tells of no wait."""
    if inspection.load.only_starts:
        yield Oddity(
            "odd",
            "The log tells of no wait, and its submissions look like starts: the work that they "
            "ask for at once has a ceiling, as on a full machine.",
            "Simulated on it hardly a job waits, whatever the policy; give a log with the dates of "
            "submissions.",
        )


def about_early_jobs(inspection: "Inspection") -> Iterator[Oddity]:
    """Say how much of the waiting is of jobs that were submitted before the first start."""
    columns = inspection.columns
    early, share = submitted_early(columns.submit_time, columns.wait_time)
    if early.any():
        yield Oddity(
            "odd",
            f"{so_many(int(early.sum()))} submitted before the first recorded start, with "
            f"{percents(share)} of all waiting.",
            "They waited for jobs that the record does not have, so a simulation starts them at "
            "once. The comparison with the recorded queue does not count them.",
        )


def about_records(inspection: "Inspection") -> Iterator[Oddity]:
    """Say which records make no job, and that there are few jobs or days."""
    report = inspection.columns.report
    dropped = report.read - report.kept
    if dropped:
        most = report.dropped.most_common(REASONS)
        others = len(report.dropped) - len(most)
        reasons = ", ".join(f"{why}: {count:,}" for why, count in most)
        reasons += f", and {counted(others, 'other reason')}" if others else ""
        yield Oddity(
            "odd" if dropped > MANY_DROPPED * report.read else "note",
            f"{dropped:,} of {report.read:,} records ({percents(dropped / report.read)}) make no "
            f"job ({reasons}).",
            "Their work, if they did any, is missing from the load.",
        )
    for reason, count in report.repaired.most_common():
        yield Oddity("note", f"{so_many(count)} repaired: {reason}.")
    if len(inspection.columns) < FEW_JOBS:
        yield Oddity(
            "odd",
            f"Only {len(inspection.columns):,} jobs.",
            "Mean waits of so few depend on a handful of them, and predictors learn little.",
        )
    if inspection.days < SHORT_PERIOD:
        yield Oddity(
            "note",
            f"Less than four weeks: {spoken(inspection.days * DAY)}.",
            "An unusual week cannot be told from a usual one.",
        )


def about_machine(inspection: "Inspection") -> Iterator[Oddity]:
    """Say what the load tells of the machine."""
    load, columns = inspection.load, inspection.columns
    too_large = int((columns.processors > load.processors).sum())
    if too_large:
        yield Oddity(
            "odd",
            f"{so_many(too_large)} larger than the machine (up to {columns.processors.max():,} of "
            f"{load.processors:,} processors).",
            "Schedulers reject such jobs.",
        )
    if load.overfull > OVERFULL and load.starts_known:
        yield Oddity(
            "odd",
            f"For {percents(load.overfull)} of the time more processors were busy than the machine "
            f"has, up to {load.peak:,} of {load.processors:,}.",
            "The size is wrong or changed, or the processors were shared or counted twice."
            if load.beyond <= MOST_BEYOND
            else f"{percents(load.beyond)} of the work would have been done on processors that do "
            "not exist: the recorded waits can't be right, or the size is wrong.",
        )
    if abs(load.taken - load.used) > OTHER_SIZES * load.used:
        yield Oddity(
            "odd",
            f"By the processors that jobs had on the machine its load is {load.used:.2f}, by "
            f"those that they take in the workload {load.taken:.2f}.",
            "The log tells two sizes for a job; choose the one that held the machine "
            "(`convert swf --processors-from allocated`).",
        )
    if load.used > MUCH_LOAD or load.used < LITTLE_LOAD:
        yield Oddity("odd", f"The load is {load.used:.2f}.", _meaning(inspection))


def _meaning(inspection: "Inspection") -> str:
    """Say what a very high or low load means, by the waits that the log tells."""
    if inspection.load.used > MUCH_LOAD:
        return "The queue only grows: is the machine's size right?"
    waits = inspection.distributions["wait_time"]
    if waits is None or not inspection.load.starts_known:
        return "So hardly anybody will wait in a simulation, and schedulers will hardly differ."
    if waits["mean"] < HARDLY:
        return "Hardly anybody waits, so that schedulers will hardly differ."
    return (
        f"And yet a job waited {spoken(waits['mean'])} on average, a tenth of them over "
        f"{spoken(waits['90 %'])}: for something else than processors. In a simulation hardly "
        "anybody will wait, and schedulers will hardly differ."
    )


def about_weeks(inspection: "Inspection") -> Iterator[Oddity]:
    """Say which weeks are empty or quiet."""
    weeks = inspection.load.by_week
    quiet = np.flatnonzero(weeks < QUIET_WEEK * weeks.mean())
    if not len(quiet) or len(weeks) == 1:
        return
    named = ", ".join(str(week + 1) for week in quiet[:WEEKS_NAMED])
    more = ", ..." if len(quiet) > WEEKS_NAMED else ""
    first_busy = int(np.argmax(weeks >= QUIET_WEEK * weeks.mean()))
    advice = "The machine was partly down, or the log has gaps."
    if first_busy:
        begin = condition_date(inspection, inspection.columns.first + first_busy * WEEK)
        advice = (
            "At the beginning of a log, machines are new, or only those of the jobs are recorded "
            "that had not ended when it was begun. Leave such weeks out: "
            f"--clean 'submit<{begin}'."
        )
    yield Oddity(
        "odd",
        f"{len(quiet)} of {len(weeks)} weeks had less than a quarter of the mean load "
        f"(week {named}{more}).",
        advice,
    )


def about_fields(inspection: "Inspection") -> Iterator[Oddity]:
    """Say what the log does not tell."""
    known, jobs = inspection.columns.known, len(inspection.columns)
    if not known["user"]:
        yield Oddity(
            "odd", "The log names no users.", "Predictors that learn by user learn nothing."
        )
    elif jobs - known["user"] > MISSING * jobs:
        yield Oddity("note", f"{so_many(jobs - known['user'])} without a user.")
    if not inspection.columns.states:
        yield Oddity(
            "note",
            "The log does not tell how jobs ended.",
            "Failed and cancelled jobs can't be told from completed ones.",
        )
