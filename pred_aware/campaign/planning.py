"""The cost of a campaign, from a pilot of each log: runs, CPU seconds, memory, disk."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import BASELINE, JOBS
from pred_aware.campaign.making.dispatch import Progress, make_runs
from pred_aware.campaign.specification import RunKey, Shakes
from pred_aware.campaign.store import MEASURED
from pred_aware.execution.cores import cores
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration


@dataclass(frozen=True, slots=True)
class Cost:
    """What the runs of a policy on a log will take; ``None`` where no pilot tells."""

    log: str
    policy: str
    """Their names."""
    there: int
    """How many of its runs are done."""
    least: int
    most: int
    """How many there will be: with the fewest shakes, and with the most."""
    cpu_seconds: float | None
    """Of a run."""
    memory_bytes: float | None
    """Of the worker that makes it."""
    disk_bytes: float | None
    """Of a run that is kept."""

    def left(self, runs: int) -> int:
        """How many of so many runs are to be made."""
        return max(0, runs - self.there)


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What a campaign will take."""

    costs: tuple[Cost, ...]
    """Of each policy on each log."""
    workers: int
    """How many processes make runs at once."""
    unreadable: dict[str, str]
    """Logs that can't be read, by name, with the reason."""

    def cpu_seconds(self, runs: str) -> float | None:
        """CPU seconds of the runs that are not there, with the ``least`` or the ``most`` of them.

        ``None`` where it is not known of all.
        """
        return self._sum(runs, "cpu_seconds")

    def disk_bytes(self, runs: str) -> float | None:
        """Bytes that these will take on disk; ``None`` where it is not known of all."""
        return self._sum(runs, "disk_bytes")

    @property
    def memory_bytes(self) -> float | None:
        """Bytes of memory of all workers together; ``None`` where nothing is known."""
        known = [one.memory_bytes for one in self.costs if one.memory_bytes is not None]
        return self.workers * max(known) if known else None

    def _sum(self, runs: str, what: str) -> float | None:
        parts = [(one.left(getattr(one, runs)), getattr(one, what)) for one in self.costs]
        if any(each is None and left for left, each in parts):
            return None
        return float(sum(left * each for left, each in parts if left))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "runs": {which: sum(getattr(one, which) for one in self.costs)
                     for which in ("there", "least", "most")},
            "cpu_seconds": {which: self.cpu_seconds(which) for which in ("least", "most")},
            "disk_bytes": {which: self.disk_bytes(which) for which in ("least", "most")},
            "memory_bytes": self.memory_bytes,
            "workers": self.workers,
            "unreadable": self.unreadable,
            "costs": [asdict(one) for one in self.costs],
        }  # fmt: skip


def make_plan(
    inventory: Inventory,
    *,
    pilot: bool = True,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> CampaignPlan:
    """Say what a campaign will take.

    Parameters
    ----------
    inventory
        The campaign.
    pilot
        Whether to simulate, on each log as it is, the first policy of each table of the file, if
        that is not there yet. These are runs of the campaign, and stay in its store.
    workers, on_progress
        As for `pred_aware.campaign.making.dispatch.make_runs`.

    Raises
    ------
    PredAwareError
        A policy can't be made, no log can be read, or the store can't be written.
    """
    inventory.need_policies()
    if pilot:
        make_runs(_pilot(inventory), workers=workers, on_progress=on_progress)
    else:
        inventory.check()
    agenda = inventory.agenda()
    spec = inventory.specification
    costs = []
    for log, one in enumerate(spec.logs):
        for policy, other in enumerate(spec.policies):
            shakes = one.shakes
            places = [RunKey(log, policy, copy) for copy in one.copies]
            fixed = 1 + one.resamples
            costs.append(
                Cost(
                    one.name,
                    other.name,
                    sum(place in agenda.figures for place in places),
                    fixed + shakes.at_least,
                    fixed + (shakes.at_most if len(spec.policies) > 1 else shakes.at_least),
                    *_measured(inventory, places),
                )
            )
    return CampaignPlan(tuple(costs), workers or cores(), dict(inventory.unreadable))


def _pilot(inventory: Inventory) -> Inventory:
    """Return the campaign that makes one run of each log and table of policies."""
    spec = inventory.specification
    first = {policy.table: policy for policy in reversed(spec.policies)}
    policies = tuple(policy for policy in spec.policies if first[policy.table] is policy)
    logs = tuple(
        replace(log, shakes=Shakes(0, 0, log.shakes.max_shift), resamples=0) for log in spec.logs
    )
    baseline = (
        spec.baseline if spec.baseline in {one.name for one in policies} else policies[0].name
    )
    return Inventory(replace(spec, logs=logs, policies=policies, baseline=baseline))


def _measured(
    inventory: Inventory, places: list[RunKey]
) -> tuple[float | None, float | None, float | None]:
    """Return the means of what the runs took that are there, or those of the table's first."""
    spec = inventory.specification
    table = spec.policies[places[0].policy].table
    firsts = [number for number, one in enumerate(spec.policies) if one.table == table]
    for policy in (places[0].policy, firsts[0]):
        found = []
        for place in places:
            digest = inventory.digest(place.under(policy))
            if digest is not None and inventory.store.has(digest):
                took = inventory.store.read(digest, MEASURED)
                disk = inventory.store.size(digest, without=_only_once(inventory))
                found.append((took["cpu_seconds"], took["memory_bytes"], disk))
        if found:
            cpu, memory, size = zip(*found, strict=True)
            return sum(cpu) / len(cpu), max(memory), sum(size) / len(size)
    return None, None, None


def _only_once(inventory: Inventory) -> tuple[str, ...]:
    """Name the files that runs of shakes and resamples do not have."""
    return (BASELINE,) if inventory.specification.keep_jobs else (BASELINE, JOBS)


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
