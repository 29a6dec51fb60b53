"""Slurm's fair share before Fair Tree: 2^(-usage/shares), down the tree."""

import math
from collections.abc import Sequence

from schedulers.orders.fair_share.tree import Node, ShareTree

_IMPACT = 5.0
"""How strongly a parent's deviation from its shares outweighs its children's."""


def classic_factors(
    tree: ShareTree,
    usage: Sequence[float],
    accounts_usage: Sequence[float],
    *,
    dampening: int = 1,
    depth_oblivious: bool = False,
) -> list[float]:
    """Return the factor of each user by index, from 0 to 1: 2^(-usage / shares / dampening).

    A user's effective usage is its fraction of all usage, moved towards its account's fraction by
    its part of the account's shares. The same holds for accounts. Without shares, the factor is 0.

    Parameters
    ----------
    tree
        The tree of shares.
    usage
        The users' usage by index.
    accounts_usage
        The users' usage when the accounts are computed. Slurm does this first, before usage decays
        and grows.
    dampening
        Slurm's ``FairShareDampeningFactor``.
    depth_oblivious
        Its flag ``DEPTH_OBLIVIOUS``.

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
    """The siblings of one level of the tree."""

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
        own = self._totals[node] if node.leaf is None else self._usage[node.leaf]
        return own / everybody if everybody else 0.0

    def effective(self, node: Node, above: dict[Node, float]) -> float:
        """Return the effective usage of a node, given that of its parent."""
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
        own = used / shares / (siblings / parent_shares)
        agree = math.log(ratio) * math.log(own) >= 0.0
        exponent = 1.0 if agree else 1.0 / (1.0 + (_IMPACT * math.log(ratio)) ** 2)
        return float(ratio * own**exponent * shares)
