"""Slurm's fair share: usage and factors at the last recalculation, by either of its formulas."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from schedulers.core.job import Job
from schedulers.orders.fair_share.decaying_usage import DecayingUsage
from schedulers.orders.fair_share.tree import FairTree, Node, ShareTree
from schedulers.site.batch_system import Slurm
from schedulers.site.reader import calendar_of
from schedulers.site.requests import keys_of
from schedulers.site.site import Site

_IMPACT = 5.0
"""Slurm's constant in the formula of the flag ``DEPTH_OBLIVIOUS``."""


def classic_factors(
    tree: ShareTree,
    usage: Sequence[float],
    accounts_usage: Sequence[float],
    *,
    dampening: int = 1,
    depth_oblivious: bool = False,
) -> list[float]:
    """Return Slurm's factor of each user without Fair Tree, from 0 to 1, by index.

    The factor is 2^(-effective usage / shares / dampening), or 0 without shares. The effective
    usage of a user lies between the user's fraction of all usage and the account's effective usage.
    The larger the user's fraction of the account's shares, the nearer it is to the account's value.
    Accounts get their effective usage from their parents in the same way.

    `usage` holds the users' usage by index. `accounts_usage` also holds the users' usage, but just
    before the last step, because Slurm computes accounts before usage decays and grows. `dampening`
    is Slurm's ``FairShareDampeningFactor``. `depth_oblivious` is Slurm's flag ``DEPTH_OBLIVIOUS``.

    Examples
    --------
    >>> tree = ShareTree()
    >>> [tree.leaf(user, "physics") for user in ("ann", "bob")]
    [0, 1]
    >>> classic_factors(tree, [1.0, 0.0], [1.0, 0.0])
    [0.25, 0.5]
    """
    accounts = _Level(tree, accounts_usage, depth_oblivious=depth_oblivious)
    users = _Level(tree, usage, depth_oblivious=depth_oblivious)
    effective = {tree.root: 1.0}
    for node in tree.accounts.values():
        if node is not tree.root:
            effective[node] = accounts.effective(node, effective)
    factors = []
    for leaf in tree.leaves:
        shares = users.shares(leaf)
        over = users.effective(leaf, effective) / shares / dampening if shares else math.inf
        factors.append(2.0**-over)
    return factors


class _Level:
    """Computes shares and usage of the nodes of a tree as fractions."""

    def __init__(self, tree: ShareTree, usage: Sequence[float], *, depth_oblivious: bool) -> None:
        self._root = tree.root
        self._usage = usage
        self._totals = {account: account.total for account in tree.add_up(usage)}
        self._depth_oblivious = depth_oblivious

    def shares(self, node: Node) -> float:
        """Return a node's fraction of all shares."""
        part = 1.0
        above = node if node.shares is not None else node.above
        while above is not None and above.above is not None:
            level = above.above.level_shares
            part *= (above.shares or 0) / level if level else 0.0
            above = above.above
        return part

    def used(self, node: Node) -> float:
        """Return a node's fraction of all usage."""
        everybody = self._totals[self._root]
        usage = self._totals[node] if node.leaf is None else self._usage[node.leaf]
        return usage / everybody if everybody else 0.0

    def effective(self, node: Node, above: dict[Node, float]) -> float:
        """Return the effective usage of a node. `above` has the effective usage of its parent."""
        parent = node.above
        assert parent is not None
        used = self.used(node)
        if parent is self._root:
            return used
        if node.shares is None:
            return above[parent]
        if self._depth_oblivious:
            return self._depth_obliviously(node, parent, above[parent])
        level = parent.level_shares
        if not level:
            return above[parent]
        return used + (above[parent] - used) * (node.shares / level)

    def _depth_obliviously(self, node: Node, parent: Node, of_parent: float) -> float:
        used, shares, parent_shares = self.used(node), self.shares(node), self.shares(parent)
        if not (shares and parent_shares and of_parent and used):
            return used
        ratio = of_parent / parent_shares
        siblings = sum([self.used(one) for one in parent.children if one.shares is not None])
        node_ratio = used / shares / (siblings / parent_shares)
        agree = math.log(ratio) * math.log(node_ratio) >= 0.0
        exponent = 1.0 if agree else 1.0 / (1.0 + (_IMPACT * math.log(ratio)) ** 2)
        return float(ratio * node_ratio**exponent * shares)


_NAMES = (("user", "user_id"), ("project", "project"))
_SPANS: Mapping[str, Callable[[date], int]] = MappingProxyType(
    {
        "daily": date.toordinal,
        # Slurm's weeks begin on Sunday, and so do the weeks that this division counts
        "weekly": lambda day: day.toordinal() // 7,
        "monthly": lambda day: 12 * day.year + day.month,
        "quarterly": lambda day: 4 * day.year + (day.month - 1) // 3,
        "yearly": lambda day: day.year,
    }
)


class SlurmFairShare:
    """The usage of associations, and the fair share factors at each ``PriorityCalcPeriod``."""

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
        """Add a job that starts, with its usage per second; call `advance` first."""
        self.decaying.started(job.id, self.leaf(job), rate, now)

    def ended(self, job: Job, now: float) -> None:
        """Remove a job that has ended; call `advance` first."""
        self.decaying.ended(job.id, now)

    def factors(self) -> Sequence[float]:
        """Return the fair share factor of each association by index, at the last recalculation."""
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
        """Return Fair Tree's factors and levels at the last recalculation."""
        return FairTree(self.tree, self.usage())

    def usage(self) -> list[float]:
        """Return the usage of each association by index, at the last recalculation."""
        return self._of_leaves(self.decaying.at_step.tolist())

    def _of_leaves(self, usage: list[float]) -> list[float]:
        count = len(self.tree.leaves)
        return usage[:count] + [0.0] * (count - len(usage))


def _span(period: str, site: Site) -> Callable[[float], int] | None:
    """Return a function from a date to the number of its reset period; ``None`` without resets."""
    if period == "none":
        return None
    calendar, of_day = calendar_of(site), _SPANS[period]
    return lambda now: of_day(calendar.day(now))
