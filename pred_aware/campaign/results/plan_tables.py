"""The cost of a campaign, as tables."""

from collections.abc import Iterator

from pred_aware.campaign.planning import CampaignPlan
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration


def plan_tables(plan: CampaignPlan) -> Iterator[Table]:
    """Yield what a campaign will take: of each policy on each log, and altogether."""
    yield Table(
        "Runs, and what each takes",
        ("log: policy", "there", "at least", "at most", "CPU a run", "memory", "disk a run"),
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
    told = {"with the fewest shakes": "least", "with the most": "most"}
    yield Table(
        f"What is to be done, by {counted(plan.workers, 'worker')}",
        ("", "runs", "CPU", "by the clock", "disk", "memory of all"),
        tuple(_total_row(plan, label, which) for label, which in told.items()),
        note="By the clock: on cores that have nothing else to do. How many shakes there will be "
        "depends on how much they differ.",
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
    """Write bytes in the unit that fits; `NOTHING` for none.

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
