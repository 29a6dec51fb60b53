"""Slurm's Fair Tree: who is first among the users of the better served accounts' siblings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schedulers.core.constants import NEVER
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
    >>> from schedulers.orders.fair_share.tree import ShareTree
    >>> tree = ShareTree()
    >>> [tree.leaf(*who) for who in (("ann", "physics"), ("bob", "physics"), ("eve", "biology"))]
    [0, 1, 2]
    >>> fair_tree(tree, [30.0, 10.0, 20.0]).factors
    (0.3333333333333333, 0.6666666666666666, 1.0)
    """
    ranking = _Ranking(tree, usage)
    ranking.rank(tree.root, False)
    return FairTree(tuple(ranking.factors), ranking.levels)


class _Ranking:
    def __init__(self, tree: ShareTree, usage: Sequence[float]) -> None:
        self.levels: dict[Node, float] = {}
        self._usage = list(usage)
        self._users = self._rank = self._left = len(tree.leaves)
        self.factors = [0.0] * self._users
        tree.add_up(self._usage)

    def rank(self, account: Node, tied: bool) -> None:  # noqa: FBT001 - a compiled method
        """Rank the users below an account, whether or not the first is tied with the last one."""
        level = math.nan
        for node in self._by_level(account):
            before, level = level, self.levels[node]
            tied = tied or level == before
            if node.leaf is None:
                self.rank(node, tied)
            else:
                if not tied:
                    self._rank = self._left
                self.factors[node.leaf] = self._rank / self._users
                self._left -= 1
            tied = False

    def _by_level(self, account: Node) -> list[Node]:
        """Return who shares what an account has, the highest level first, users before accounts."""
        usage, levels, nodes = self._usage, self.levels, account.children
        shares, used = account.level_shares, account.total
        unused: list[Node] = []
        found: list[tuple[float, bool, int]] = []
        for place, node in enumerate(nodes):
            is_account = node.leaf is None
            own = node.total if node.leaf is None else usage[node.leaf]
            # what has decayed for long may be nothing beside the rest
            part = own / used if own else 0.0
            level = NEVER
            if node.shares == 0:
                level = 0.0
            elif node.shares is not None and part:
                level = node.shares / shares / part
            levels[node] = level
            if level == NEVER and not is_account:
                unused.append(node)
            else:
                found.append((-level, is_account, place))
        found.sort()
        return unused + [nodes[place] for _, _, place in found]
