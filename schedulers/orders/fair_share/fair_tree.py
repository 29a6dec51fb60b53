"""Slurm's Fair Tree: who is first among the users of the better served accounts' siblings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schedulers.orders.fair_share.tree import Node, ShareTree


@dataclass(frozen=True, slots=True)
class FairTree:
    """Factors and levels as ``sshare`` shows them."""

    factors: tuple[float, ...]
    """Of the users by their places, from above 0 to 1: their ranks among all."""
    levels: Mapping[Node, float]
    """``LevelFS`` of accounts and users: the part of the shares of a level over that of its
    usage."""


def fair_tree(tree: ShareTree, usage: Sequence[float]) -> FairTree:
    """Rank all users: by the levels of their accounts from the root down, then by their own.

    The first of n users has the factor 1, the last 1/n. Whose level is that of the one before has
    his rank, users before accounts; the first of an account that is tied with what stands before
    it has the last rank that was given, and the next one goes on from the number of those ranked
    so far. (Slurm's manual has it that tied accounts are ranked as one; its versions 22.05 and
    26.11 do as is done here.)

    Parameters
    ----------
    tree
        Who shares what.
    usage
        Of the users by their places.

    Examples
    --------
    >>> tree = ShareTree()
    >>> [tree.leaf(*who) for who in (("ann", "physics"), ("bob", "physics"), ("eve", "biology"))]
    [0, 1, 2]
    >>> fair_tree(tree, [30.0, 10.0, 20.0]).factors
    (0.3333333333333333, 0.6666666666666666, 1.0)
    """
    totals = tree.totals(usage)
    ranking = _Ranking(totals, len(tree.leaves))
    ranking.rank(tree.root, tied=False)
    return FairTree(tuple(ranking.factors), ranking.levels)


class _Ranking:
    def __init__(self, totals: Mapping[Node, float], users: int) -> None:
        self.levels: dict[Node, float] = {}
        self.factors = [0.0] * users
        self._totals = totals
        self._users = users
        self._rank = users
        self._left = users

    def rank(self, account: Node, *, tied: bool) -> None:
        """Rank the users below an account, whether or not the first is tied with the last one."""
        levels, before = self.levels, math.nan
        self._compute_levels(account)
        for node in sorted(account.children, key=self._by_level):
            level = levels[node]
            tied = tied or level == before
            if node.leaf is None:
                self.rank(node, tied=tied)
            else:
                if not tied:
                    self._rank = self._left
                self.factors[node.leaf] = self._rank / self._users
                self._left -= 1
            before, tied = level, False

    def _by_level(self, node: Node) -> tuple[float, bool]:
        return -self.levels[node], node.leaf is None

    def _compute_levels(self, account: Node) -> None:
        """Compute the level of each that shares what an account has."""
        totals, levels = self._totals, self.levels
        shares = sum([node.shares or 0 for node in account.children])
        used = totals[account]
        for node in account.children:
            own = totals[node]
            if node.shares is None:
                levels[node] = math.inf
            elif not node.shares:
                levels[node] = 0.0
            elif not own:
                levels[node] = math.inf
            else:
                levels[node] = node.shares / shares / (own / used)
