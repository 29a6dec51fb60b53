"""An inspection as tables, for the terminal and the page."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.inspection.distributions import QUANTILES
from pred_aware.inspection.findings import findings
from pred_aware.report.durations import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from pred_aware.inspection.columns import Columns
    from pred_aware.inspection.inspection import Inspection

LONGEST = 10
"""Rows of the tables of holes and flurries."""

STATES = 5
"""How many ways in which jobs ended are told one by one."""

NOTHING = "-"

TIMES = {
    "run_time": "run time",
    "walltime": "walltime",
    "wait_time": "wait",
    "interarrival_time": "between submissions",
}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a title.

    Parameters
    ----------
    title
        What it is about.
    columns
        Their names; all but the first are written flush right.
    rows
        Each as long as `columns`.
    note
        What must be known to read it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(inspection: "Inspection") -> list[Table]:
    """Return all tables that have rows.

    Parameters
    ----------
    inspection
        What was found out about a log.
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
        _fields(inspection),
    )
    return [table for table in every if table.rows]


def print_inspection(inspection: "Inspection", to: "Console") -> None:
    """Print what looks odd, and the tables.

    Parameters
    ----------
    inspection
        What was found out about a log.
    to
        The terminal.
    """
    from rich.markup import escape
    from rich.table import Table as Printed

    for table in tables(inspection):
        first, *others = table.columns
        printed = Printed(
            first, title=escape(table.title), title_justify="left", title_style="bold"
        )
        for name in others:
            printed.add_column(name, justify="right")
        for row in table.rows:
            printed.add_row(*map(escape, row))
        to.print(printed)
        if table.note:
            to.print(table.note, markup=False, style="dim")
    to.print()
    found = findings(inspection)
    to.print(verdict(inspection), style="bold", markup=False)
    for finding in found:
        mark, style = ("!", "yellow") if finding.kind == "odd" else ("-", "")
        to.print(f" {mark} {finding.text} {finding.advice}".rstrip(), style=style, markup=False)


def verdict(inspection: "Inspection") -> str:
    """Say in a sentence how many things look odd."""
    odd = sum(finding.kind == "odd" for finding in findings(inspection))
    if not odd:
        return "Nothing looks odd."
    return f"{odd} {'thing looks' if odd == 1 else 'things look'} odd (marked with !)."


def _overview(inspection: "Inspection") -> Table:
    columns, load, clock = inspection.columns, inspection.load, inspection.clock
    zone = clock.zone_name or ("UTC, for the log tells none" if clock.knows_dates else "unknown")
    size = f"{load.processors:,}{' (guessed: the most busy at once)' if load.guessed else ''}"
    nodes = columns.machine.nodes
    waits = "" if load.starts_known else " (jobs begin when submitted: the log tells no waits)"
    hours = inspection.arrivals.sum(axis=0)
    weekend = inspection.arrivals[5:].sum() / max(inspection.arrivals.sum(), 1)
    rows = [
        ("period", f"{clock.date(columns.first)} to {clock.date(columns.last)}"),
        ("", f"{inspection.days:.1f} days; time zone {zone}"),
        ("jobs", f"{len(columns):,} of {columns.report.read:,} records"),
        ("users", f"{len(columns.user_names):,}"),
        ("machine", f"{size} processors" + (f", {nodes:,} nodes" if nodes else "")),
        ("load, by processors used", f"{load.used:.3f}{waits}"),
        ("load, by processors taken", f"{load.taken:.3f}"),
        ("load of weeks", f"{load.by_week.min():.2f} to {load.by_week.max():.2f}"),
    ]
    if load.starts_known:
        rows.append(("most processors busy", f"{load.peak:,}"))
    rows.append(("busiest, quietest hour", f"{hours.argmax()}:00, {hours.argmin()}:00"))
    if clock.knows_dates:
        rows.append(("on Saturdays and Sundays", _percent(float(weekend))))
    if columns.states:
        rows.append(("how jobs ended", _states(columns)))
    return Table(inspection.path.name, ("", ""), tuple(rows))


def _states(columns: "Columns") -> str:
    most = list(columns.states.items())[:STATES]
    texts = [f"{name} {_percent(count / len(columns))}" for name, count in most]
    others = sum(columns.states.values()) - sum(count for _, count in most)
    if others:
        texts.append(f"{len(columns.states) - STATES} others {_percent(others / len(columns))}")
    return ", ".join(texts)


def _distributions(inspection: "Inspection") -> Table:
    rows = []
    sizes = inspection.distributions["processors"]
    if sizes is not None:
        rows.append(("processors", *(f"{sizes[name]:,.0f}" for name in (*QUANTILES, "mean"))))
    for name, label in TIMES.items():
        figures = inspection.distributions[name]
        if figures is not None:
            rows.append((label, *(spoken(figures[at]) for at in (*QUANTILES, "mean"))))
    return Table("Distributions over jobs", ("", *QUANTILES, "mean"), tuple(rows))


def _ratios(inspection: "Inspection") -> Table:
    accuracy = inspection.accuracy
    if accuracy is None:
        return Table("", (), ())
    steps = (1, 2, 4, 10, 18, 20)
    rows = [
        *((f"R at most {step / 20:g}", _percent(accuracy.below[step])) for step in steps),
        ("R from 0.99 to 1.01: ended by the walltime", _percent(accuracy.at_walltime)),
        ("R above 1.01: ran beyond it", _percent(accuracy.beyond)),
        ("work beyond walltimes, of all work", _percent(accuracy.work_beyond)),
        ("median of R", f"{accuracy.median:.3f}"),
    ]
    return Table("R, run time over walltime", ("", "jobs"), tuple(rows))


def _walltimes(inspection: "Inspection") -> Table:
    accuracy = inspection.accuracy
    if accuracy is None:
        return Table("", (), ())
    rows = [(spoken(walltime), _percent(share)) for walltime, share in accuracy.walltimes]
    title = f"Most frequent of {accuracy.distinct_walltimes:,} different walltimes"
    return Table(title, ("walltime", "jobs"), tuple(rows))


def _users(inspection: "Inspection") -> Table:
    rows = [
        (
            user.name,
            f"{user.jobs:,}",
            _percent(user.share_of_jobs),
            _percent(user.share_of_work),
            spoken(user.median_run_time),
            NOTHING if user.median_walltime is None else spoken(user.median_walltime),
            NOTHING if user.median_ratio is None else f"{user.median_ratio:.2f}",
        )
        for user in inspection.users
    ]
    names = ("user", "jobs", "of all jobs", "of all work", "median run time", "walltime", "R")
    return Table("Busiest users", names, tuple(rows))


def _flurries(inspection: "Inspection") -> Table:
    date = inspection.clock.date
    rows = [
        (
            flurry.user,
            date(flurry.begin),
            date(flurry.end),
            f"{flurry.jobs:,}",
            _percent(flurry.share),
            _percent(flurry.most_alike),
        )
        for flurry in inspection.flurries[:LONGEST]
    ]
    return Table(
        _of_many("Flurries", len(inspection.flurries)),
        ("user", "first submission", "last submission", "jobs", "of all jobs", "alike"),
        tuple(rows),
        "Days on which one user submits at least 100 jobs and more than 5 times what all others "
        "together submit on a median day; alike: same size and walltime.",
    )


def _holes(inspection: "Inspection") -> Table:
    date = inspection.clock.date
    rows = [
        (
            date(hole.begin),
            date(hole.end),
            spoken(hole.length),
            f"{hole.usual_jobs:,.0f}",
            NOTHING if hole.busy is None else _percent(hole.busy),
        )
        for hole in inspection.holes[:LONGEST]
    ]
    return Table(
        _of_many("Holes", len(inspection.holes)),
        ("submission before", "after", "length", "usual jobs", "machine busy"),
        tuple(rows),
        "A day or more without a submission in hours of the week that usually have 20 or more.",
    )


def _records(inspection: "Inspection") -> Table:
    report = inspection.columns.report
    rows: Sequence[tuple[str, str, str]] = [
        ("kept", f"{report.kept:,}", _percent(report.kept / report.read)),
        *(
            (f"dropped: {reason}", f"{count:,}", _percent(count / report.read))
            for reason, count in report.dropped.most_common()
        ),
        *(
            (f"kept, repaired: {reason}", f"{count:,}", _percent(count / report.read))
            for reason, count in report.repaired.most_common()
        ),
    ]
    return Table("What became of the records", ("", "records", "of all"), tuple(rows))


def _fields(inspection: "Inspection") -> Table:
    jobs = len(inspection.columns)
    known = inspection.columns.known
    rows = [(name, _percent(count / jobs)) for name, count in known.items() if count]
    missing = ", ".join(name for name, count in known.items() if not count)
    return Table(
        "Known fields",
        ("field", "jobs"),
        tuple(rows),
        f"Known for no job: {missing}." if missing else "",
    )


def _of_many(title: str, count: int) -> str:
    return f"{title} (the {LONGEST} largest of {count})" if count > LONGEST else title


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
