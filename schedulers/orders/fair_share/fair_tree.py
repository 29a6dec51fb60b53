"""Slurm's Fair Tree: rank users by the levels of their accounts and by their own."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schedulers.core.constants import NEVER
from schedulers.orders.fair_share.tree import Node, ShareTree


@dataclass(frozen=True, slots=True)
class FairTree:
    """Factors and levels as ``sshare`` shows them."""

    factors: tuple[float, ...]
    """The users' factors by index, above 0 and up to 1: their ranks among all users."""
    levels: Mapping[Node, float]
    """``LevelFS`` of accounts and users: fraction of the level's shares over fraction of usage."""


def fair_tree(tree: ShareTree, usage: Sequence[float]) -> FairTree:
    """Rank all users by the levels of their accounts from the root down, then by their own.

    The first of n users has the factor 1, the last 1/n. A user with the same level as the previous
    sibling gets the same rank; users come before accounts. If an account is tied with its previous
    sibling, its first user gets the last rank again, and the next user continues with the number of
    users ranked so far. (Slurm's manual says that tied accounts are ranked as one. Versions 22.05
    and 26.11 do as described here.)

    Parameters
    ----------
    tree
        The tree of shares.
    usage
        The users' usage by index.

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
        """Rank the users below an account. `tied`: the first one gets the last rank again."""
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
        """Return an account's children, highest level first, users before accounts."""
        usage, levels, nodes = self._usage, self.levels, account.children
        shares, used = account.level_shares, account.total
        unused: list[Node] = []
        found: list[tuple[float, bool, int]] = []
        for place, node in enumerate(nodes):
            is_account = node.leaf is None
            own = node.total if node.leaf is None else usage[node.leaf]
            # long decayed usage may vanish beside the rest
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
