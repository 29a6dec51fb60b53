"""Slurm's Fair Tree, as `schedulers.orders.fair_share.fair_tree` defines it."""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Floats
from pred_aware.engine.kernel.codes import ACCOUNTS, IN_ORDER, LEAVES, NEVER, NODES
from pred_aware.engine.kernel.priority_values import Ranking, Tree


@compiled_apart
def rank_all(tree: Tree, usage: Floats, ranking: Ranking) -> None:
    """Rank all users, of whose usage that of their accounts is the sum."""
    _sum_up(tree, usage, ranking.totals)
    for node in range(1, tree.counts[NODES]):
        ranking.minus_level[node] = -_level(tree, usage, ranking.totals, node)
    _sort(tree, ranking)
    users = tree.counts[LEAVES]
    rank = left = users
    account = 0
    _enter(ranking, account, tied=0)
    while account >= 0:
        place = ranking.next[account]
        node = ranking.order[place] if place < tree.counts[NODES] - 1 else 0
        if not node or tree.above[node] != account:
            # the one above goes on behind it
            above = tree.above[account]
            if account:
                ranking.before[above] = ranking.minus_level[account]
                ranking.tied[above] = 0
            account = above
            continue
        ranking.next[account] += 1
        level = ranking.minus_level[node]
        tied = 1 if ranking.tied[account] or level == ranking.before[account] else 0
        if tree.leaf[node] < 0:
            _enter(ranking, node, tied)
            account = node
            continue
        if not tied:
            rank = left
        ranking.factors[tree.leaf[node]] = rank / users
        left -= 1
        ranking.before[account], ranking.tied[account] = level, 0


@compiled
def _enter(ranking: Ranking, account: int, tied: int) -> None:
    """Begin with who shares what an account has."""
    ranking.next[account] = ranking.begin[account]
    ranking.before[account] = np.nan
    ranking.tied[account] = tied


@compiled
def _sum_up(tree: Tree, usage: Floats, totals: Floats) -> None:
    """Sum up the usage of accounts, in the order in which it is defined."""
    for node in range(tree.counts[NODES]):
        totals[node] = 0.0
    for leaf in range(tree.counts[LEAVES]):
        if usage[leaf]:
            totals[tree.parent[tree.leaves[leaf]]] += usage[leaf]
    for place in range(tree.counts[ACCOUNTS] - 1, -1, -1):
        account = tree.accounts[place]
        if account:
            totals[tree.parent[account]] += totals[account]


@compiled
def _level(tree: Tree, usage: Floats, totals: Floats, node: int) -> float:
    """Return the part of the shares of a level over that of its usage."""
    own = totals[node] if tree.leaf[node] < 0 else usage[tree.leaf[node]]
    if tree.shares[node] == 0:
        return 0.0
    above = tree.above[node]
    part = own / totals[above] if own else 0.0
    if tree.shares[node] < 0 or not part:
        return NEVER
    return tree.shares[node] / tree.level_shares[above] / part


@compiled
def _sort(tree: Tree, ranking: Ranking) -> None:
    """Sort the nodes; from one time to the next few of them change places."""
    order, counts = ranking.order, tree.counts
    while counts[IN_ORDER] < counts[NODES] - 1:
        order[counts[IN_ORDER]] = counts[IN_ORDER] + 1
        counts[IN_ORDER] += 1
    for first in range(1, counts[IN_ORDER]):
        node, place = order[first], first
        while place > 0 and _before(tree, ranking, node, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = node
    for node in range(counts[NODES]):
        ranking.begin[node] = counts[IN_ORDER]
    for place in range(counts[IN_ORDER] - 1, -1, -1):
        ranking.begin[tree.above[order[place]]] = place


@compiled
def _before(tree: Tree, ranking: Ranking, one: int, other: int) -> bool:
    if tree.above[one] != tree.above[other]:
        return tree.above[one] < tree.above[other]
    level, others = ranking.minus_level[one], ranking.minus_level[other]
    if level != others:
        return level < others
    is_account, others_is = tree.leaf[one] < 0, tree.leaf[other] < 0
    if is_account != others_is:
        return others_is
    return one < other
