"""Tables of a campaign's estimated cost."""

from collections.abc import Iterator

from pred_aware.campaign.planning import CampaignPlan
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration


def plan_tables(plan: CampaignPlan) -> Iterator[Table]:
    """Yield the estimated cost of a campaign: for each policy on each log, and in total."""
    yield Table(
        "Runs and cost per run",
        ("log: policy", "finished", "at least", "at most", "CPU per run", "memory", "disk per run"),
        tuple(
            (
                f"{one.log}: {one.policy}",
                *(Cell(f"{number:,}", number) for number in (one.there, one.least, one.most)),
                duration(one.cpu_seconds),
                size(one.memory_bytes),
                size(one.disk_bytes),
            )
            for one in plan.costs
        ),
    )
    told = {"with the fewest copies": "least", "with the most copies": "most"}
    yield Table(
        f"Remaining work, by {counted(plan.workers, 'worker')}",
        ("", "runs", "CPU", "wall-clock time", "disk", "total memory"),
        tuple(_total_row(plan, label, which) for label, which in told.items()),
        note="Wall-clock time is for otherwise idle cores. The number of perturbed copies "
        "depends on how much their results differ.",
    )


def _total_row(plan: CampaignPlan, label: str, which: str) -> tuple[str, ...]:
    runs = sum(one.left(getattr(one, which)) for one in plan.costs)
    cpu = plan.cpu_seconds(which)
    return (
        label,
        Cell(f"{runs:,}", runs),
        duration(cpu),
        duration(None if cpu is None else cpu / plan.workers),
        size(plan.disk_bytes(which)),
        size(plan.memory_bytes),
    )


def size(number: float | None) -> Cell:
    """Return bytes as text with a suitable unit; `NOTHING` for ``None``.

    Examples
    --------
    >>> size(2711.0), size(745e6), size(None)
    ('2.7 kB', '745 MB', '-')
    """
    if number is None:
        return Cell(NOTHING, None)
    unit, factor = next(((u, f) for u, f in _UNITS if number >= f), ("B", 1.0))
    digits = 1 if number / factor < 10 and factor > 1.0 else 0  # noqa: PLR2004 - as `figure`
    return Cell(f"{number / factor:,.{digits}f} {unit}", number)


_UNITS = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
