"""Slurm's multifactor priority."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from schedulers.core.constants import NEVER
from schedulers.core.job import Job
from schedulers.core.orders import Order
from schedulers.orders.fair_share.slurm_usage import SlurmFairShare
from schedulers.orders.priority_factors import MOST, Priority, PriorityFactors
from schedulers.site.batch_system import Slurm
from schedulers.site.reader import require_table, table_of
from schedulers.site.site import Partition, Site

OF_TIER = 2.0**33
"""The weight of a tier in a sort key. It is above any priority, so the tier decides first."""


class _Waiting:
    """The values of a job that do not change while it waits."""

    def __init__(self, since: float, leaf: int, tier: float, rest: float) -> None:
        self.since = since
        self.leaf = leaf
        self.tier = tier
        self.rest = rest


class Multifactor(Order):
    """Slurm's priority: weighted factors of age, fair share, size, partition, QOS and TRES.

    Jobs of a partition with a higher tier come first. Within a tier, jobs with a higher priority
    come first. The site defines weights and shares in its tables ``[slurm]``, ``[[associations]]``,
    ``[[qos]]`` and ``[[partitions]]``. Usage and all factors are computed at each multiple of
    ``priority_calc_period``. In between, waiting jobs keep their priorities. A new job gets the
    last computed factors and the age 0. A job with several partitions has the key of the partition
    in which it comes first. With ``priority_type = "basic"``, the order is that of submission. The
    keys in the option `slurm` replace keys of the site's table ``[slurm]``.

    (The dates of computation are those of Slurm 22.05.8 and 26.11. They were checked on a recording
    of Slurm 22.05.8.)

    Examples
    --------
    >>> order = Multifactor({"priority_weight_age": 1000, "priority_max_age": 600})
    >>> from schedulers.core.job import Job
    >>> job = Job("w0!1", 30.0, 4, 60.0)
    >>> [order.priority(job, now).whole for now in (299.0, 300.0, 599.0, 700.0)]
    [1, 450, 450, 950]
    """

    OPTIONS = dict.fromkeys(("slurm",))
    needs_fields = True

    def __init__(self, slurm: Mapping[str, Any] | None = None) -> None:
        self.slurm = slurm
        self._configure(Site())

    def on_site(self, site: Site | None) -> None:
        """Use a site's configuration.

        Raises
        ------
        OptionError
            The site has no table ``[slurm]``, and the option `slurm` is not given.
        """
        require_table(
            site, "slurm", self.slurm,
            "order 'multifactor' needs the weights of Slurm's priority. Give a site with a table "
            '[slurm], or the option "slurm": {"name": "multifactor", "slurm": '
            '{"priority_weight_age": 1000}}',
        )  # fmt: skip
        self._configure(site or Site())

    def _configure(self, site: Site) -> None:
        settings = table_of(site, "slurm", self.slurm) or Slurm()
        assert isinstance(settings, Slurm)
        self._site, self._settings = site, settings
        self.by_submission = settings.priority_type == "basic"
        """Whether the order is that of submission."""
        self.changes = not self.by_submission and bool(
            settings.priority_weight_age or settings.priority_weight_fairshare
        )
        self.differs_by_partition = bool(
            not self.by_submission
            and len(site.partitions) > 1
            and (settings.priority_weight_partition or settings.priority_weight_tres)
        )
        """Whether a job may have different keys in its partitions; see `key_in`."""
        self.weight_age, self.max_age = settings.priority_weight_age, settings.priority_max_age
        """The weight of the age, and the age in seconds from which on its factor is 1."""
        self.from_submission = "accrue_always" in settings.priority_flags or not site.eligible
        """Whether the age counts from the submission. If not, it counts from the eligible time."""
        self.weight_share = settings.priority_weight_fairshare
        self.fair_share = SlurmFairShare(site, settings)
        """The usage, the tree of shares, and the fair share factors."""
        self._shares: list[float] = []
        self._period, self._next_step = settings.priority_calc_period, -NEVER
        # the date of the last computation
        self._step = -NEVER
        self.begin(site.size or 1)

    def begin(self, processors: int) -> None:
        """Start with an idle machine; see `Order`."""
        self._factors = PriorityFactors(self._site, self._settings, processors)
        self._waiting: dict[str, _Waiting] = {}

    def submitted(self, job: Job, now: float) -> None:
        """Record a submitted job; see `Order`."""
        if not self.by_submission:
            self._advance(now)
            self._note(job)

    def started(self, job: Job, now: float) -> None:
        """Count a job's usage from now on; see `Order`."""
        self._waiting.pop(job.id, None)
        if self.weight_share:
            self._advance(now)
            self.fair_share.started(job, self._factors.rate(job), now)

    def ended(self, job: Job, now: float) -> None:
        """Count a job's usage up to now; see `Order`."""
        if self.weight_share:
            self._advance(now)
            self.fair_share.ended(job, now)

    def key(self, job: Job, now: float) -> float:
        """Return minus the priority. The tier of the partition comes before the priority."""
        if self.by_submission:
            return float(job.number)
        self._advance(now)
        waiting = self._waiting.get(job.id)
        if waiting is None:
            waiting = self._note(job)
        share = self._weighted_shares()[waiting.leaf]
        priority = self._age(waiting) + share + waiting.rest
        if priority < 1.0:
            priority = 1.0
        elif priority > MOST:
            priority = MOST
        return -(waiting.tier * OF_TIER + priority // 1.0)

    def key_in(self, job: Job, partition: str, now: float) -> float:
        """Return the key of a job in one of its partitions."""
        if self.by_submission:
            return float(job.number)
        parts: Priority = self.priority(job, now, self._factors.named(partition))
        return -(parts.tier * OF_TIER + parts.whole)

    def priority(self, job: Job, now: float, partition: Partition | None = None) -> Priority:
        """Return the priority of a waiting job with its parts, at a date in seconds.

        If `partition` is ``None``, return the priority in the partition where the job comes first.
        """
        self._advance(now)
        waiting = self._waiting.get(job.id) or self._note(job)
        place = partition or self._factors.partitions(job)[0]
        return replace(
            self._factors.of(job, place),
            age=self._age(waiting),
            fair_share=self._weighted_shares()[waiting.leaf],
        )

    def _advance(self, now: float) -> None:
        # `advance` is slow, so it is not called long before the next step
        if now >= self._next_step:
            if self.fair_share.advance(now):
                self._shares = []
            self._step = self.fair_share.last_step
            self._next_step = self._step + 0.999 * self._period

    def _note(self, job: Job) -> _Waiting:
        parts = self._factors.of(job, self._factors.partitions(job)[0])
        since = job.submit_time if self.from_submission else job.waiting_since
        waiting = _Waiting(since, self.fair_share.leaf(job), float(parts.tier), parts.rest)
        self._waiting[job.id] = waiting
        return waiting

    def _age(self, waiting: _Waiting) -> float:
        waited = (self._step - waiting.since) / self.max_age
        if waited < 0.0:
            waited = 0.0
        elif waited > 1.0:
            waited = 1.0
        return waited * self.weight_age

    def _weighted_shares(self) -> list[float]:
        if len(self._shares) < len(self.fair_share.tree.leaves):
            weight = self.weight_share
            factors = (
                self.fair_share.factors() if weight else [0.0] * len(self.fair_share.tree.leaves)
            )
            self._shares = [factor * weight for factor in factors]
        return self._shares
