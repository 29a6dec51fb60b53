"""Show a comparison with the recorded queue in tables."""

from typing import TYPE_CHECKING

from pred_aware.report.table import Table, duration, number, percent

if TYPE_CHECKING:
    from pred_aware.recorded_queue.baseline_check import BaselineCheck


def tables(check: "BaselineCheck") -> list[Table]:
    """Return the tables that have rows."""
    every = (_waits(check), _groups(check))
    return [table for table in every if table.rows]


def _waits(check: "BaselineCheck") -> Table:
    real, simulated, whole = check.recorded, check.simulated, check.whole
    columns = ("", "in the log", f"under {check.baseline}")
    if real is None or simulated is None or whole is None:
        return Table("", columns, ())
    clues = check.recorded_clues
    rows = [
        ("jobs compared", number(real.jobs), number(simulated.jobs)),
        ("mean wait", duration(real.mean), duration(simulated.mean)),
        *(
            ("median wait" if name == "median" else f"{name} of jobs wait at most",
             duration(real.quantiles[name]), duration(at))
            for name, at in simulated.quantiles.items()
        ),
        ("longest wait", duration(real.longest), duration(simulated.longest)),
        ("utilisation", *(percent(share) for share in whole.utilisation)),
        ("mean number of waiting jobs", *(number(jobs, 1) for jobs in whole.waiting)),
        (
            "share of waiting with free processors",
            percent(None if clues is None else clues.with_free_processors),
            "",
        ),
        ("rank correlation of the waits", number(check.ranks, 2), ""),
        ("Kolmogorov distance of the waits", percent(check.apart), ""),
    ]  # fmt: skip
    note = (
        "Utilisation and the number of waiting jobs are means from the first submission to the "
        "last. Waiting with free processors means that the job could have started without "
        "delaying another job."
    )
    return Table(f"The recorded queue compared with {check.baseline}", columns, tuple(rows), note)


def _groups(check: "BaselineCheck") -> Table:
    rows = []
    for group in check.groups:
        name = "all others" if group.name is None else group.name or "(none)"
        means, medians = group.mean_wait, group.median_wait
        rows.append((name, number(group.jobs), *map(duration, means), *map(duration, medians)))
    return Table(
        f"Waits by {check.groups_by}",
        (
            check.groups_by, "jobs", "mean in the log", f"mean under {check.baseline}",
            "median in the log", f"median under {check.baseline}",
        ),
        tuple(rows),
    )  # fmt: skip
