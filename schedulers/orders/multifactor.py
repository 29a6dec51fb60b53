"""Slurm's multifactor priority."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from schedulers.core.job import Job
from schedulers.core.orders import Order
from schedulers.orders.fair_share.slurm_usage import SlurmFairShare
from schedulers.orders.own_table import require_table, table_of
from schedulers.orders.priority_factors import MOST, Priority, PriorityFactors, whole
from schedulers.site.batch_system import Slurm
from schedulers.site.site import Partition, Site

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OF_TIER = 2.0**33
"""More than any priority."""


FIELDS = (
    "user", "user_id", "project", "partition", "queue", "qos", "nice",
    "node", "gpu", "gpus_per_node", "gpu_type", "mem", "memory_per_node",
)  # fmt: skip
"""What is looked at of a job."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What a job keeps while it waits."""

    since: float
    leaf: int
    tier: int
    rest: float


@dataclass(eq=False)
class Multifactor(Order):
    """Slurm's priority: weighted factors of age, fair share, size, partition, QOS and TRES.

    Those of a partition of a higher tier come first, then the higher priority. Weights, shares and
    all else are the site's: ``[slurm]``, ``[[associations]]``, ``[[qos]]``, ``[[partitions]]``.
    Usage, and with it every factor, is computed at each multiple of ``priority_calc_period``; until
    the next one waiting jobs keep their priorities, and one that comes has the factors of the last
    with an age of 0. A job of several partitions counts in that in which it is first. With
    ``priority_type = "basic"`` it is by submission.

    (What is computed when is from Slurm 22.05.8 and 26.11, and a recording of the former.)

    Examples
    --------
    >>> order = Multifactor({"priority_weight_age": 1000, "priority_max_age": 600})
    >>> job = Job("w0!1", 30.0, 4, 60.0)
    >>> [order.priority(job, now).whole for now in (299.0, 300.0, 599.0, 700.0)]
    [1, 450, 450, 950]
    """

    slurm: Mapping[str, Any] | None = None
    """Keys of the site's table ``[slurm]``, over those that the site has."""

    needs_fields = True
    width = 4
    """See `RowsAtOnce`."""

    def __post_init__(self) -> None:
        """Check the option."""
        self._configure(Site())

    def on_site(self, site: Site | None) -> None:
        """Take over a site's configuration.

        Raises
        ------
        OptionError
            There is none, neither in the site nor in the option.
        """
        require_table(
            site, "slurm", self.slurm,
            "order 'multifactor' needs the weights of Slurm's priority: a site with a table "
            '[slurm], or its option: {"name": "multifactor", "slurm": {"priority_weight_age": '
            "1000}}",
        )  # fmt: skip
        self._configure(site or Site())

    def _configure(self, site: Site) -> None:
        told = table_of(site, "slurm", self.slurm) or Slurm()
        assert isinstance(told, Slurm)
        self._site, self._told = site, told
        self.by_submission = told.priority_type == "basic"
        """Whether nothing else counts."""
        self.changes = not self.by_submission and bool(
            told.priority_weight_age or told.priority_weight_fairshare
        )
        self.differs_by_partition = bool(
            not self.by_submission
            and len(site.partitions) > 1
            and (told.priority_weight_partition or told.priority_weight_tres)
        )
        """Whether `key_in` says more than `key` of a job of several partitions."""
        self.weight_age, self.max_age = told.priority_weight_age, told.priority_max_age
        """Weight of the age, and the age of the factor 1 in seconds."""
        self.from_submission = "accrue_always" in told.priority_flags or not site.eligible
        """Whether its age is that since its submission, whenever it could run."""
        self.weight_share = told.priority_weight_fairshare
        self.fair_share = SlurmFairShare(site, told)
        """Its usage, tree and factors."""
        self._shares: Sequence[float] = ()
        self.begin(site.size or 1)

    def begin(self, processors: int) -> None:
        """Take over an idle machine; see `OnSite`."""
        self._factors = PriorityFactors(self._site, self._told, processors)
        self._waiting: dict[str, _Waiting] = {}

    def submitted(self, job: Job, now: float) -> None:
        """Note a job that will wait; see `Observer`."""
        self._advance(now)
        self._note(job)

    def started(self, job: Job, now: float) -> None:
        """Count a job's usage from now on; see `Observer`."""
        self._waiting.pop(job.id, None)
        self._advance(now)
        self.fair_share.started(job, self._factors.rate(job), now)

    def ended(self, job: Job, now: float) -> None:
        """Count a job's usage up to now; see `Observer`."""
        self._advance(now)
        self.fair_share.ended(job, now)

    def key(self, job: Job, now: float) -> float:
        """Return minus the priority, and minus the tier above it."""
        if self.by_submission:
            return float(job.number)
        self._advance(now)
        waiting = self._waiting.get(job.id) or self._note(job)
        priority = self._age(waiting) + self._weighted_shares()[waiting.leaf] + waiting.rest
        return -(waiting.tier * OF_TIER + whole(priority))

    def key_in(self, job: Job, partition: str, now: float) -> float:
        """Return the key of a job in one of the partitions in which it may run."""
        if self.by_submission:
            return float(job.number)
        parts = self.priority(job, now, self._factors.named(partition))
        return -(parts.tier * OF_TIER + parts.whole)

    def row(self, job: Job) -> tuple[float, ...]:
        """Return what the key of a job needs but for the date; see `RowsAtOnce`."""
        if self.by_submission:
            return float(job.number), 0.0, 0.0, 0.0
        waiting = self._waiting.get(job.id) or self._note(job)
        return waiting.since, float(waiting.leaf), float(waiting.tier), waiting.rest

    def keys_of_rows(self, rows: "NDArray[np.float64]", now: float) -> "NDArray[np.float64]":
        """Return the keys of many jobs; see `RowsAtOnce`."""
        import numpy as np

        since, leaves, tiers, rests = rows
        if self.by_submission:
            return np.asarray(since)
        self._advance(now)
        shares = np.array(self._weighted_shares())[leaves.astype(np.intp)]
        ages = np.clip((self.fair_share.last_step - since) / self.max_age, 0.0, 1.0)
        priorities = np.clip(ages * self.weight_age + shares + rests, 1.0, MOST)
        return np.asarray(-(tiers * OF_TIER + np.floor(priorities)))

    def priority(self, job: Job, now: float, partition: Partition | None = None) -> Priority:
        """Return a job's priority with its parts.

        Parameters
        ----------
        job
            A job that waits.
        now
            In seconds.
        partition
            One of those in which it may run; ``None``: that in which it is first.
        """
        self._advance(now)
        waiting = self._waiting.get(job.id) or self._note(job)
        place = partition or self._factors.partitions(job)[0]
        return replace(
            self._factors.of(job, place),
            age=self._age(waiting),
            fair_share=self._weighted_shares()[waiting.leaf],
        )

    def unchanging(self, job: Job) -> tuple[float, float, float]:
        """Return what does not change of a job, of its `FIELDS`, size and walltime.

        Returns
        -------
        float, float, float
            Its tier, its priority but for age and fair share, and what it uses in each second of
            what counts for shares.
        """
        parts = self._factors.of(job, self._factors.partitions(job)[0])
        return float(parts.tier), parts.rest, self._factors.rate(job)

    def _advance(self, now: float) -> None:
        if self.fair_share.advance(now):
            self._shares = ()

    def _note(self, job: Job) -> _Waiting:
        parts = self._factors.of(job, self._factors.partitions(job)[0])
        told = None if self.from_submission else (job.fields or {}).get("eligible_time")
        since = float(told) if isinstance(told, int | float) else job.submit_time
        waiting = _Waiting(since, self.fair_share.leaf(job), parts.tier, parts.rest)
        self._waiting[job.id] = waiting
        return waiting

    def _age(self, waiting: _Waiting) -> float:
        waited = (self.fair_share.last_step - waiting.since) / self.max_age
        return min(max(waited, 0.0), 1.0) * self.weight_age

    def _weighted_shares(self) -> Sequence[float]:
        if len(self._shares) < len(self.fair_share.tree.leaves):
            weight = self.weight_share
            factors = (
                self.fair_share.factors() if weight else [0.0] * len(self.fair_share.tree.leaves)
            )
            self._shares = [factor * weight for factor in factors]
        return self._shares
