"""PBS's fair share: a tree of groups and entities, with usage."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from schedulers.orders.fair_share.tree import ROOT
from schedulers.site.batch_system import Association

UNKNOWN = "unknown"
"""The group of all entities that the tree of shares does not contain."""

LEAST = 1.0
"""The usage at the beginning, and the smallest usage after a decay."""

MANY_DECAYS = 1000
"""More decays than this without running jobs are computed by a formula."""


@dataclass(eq=False, slots=True)
class Entity:
    """An entity of PBS's fair share (such as a user) whose jobs' usage is added up, or a group."""

    name: str
    parent: "Entity | None"
    shares: float
    children: "list[Entity]" = field(default_factory=list)
    level_shares: float = 0.0
    usage: float = LEAST
    rate: float = 0.0
    since: float = 0.0
    _running: int = 0

    def __post_init__(self) -> None:
        """Add the entity to its group."""
        if self.parent is not None:
            self.since = self.parent.since
            self.parent.children.append(self)
            self.parent.level_shares += self.shares

    @property
    def of_group(self) -> float:
        """The entity's fraction of its group's shares, from 0 to 1."""
        if self.parent is None:
            return 1.0
        level = self.parent.level_shares
        return self.shares / level if level else 0.0

    @property
    def percentage(self) -> float:
        """The entity's fraction of all shares, from 0 to 1: PBS's ``fairshare_perc``."""
        return self.of_group * (1.0 if self.parent is None else self.parent.percentage)

    @property
    def path(self) -> "list[Entity]":
        """The groups above the entity from the top down, without the root, and then the entity."""
        return [] if self.parent is None else [*self.parent.path, self]

    def used(self, now: float) -> float:
        """Return the entity's usage at a date."""
        return self.usage + self.rate * (now - self.since)

    def tree_usage(self, now: float) -> float:
        """Return PBS's ``fairshare_tree_usage`` at a date.

        It lies between the entity's fraction of all usage and the group's value. The larger the
        entity's fraction of the group's shares, the nearer it is to the group's value.
        """
        path = self.path
        if not path:
            return 0.0
        root = path[0].parent
        assert root is not None
        everything = root.used(now)
        factor = path[0].used(now) / everything
        for one in path[1:]:
            fraction = one.used(now) / everything
            factor = fraction + (factor - fraction) * one.of_group
        return factor

    def count(self, rate: float, now: float, *, running: int) -> None:
        """Add `rate` to the usage per second, and `running` to the number of running jobs.

        When a job ends, both are negative.
        """
        self.usage, self.since = self.used(now), now
        self._running += running
        self.rate = self.rate + rate if self._running else 0.0

    @property
    def runs(self) -> bool:
        """Whether any job of the entity or group runs."""
        return self._running > 0

    def decay(self, factor: float, now: float) -> None:
        """Multiply the usage by `factor` at a date."""
        self.usage, self.since = max(LEAST, self.used(now) * factor), now


class PbsShares:
    """PBS's tree of shares, and the usage of its groups and entities.

    At each multiple of `decay_time` (in seconds), all usage is multiplied by `decay_factor`. This
    decay comes after all other events of its date. `associations` are PBS's ``resource_group``
    file: groups, and the entities in them. `unknown_shares` are the shares of the group of unknown
    entities. Each unknown entity has one share in this group.
    """

    def __init__(
        self,
        associations: Sequence[Association],
        *,
        unknown_shares: int,
        decay_time: float,
        decay_factor: float,
    ) -> None:
        self.root = Entity(ROOT, None, 1.0)
        self._groups = {ROOT: self.root}
        self._entities: dict[str, Entity] = {}
        accounts = {one.account: one for one in associations if one.user is None}
        for one in associations:
            group = self._group(one.account, accounts)
            if one.user is not None:
                self._entities[one.user] = Entity(one.user, group, _shares(one))
        self._unknown = self._groups.get(UNKNOWN) or Entity(UNKNOWN, self.root, unknown_shares)
        self._decay_time, self._decay_factor = decay_time, decay_factor
        self._decays: int | None = None

    def entity(self, name: str) -> Entity:
        """Return the entity or group with this name. A new name joins the unknown entities."""
        known = self._entities.get(name) or self._groups.get(name)
        if known is None:
            known = self._entities[name] = Entity(name, self._unknown, 1.0)
        return known

    def advance(self, now: float) -> None:
        """Make all decays that are due before `now`."""
        time = self._decay_time
        if self._decays is None:
            self._decays = int(now // time)
            for one in self._all():
                one.since = now
        idle = math.ceil(now / time) - 2 - self._decays
        if idle > MANY_DECAYS and not self.root.runs:
            self._decays += idle
            for one in self._all():
                one.decay(self._decay_factor**idle, self._decays * time)
        while (self._decays + 1) * time < now:
            self._decays += 1
            date = self._decays * time
            for one in self._all():
                one.decay(self._decay_factor, date)

    def started(self, entity: Entity, rate: float, now: float) -> None:
        """Add a job that starts, with its usage per second."""
        self.advance(now)
        for one in (self.root, *entity.path):
            one.count(rate, now, running=1)

    def ended(self, entity: Entity, rate: float, now: float) -> None:
        """Remove a job that has ended."""
        self.advance(now)
        for one in (self.root, *entity.path):
            one.count(-rate, now, running=-1)

    def _all(self) -> list[Entity]:
        found = [self.root]
        for one in found:
            found += one.children
        return found

    def _group(self, name: str, accounts: dict[str, Association]) -> Entity:
        known = self._groups.get(name)
        if known is None:
            one = accounts.get(name)
            above = self.root if one is None else self._group(one.parent, accounts)
            known = Entity(name, above, 1.0 if one is None else _shares(one))
            self._groups[name] = known
        return known


def _shares(association: Association) -> float:
    return 1.0 if association.shares == "parent" else float(association.shares)
