"""The expected cost of a campaign, from pilot runs: runs, CPU seconds, memory, disk."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.kept_metrics import BASELINE, JOBS
from pred_aware.campaign.making.dispatch import Progress, make_runs
from pred_aware.campaign.specification import RunKey
from pred_aware.campaign.store import MEASURED
from pred_aware.execution.cores import cores
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING, Cell, Table, duration


@dataclass(frozen=True, slots=True)
class Cost:
    """The expected cost of a policy's runs on a log; values are ``None`` without a pilot run."""

    log: str
    policy: str
    """Names of the log and the policy."""
    there: int
    """Number of finished runs."""
    least: int
    most: int
    """Total number of runs if the fewest, and if the most, perturbed copies are needed."""
    cpu_seconds: float | None
    """CPU time of a run."""
    memory_bytes: float | None
    """Memory of a worker."""
    disk_bytes: float | None
    """Disk space of a run."""

    def left(self, runs: int) -> int:
        """Return how many of `runs` runs are not finished."""
        return max(0, runs - self.there)


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """The expected cost of a campaign."""

    costs: tuple[Cost, ...]
    """Costs of each policy on each log."""
    workers: int
    """Number of worker processes."""
    unreadable: dict[str, str]
    """Logs that cannot be read, by name, with the reason."""

    def total(self, runs: str, what: str) -> float | None:
        """Return the sum of a cost over the missing runs; ``None`` if some have no estimate.

        Parameters
        ----------
        runs
            ``least`` or ``most``.
        what
            ``cpu_seconds`` or ``disk_bytes``.
        """
        parts = [(one.left(getattr(one, runs)), getattr(one, what)) for one in self.costs]
        if any(each is None and left for left, each in parts):
            return None
        return float(sum(left * each for left, each in parts if left))

    @property
    def memory_bytes(self) -> float | None:
        """Memory of all workers together, in bytes; ``None`` without an estimate."""
        known = [one.memory_bytes for one in self.costs if one.memory_bytes is not None]
        return self.workers * max(known) if known else None

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "runs": {which: sum(getattr(one, which) for one in self.costs)
                     for which in ("there", "least", "most")},
            **{what: {which: self.total(which, what) for which in ("least", "most")}
               for what in ("cpu_seconds", "disk_bytes")},
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
    """Estimate the cost of a campaign.

    Parameters
    ----------
    inventory
        The campaign.
    pilot
        True to simulate on each unperturbed log the first policy of each table in the file, if
        missing. These are runs of the campaign, and stay in its store.
    workers, on_progress
        As in `pred_aware.campaign.making.dispatch.make_runs`.

    Raises
    ------
    PredAwareError
        A policy is invalid, no log can be read, or the store cannot be written.
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
    """Return the campaign of pilot runs: one for each log and table of policies."""
    spec = inventory.specification
    first = {policy.table: policy for policy in reversed(spec.policies)}
    policies = tuple(policy for policy in spec.policies if first[policy.table] is policy)
    names = [one.name for one in policies]
    baseline = spec.baseline if spec.baseline in names else names[0]
    return Inventory(replace(spec.unperturbed, policies=policies, baseline=baseline))


def _measured(
    inventory: Inventory, places: list[RunKey]
) -> tuple[float | None, float | None, float | None]:
    """Return mean CPU seconds, largest memory and mean disk space of finished runs.

    The runs are those of this policy, or if there are none, of the first policy in its table.
    """
    spec = inventory.specification
    table = spec.policies[places[0].policy].table
    first = next(number for number, one in enumerate(spec.policies) if one.table == table)
    # files that only runs on unperturbed logs have
    only_once = (BASELINE,) if spec.keep_jobs else (BASELINE, JOBS)
    for policy in (places[0].policy, first):
        found = []
        for place in places:
            if (digest := inventory.finished(place.under(policy))) is not None:
                took = inventory.store.read(digest, MEASURED)
                disk = inventory.store.size(digest, without=only_once)
                found.append((took["cpu_seconds"], took["memory_bytes"], disk))
        if found:
            cpu, memory, size = zip(*found, strict=True)
            return sum(cpu) / len(cpu), max(memory), sum(size) / len(size)
    return None, None, None


def plan_tables(plan: CampaignPlan) -> Iterator[Table]:
    """Yield the estimated cost of a campaign: for each policy on each log, and in total."""
    yield Table(
        "Runs and cost per run",
        ("log: policy", "finished runs", "fewest runs", "most runs", "CPU", "memory", "disk"),
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
    totals = []
    for label, which in (("with the fewest runs", "least"), ("with the most runs", "most")):
        runs = sum(one.left(getattr(one, which)) for one in plan.costs)
        cpu = plan.total(which, "cpu_seconds")
        totals.append(
            (
                label,
                Cell(f"{runs:,}", runs),
                duration(cpu),
                duration(None if cpu is None else cpu / plan.workers),
                size(plan.total(which, "disk_bytes")),
                size(plan.memory_bytes),
            )
        )
    yield Table(
        f"Remaining work, with {counted(plan.workers, 'worker')}",
        ("", "runs", "CPU", "wall-clock time", "disk", "total memory"),
        tuple(totals),
        note="The wall-clock time assumes otherwise idle cores. The number of runs depends on how "
        "much the results of perturbed copies differ.",
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
    digits = 1 if number / factor < 10 and factor > 1.0 else 0  # noqa: PLR2004 - as in `figure`
    return Cell(f"{number / factor:,.{digits}f} {unit}", number)


_UNITS = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
