"""Tables of an inspection."""

from typing import TYPE_CHECKING

from pred_aware.inspection.columns import QUANTILES
from pred_aware.log.site_on_log import left_out_table
from pred_aware.report.clock import WEEK
from pred_aware.report.durations import DAY, timespan
from pred_aware.report.table import Table, duration, number, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pred_aware.inspection.columns import Columns
    from pred_aware.inspection.inspection import Inspection

LONGEST = 10
"""Largest number of rows in the tables of holes and flurries."""

LEFT_OUT = "Requested, but not simulated"

STATES = 5
"""Largest number of job states that are listed separately."""

TIMES = {
    "run_time": "run time",
    "walltime": "walltime",
    "wait_time": "wait",
    "interarrival_time": "between submissions",
}


def tables(inspection: "Inspection") -> list[Table]:
    """Return all tables that have rows.

    Parameters
    ----------
    inspection
        The inspection of a log.
    """
    every = (
        _overview(inspection),
        _distributions(inspection),
        _ratios(inspection),
        _walltimes(inspection),
        _users(inspection),
        _flurries(inspection),
        _holes(inspection),
        _records(inspection),
        left_out_table(LEFT_OUT, inspection.columns.report.left_out),
        _fields(inspection),
    )
    return [table for table in every if table.rows]


def _overview(inspection: "Inspection") -> Table:
    columns, load, clock = inspection.columns, inspection.load, inspection.clock
    zone = clock.zone_name or ("UTC, because the log has none" if clock.knows_dates else "unknown")
    size = f"{load.processors:,}{' (guessed: the minimum for these jobs)' if load.guessed else ''}"
    nodes = columns.machine.nodes
    waits = "" if load.starts_known else " (as the log has no waits, jobs start at submission)"
    hours = inspection.arrivals.sum(axis=0)
    weekend = inspection.arrivals[5:].sum() / max(inspection.arrivals.sum(), 1)
    rows = [
        ("period", f"{clock.date(columns.first)} to {clock.date(columns.last)}"),
        ("", f"{_long(inspection.days)}; time zone {zone}"),
        ("jobs", f"{len(columns):,} of {columns.report.read:,} records"),
        ("users", f"{len(columns.user_names):,}"),
        ("machine", f"{size} processors" + (f", {nodes:,} nodes" if nodes else "")),
        ("load, by processors on the real machine", f"{load.used:.3f}{waits}"),
        ("load, by processors in a simulation", number(load.taken, 3)),
    ]
    if inspection.days >= WEEK / DAY:
        by_week = f"{load.by_week.min():.2f} to {load.by_week.max():.2f}"
        rows.append(("load of single weeks", by_week))
    if load.starts_known:
        rows.append(("most processors busy", f"{load.peak:,}"))
    # hours are shown for logs of at least a day, the weekend for logs of at least a week
    if inspection.days >= 1.0:
        rows.append(("busiest, quietest hour", f"{hours.argmax()}:00, {hours.argmin()}:00"))
    if clock.knows_dates and inspection.days >= WEEK / DAY:
        rows.append(("jobs submitted on Saturdays and Sundays", percent(float(weekend))))
    if columns.states:
        rows.append(("how jobs ended", _states(columns)))
    return Table("Overview", ("", ""), tuple(rows), words=True)


def _long(days: float) -> str:
    return f"{days:.1f} days" if days >= 1.0 else timespan(days * DAY)


def _states(columns: "Columns") -> str:
    most = list(columns.states.items())[:STATES]
    texts = [f"{name} {percent(count / len(columns))}" for name, count in most]
    others = sum(columns.states.values()) - sum(count for _, count in most)
    if others:
        texts.append(f"{len(columns.states) - STATES} others {percent(others / len(columns))}")
    return ", ".join(texts)


def _distributions(inspection: "Inspection") -> Table:
    rows = []
    sizes = inspection.distributions["processors"]
    if sizes is not None:
        rows.append(("processors", *(number(sizes[name]) for name in (*QUANTILES, "mean"))))
    for name, label in TIMES.items():
        figures = inspection.distributions[name]
        if figures is not None:
            rows.append((label, *(duration(figures[at]) for at in (*QUANTILES, "mean"))))
    return Table("Distributions over jobs", ("", *QUANTILES, "mean"), tuple(rows))


def _ratios(inspection: "Inspection") -> Table:
    accuracy = inspection.accuracy
    if accuracy is None:
        return Table("", (), ())
    steps = (1, 2, 4, 10, 18, 20)
    rows = [
        *((f"R at most {step / 20:g}", percent(accuracy.below[step])) for step in steps),
        ("R from 0.99 to 1.01: ended at the walltime", percent(accuracy.at_walltime)),
        ("R above 1.01: ran longer than the walltime", percent(accuracy.beyond)),
        ("share of all work done after walltimes", percent(accuracy.work_beyond)),
        ("median of R", number(accuracy.median, 3)),
    ]
    return Table("R, run time over walltime", ("", "jobs"), tuple(rows))


def _walltimes(inspection: "Inspection") -> Table:
    accuracy = inspection.accuracy
    if accuracy is None:
        return Table("", (), ())
    rows = [(duration(walltime), percent(share)) for walltime, share in accuracy.walltimes]
    title = f"Most frequent of {accuracy.distinct_walltimes:,} different walltimes"
    return Table(title, ("walltime", "jobs"), tuple(rows))


def _users(inspection: "Inspection") -> Table:
    rows = [
        (
            user.name,
            number(user.jobs),
            percent(user.share_of_jobs),
            percent(user.share_of_work),
            duration(user.median_run_time),
            duration(user.median_walltime),
            number(user.median_ratio, 2),
        )
        for user in inspection.users
    ]
    names = ("user", "jobs", "of all jobs", "of all work", "run time", "walltime", "R")
    note = "Run time, walltime and R = run time / walltime are the medians of the user's jobs."
    return Table("Busiest users", names, tuple(rows), note)


def _flurries(inspection: "Inspection") -> Table:
    date = inspection.clock.date
    rows = [
        (
            flurry.user,
            date(flurry.begin),
            date(flurry.end),
            number(flurry.jobs),
            percent(flurry.share),
            percent(flurry.most_alike),
        )
        for flurry in inspection.flurries[:LONGEST]
    ]
    return Table(
        _of_many("Flurries", len(inspection.flurries)),
        ("user", "first submission", "last submission", "jobs", "of all jobs", "equal jobs"),
        tuple(rows),
        "A flurry: days on which one user submits at least 100 jobs, and more than 5 times what "
        "all others together submit on a median day. Equal jobs have the same size and walltime.",
    )


def _holes(inspection: "Inspection") -> Table:
    date = inspection.clock.date
    rows = [
        (
            date(hole.begin),
            date(hole.end),
            duration(hole.length),
            number(hole.usual_jobs),
            percent(hole.busy),
        )
        for hole in inspection.holes[:LONGEST]
    ]
    return Table(
        _of_many("Holes", len(inspection.holes)),
        ("last submission", "next submission", "length", "usual number of jobs", "machine busy"),
        tuple(rows),
        "A hole: a day or more without a submission, in hours of the week that usually have at "
        "least 20 submissions.",
    )


def _records(inspection: "Inspection") -> Table:
    report = inspection.columns.report
    rows: Sequence[tuple[str, str, str]] = [
        ("kept", number(report.kept), percent(report.kept / report.read)),
        *(
            (f"dropped: {reason}", number(count), percent(count / report.read))
            for reason, count in report.dropped.most_common()
        ),
        *(
            (f"kept, repaired: {reason}", number(count), percent(count / report.read))
            for reason, count in report.repaired.most_common()
        ),
    ]
    return Table("Use of the records", ("", "records", "of all"), tuple(rows))


def _fields(inspection: "Inspection") -> Table:
    jobs = len(inspection.columns)
    known = inspection.columns.known
    rows = [(name, percent(count / jobs)) for name, count in known.items() if count]
    missing = ", ".join(name for name, count in known.items() if not count)
    return Table(
        "Known fields",
        ("field", "jobs with a value"),
        tuple(rows),
        f"Fields that no job has: {missing}." if missing else "",
    )


def _of_many(title: str, count: int) -> str:
    return f"{title} (the {LONGEST} largest of {count})" if count > LONGEST else title
