"""Slurm's fair share: the tree, the usage and the factors as of the last step."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from schedulers.core.job import Job
from schedulers.orders.fair_share.classic import classic_factors
from schedulers.orders.fair_share.decaying_usage import DecayingUsage
from schedulers.orders.fair_share.fair_tree import FairTree, fair_tree
from schedulers.orders.fair_share.tree import ShareTree
from schedulers.site.batch_system import Slurm
from schedulers.site.reader import calendar_of
from schedulers.site.requests import keys_of
from schedulers.site.site import Site

_NAMES = (("user", "user_id"), ("project", "project"))
_SPANS: Mapping[str, Callable[[date], int]] = MappingProxyType(
    {
        "daily": date.toordinal,
        # Slurm's weeks begin on Sunday, as does the week of day 0
        "weekly": lambda day: day.toordinal() // 7,
        "monthly": lambda day: 12 * day.year + day.month,
        "quarterly": lambda day: 4 * day.year + (day.month - 1) // 3,
        "yearly": lambda day: day.year,
    }
)


class SlurmFairShare:
    """Usage by association, and the factors computed from it at each ``PriorityCalcPeriod``.

    Parameters
    ----------
    site
        Its associations form the tree of shares.
    slurm
        Half-life, period and kind of fair share.
    """

    def __init__(self, site: Site, slurm: Slurm) -> None:
        self.tree = ShareTree(site.associations)
        flags = slurm.priority_flags
        self.by_fair_tree = not {"no_fair_tree", "depth_oblivious"} & set(flags)
        self._depth_oblivious = "depth_oblivious" in flags
        self._dampening = slurm.fair_share_dampening_factor
        self.decaying = DecayingUsage(
            half_life=slurm.priority_decay_half_life,
            period=slurm.priority_calc_period,
            counts_rests=bool({"limits", "safe"} & set(slurm.accounting_storage_enforce)),
            span=_span(slurm.priority_usage_reset_period, site),
        )
        self._factors: Sequence[float] = ()

    @property
    def last_step(self) -> float:
        """The date of the last computation, in seconds."""
        return self.decaying.last_step

    def advance(self, now: float) -> bool:
        """Compute the steps that are due up to `now`; return whether factors changed."""
        if not self.decaying.advance(now):
            return False
        self._factors = ()
        return True

    def leaf(self, job: Job) -> int:
        """Return the index of a job's association."""
        keys = keys_of(job, _NAMES)
        return self.tree.leaf(keys["user"], keys["project"])

    def started(self, job: Job, rate: float, now: float) -> None:
        """Add a job that starts, with its usage per second."""
        self.advance(now)
        self.decaying.started(job.id, self.leaf(job), rate, now)

    def ended(self, job: Job, now: float) -> None:
        """Remove a job that has ended."""
        self.advance(now)
        self.decaying.ended(job.id, now)

    def factors(self) -> Sequence[float]:
        """Return the factor of each association by index, as of the last step."""
        if len(self._factors) < len(self.tree.leaves):
            if self.by_fair_tree:
                self._factors = self.levels().factors
            else:
                self._factors = classic_factors(
                    self.tree,
                    self.usage(),
                    self._of_leaves(self.decaying.before_step.tolist()),
                    dampening=self._dampening,
                    depth_oblivious=self._depth_oblivious,
                )
        return self._factors

    def levels(self) -> FairTree:
        """Return Fair Tree's factors and levels, as of the last step."""
        return fair_tree(self.tree, self.usage())

    def usage(self) -> list[float]:
        """Return the usage of each association by index, as of the last step."""
        return self._of_leaves(self.decaying.at_step.tolist())

    def _of_leaves(self, usage: list[float]) -> list[float]:
        count = len(self.tree.leaves)
        return usage[:count] + [0.0] * (count - len(usage))


def _span(period: str, site: Site) -> Callable[[float], int] | None:
    """Return a function from a date to the number of its day, week, month or year, if needed."""
    if period == "none":
        return None
    calendar, of_day = calendar_of(site), _SPANS[period]
    return lambda now: of_day(calendar.day(now))
