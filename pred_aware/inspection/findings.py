"""Oddities of a log, in words, with a remedy each.

The thresholds were set with eight logs of the Parallel Workloads Archive and CERIT-SC at hand;
`docs/inspect.md` has what they say about each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from pred_aware.inspection.load import NEARLY_ALL
from pred_aware.recorded_queue.answer import HARDLY, MOST_BEYOND
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, HOUR, spoken
from pred_aware.report.plural import counted
from workload_tools.missing_walltime import MOST

if TYPE_CHECKING:
    from pred_aware.inspection.arrivals import Flurry
    from pred_aware.inspection.inspection import Inspection

Kind = Literal["odd", "note"]

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
BEYOND_WALLTIME = (0.001, 0.01)
"""Shares of all processor-seconds that lie beyond walltimes: worth a note, and odd."""
ONE_WALLTIME = 0.3
"""Share of jobs with the same walltime from which on it looks like a default."""
LOW_RATIO = 0.1
SHORT_JOB = 10.0
MANY_SHORT = 0.1
LONG_JOB = 7 * DAY
LONG_WAIT = 30 * DAY
ONE_USER = 0.25
WEEKS_NAMED = 10
NIGHT = (22, 6)
"""Hours between which most people sleep."""
MISSING = 0.01
COARSE = 60
COARSE_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that a person should know before they trust a log."""

    kind: Kind
    """``odd`` if results may be wrong because of it; ``note`` if it is only good to know."""
    text: str
    """What was found, with figures."""
    advice: str = ""
    """What can be done about it, or what it means."""


def findings(inspection: "Inspection") -> list[Oddity]:
    """Say what looks odd, the oddest kind first.

    Parameters
    ----------
    inspection
        What was found out about a log.
    """
    parts = (
        about_size,
        about_starts,
        _records,
        _machine,
        _weeks,
        _arrivals,
        _walltimes,
        _run_times,
        _waits,
        _users,
        _fields,
    )
    found = [finding for part in parts for finding in part(inspection)]
    return sorted(found, key=lambda finding: finding.kind != "odd")


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


def _records(inspection: "Inspection") -> Iterator[Oddity]:
    report = inspection.columns.report
    dropped = report.read - report.kept
    if dropped:
        most = report.dropped.most_common(REASONS)
        others = len(report.dropped) - len(most)
        reasons = ", ".join(f"{why}: {count:,}" for why, count in most)
        reasons += f", and {counted(others, 'other reason')}" if others else ""
        yield Oddity(
            "odd" if dropped > MANY_DROPPED * report.read else "note",
            f"{dropped:,} of {report.read:,} records ({_share(dropped / report.read)}) make no "
            f"job ({reasons}).",
            "Their work, if they did any, is missing from the load.",
        )
    for reason, count in report.repaired.most_common():
        yield Oddity("note", f"{_jobs(count)} repaired: {reason}.")
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


def _machine(inspection: "Inspection") -> Iterator[Oddity]:
    load, columns = inspection.load, inspection.columns
    too_large = int((columns.processors > load.processors).sum())
    if too_large:
        yield Oddity(
            "odd",
            f"{_jobs(too_large)} larger than the machine (up to {columns.processors.max():,} of "
            f"{load.processors:,} processors).",
            "Schedulers reject such jobs.",
        )
    if load.overfull > OVERFULL and load.starts_known:
        yield Oddity(
            "odd",
            f"For {_share(load.overfull)} of the time more processors were busy than the machine "
            f"has, up to {load.peak:,} of {load.processors:,}.",
            "The size is wrong or changed, or the processors were shared or counted twice."
            if load.beyond <= MOST_BEYOND
            else f"{_share(load.beyond)} of the work would have been done on processors that do "
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


def _weeks(inspection: "Inspection") -> Iterator[Oddity]:
    weeks = inspection.load.by_week
    quiet = np.flatnonzero(weeks < QUIET_WEEK * weeks.mean())
    if not len(quiet) or len(weeks) == 1:
        return
    named = ", ".join(str(week + 1) for week in quiet[:WEEKS_NAMED])
    more = ", ..." if len(quiet) > WEEKS_NAMED else ""
    first_busy = int(np.argmax(weeks >= QUIET_WEEK * weeks.mean()))
    advice = "The machine was partly down, or the log has gaps."
    if first_busy:
        begin = _condition_date(inspection, inspection.columns.first + first_busy * WEEK)
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


def _arrivals(inspection: "Inspection") -> Iterator[Oddity]:
    clock = inspection.clock
    if inspection.holes:
        longest = inspection.holes[0]
        hours = sum(hole.length for hole in inspection.holes) / HOUR
        idle = sum(hole.busy is not None and hole.busy < OTHER_SIZES for hole in inspection.holes)
        yield Oddity(
            "odd",
            f"{counted(len(inspection.holes), 'hole')} in the arrivals, {hours:,.0f} h in all; the "
            f"longest lasts {spoken(longest.length)} from {clock.date(longest.begin)}, when "
            f"{longest.usual_jobs:,.0f} jobs are usual"
            + (f"; in {idle} of them the machine was idle." if idle else "."),
            "Maintenance, or records that are lost. Nothing in the log says so, and a simulated "
            "machine stays up: queues that built up before or after are not reproduced.",
        )
    if inspection.flurries:
        largest = inspection.flurries[0]
        share = sum(flurry.share for flurry in inspection.flurries)
        yield Oddity(
            "odd",
            f"{counted(len(inspection.flurries), 'flurry', 'flurries')} of one user, "
            f"{_share(share)} of all jobs; the largest, of user {largest.user}, has "
            f"{largest.jobs:,} jobs from {clock.date(largest.begin)} to {clock.date(largest.end)}, "
            f"{_share(largest.most_alike)} of them alike in size and walltime.",
            "Means over jobs are means over these. Compare results with and without them: "
            f"--clean '{_condition_of(inspection, largest)}'.",
        )
    if not clock.knows_dates:
        yield Oddity(
            "note",
            "The log tells no dates.",
            "Hours and weekdays are counted from its second 0.",
        )
        return
    if clock.zone_name is None:
        yield Oddity(
            "note",
            "The log tells no time zone, so that hours and weekdays are those of UTC.",
            "Name the machine's with --time-zone.",
        )
    if inspection.days < WEEK / DAY:
        return
    busiest = int(inspection.arrivals.sum(axis=0).argmax())
    if busiest >= NIGHT[0] or busiest < NIGHT[1]:
        yield Oddity(
            "odd",
            f"Most jobs are submitted at night, from {busiest}:00 to {busiest + 1}:00.",
            "The time zone is wrong, or scripts and not people submit.",
        )


def _walltimes(inspection: "Inspection") -> Iterator[Oddity]:
    accuracy = inspection.accuracy
    if accuracy is None:
        yield Oddity(
            "odd",
            "No job has a walltime.",
            "Nothing can be planned with them or compared with them. A conversion wants to be told "
            "what to do: --missing-walltime SECONDS gives all jobs one.",
        )
        return
    missing = len(inspection.columns) - accuracy.jobs
    if missing:
        yield Oddity(
            "odd" if missing > MISSING * len(inspection.columns) else "note",
            f"{_jobs(missing)} without a walltime.",
            "Some schedulers reject such jobs and others run them, so conversions leave them out, "
            "with the load that they make; --missing-walltime SECONDS gives them one."
            if missing <= MOST * len(inspection.columns)
            else "A conversion wants to be told what to do: --missing-walltime SECONDS gives them "
            "one, drop leaves them out.",
        )
    worth_a_note, odd = BEYOND_WALLTIME
    if accuracy.work_beyond > worth_a_note:
        yield Oddity(
            "odd" if accuracy.work_beyond > odd else "note",
            f"{_share(accuracy.beyond)} of the jobs ran beyond their walltime (by over 1 %), and "
            f"{_share(accuracy.work_beyond)} of the work was done there.",
            "A simulator kills them, so that the simulated machine has less to do than the real "
            "one had.",
        )
    walltime, share = accuracy.walltimes[0]
    if share > ONE_WALLTIME:
        yield Oddity(
            "note",
            f"{_share(share)} of the jobs have the walltime {spoken(walltime)}.",
            "It looks like a default that users keep.",
        )
    if accuracy.median < LOW_RATIO:
        yield Oddity(
            "note",
            f"Half of the jobs use less than {_share(accuracy.median)} of their walltime.",
            "Walltimes say little here; predictions can change much.",
        )


def _run_times(inspection: "Inspection") -> Iterator[Oddity]:
    run_times = inspection.columns.run_time
    short = float((run_times < SHORT_JOB).mean())
    if short > MANY_SHORT:
        yield Oddity(
            "note",
            f"{_share(short)} of the jobs run for less than 10 s.",
            "Most of them failed or tested something. They dominate mean slowdowns; bounded "
            "slowdowns are made for that.",
        )
    long = run_times > LONG_JOB
    if long.any():
        work = float(inspection.columns.work[long].sum() / inspection.columns.work.sum())
        yield Oddity(
            "note",
            f"{_jobs(int(long.sum()))} ran for more than 7 days, {_share(work)} of the work.",
            "Paper 000 leaves such jobs out: --clean 'run>7d'.",
        )
    for name, values in (("run times", run_times), ("dates", inspection.columns.submit_time)):
        if float((values % COARSE == 0).mean()) > COARSE_SHARE:
            yield Oddity("note", f"Nearly all {name} are whole minutes.", "The clock is coarse.")


def _waits(inspection: "Inspection") -> Iterator[Oddity]:
    waits = inspection.columns.wait_time
    known = waits[np.isfinite(waits)]
    if len(known) < NEARLY_ALL * len(waits):
        yield Oddity(
            "note",
            f"{len(waits) - len(known):,} jobs ({_share(1 - len(known) / len(waits))}) are of "
            "unknown wait.",
            "How busy the machine was is reckoned as if they had begun when submitted.",
        )
    long = int((known > LONG_WAIT).sum())
    if long:
        yield Oddity(
            "odd" if long > MISSING * len(waits) / 10 else "note",
            f"{_jobs(long)} waited for more than 30 days, up to {spoken(float(known.max()))}.",
            "They were probably held back or waited for other jobs, which a simulation doesn't "
            "know.",
        )
    causes = [] if inspection.clues is None else inspection.clues.sentences()
    if causes and inspection.load.beyond <= MOST_BEYOND and known.mean() >= HARDLY:
        first, *others = (cause[0].upper() + cause[1:] for cause in causes)
        yield Oddity(
            "odd",
            f"{first}.",
            "A simulation starts such jobs at once, so its queue is another than this log's: "
            "--base easy shows by how much.",
        )
        yield from (Oddity("note", f"{cause}.") for cause in others)


def _users(inspection: "Inspection") -> Iterator[Oddity]:
    for user in inspection.users:
        if max(user.share_of_jobs, user.share_of_work) > ONE_USER:
            yield Oddity(
                "odd",
                f"User {user.name} submitted {_share(user.share_of_jobs)} of the jobs and used "
                f"{_share(user.share_of_work)} of the processor-seconds.",
                "Results are to a large part about this user.",
            )


def _fields(inspection: "Inspection") -> Iterator[Oddity]:
    known, jobs = inspection.columns.known, len(inspection.columns)
    if not known["user"]:
        yield Oddity(
            "odd", "The log names no users.", "Predictors that learn by user learn nothing."
        )
    elif jobs - known["user"] > MISSING * jobs:
        yield Oddity("note", f"{_jobs(jobs - known['user'])} without a user.")
    if not inspection.columns.states:
        yield Oddity(
            "note",
            "The log does not tell how jobs ended.",
            "Failed and cancelled jobs can't be told from completed ones.",
        )


def _condition_of(inspection: "Inspection", flurry: "Flurry") -> str:
    """Return what removes a flurry, for `--clean`."""
    begin, end = (_condition_date(inspection, date) for date in (flurry.begin, flurry.end))
    return f'user="{flurry.user}" and submit>={begin} and submit<={end}'


def _condition_date(inspection: "Inspection", second: float) -> str:
    """Write a date for `--clean`: with its offset from UTC, so that no zone is needed there."""
    if not inspection.clock.knows_dates:
        return f"{second:.0f}"
    return inspection.clock.datetime(second).replace(microsecond=0).isoformat()


def _share(share: float) -> str:
    """Write a share in percent, with a digit after the point where it is small."""
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"  # noqa: PLR2004 - as said


def _jobs(count: int) -> str:
    return counted(count, "job")
