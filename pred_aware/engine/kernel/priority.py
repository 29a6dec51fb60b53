"""Slurm's priority in the order of the waiting jobs, as `schedulers.orders.multifactor` defines it.

Where a policy has another order there is none, and what asks for it is not even compiled.
"""

import numpy as np

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.codes import ACCOUNTS, BEGUN, LEAVES, NEWS, NODES, STALE, STEPS_MADE
from pred_aware.engine.kernel.fair_tree import rank_all
from pred_aware.engine.kernel.priority_values import Priority, Tree
from schedulers.orders.multifactor import OF_TIER
from schedulers.orders.priority_factors import MOST


@compiled
def priority_key(priority: Priority | None, job: int) -> float:
    """Return what the queue is sorted by, as of the last step and `bring_up`."""
    if priority is None:
        return 0.0
    jobs, factors = priority.jobs, priority.ranking.factors
    last = priority.counts[STEPS_MADE] * priority.period
    age = min(max((last - jobs.since[job]) / priority.max_age, 0.0), 1.0) * priority.weight_age
    share = factors[jobs.leaf[job]] * priority.weight_share
    whole = np.floor(min(max(age + share + jobs.rest[job], 1.0), MOST))
    return -(jobs.tier[job] * OF_TIER + whole)


@compiled
def bring_up(priority: Priority | None, now: float) -> None:
    """Make the steps up to a date, and rank the users by their usage as of the last one."""
    if priority is not None:
        _bring_up(priority, now)


@compiled_apart
def _bring_up(priority: Priority, now: float) -> None:
    _advance(priority, now)
    if priority.counts[STALE] and priority.weight_share:
        rank_all(priority.tree, priority.usage.at_step, priority.ranking)
        priority.counts[STALE] = 0


@compiled
def note_submission(priority: Priority | None, job: int, now: float) -> None:
    """Let a job wait from now on: who is not in the tree yet joins it."""
    if priority is not None:
        _note_submission(priority, job, now)


@compiled_apart
def _note_submission(priority: Priority, job: int, now: float) -> None:
    _advance(priority, now)
    jobs = priority.jobs
    jobs.leaf[job] = _leaf(priority.tree, jobs.who[job])


@compiled
def note_start(priority: Priority | None, job: int, now: float) -> None:
    """Count a job's usage from now on."""
    if priority is not None:
        _note_start(priority, job, now)


@compiled_apart
def _note_start(priority: Priority, job: int, now: float) -> None:
    _advance(priority, now)
    usage, counts = priority.usage, priority.counts
    usage.started[job] = now
    usage.is_new[job] = 1
    usage.new[counts[NEWS]] = job
    counts[NEWS] += 1
    usage.jobs[priority.jobs.leaf[job]] += 1


@compiled
def note_end(priority: Priority | None, job: int, now: float) -> None:
    """Count a job's usage up to now."""
    if priority is not None:
        _note_end(priority, job, now)


@compiled_apart
def _note_end(priority: Priority, job: int, now: float) -> None:
    _advance(priority, now)
    usage, jobs = priority.usage, priority.jobs
    leaf, rate = jobs.leaf[job], jobs.rate[job]
    if priority.counts_rests:
        last = priority.counts[STEPS_MADE] * priority.period
        usage.now[leaf] += _used(priority, rate, now - max(usage.started[job], last))
    if usage.is_new[job]:
        usage.is_new[job] = 0
    else:
        usage.rates[leaf] -= rate
    usage.jobs[leaf] -= 1
    if not usage.jobs[leaf]:
        usage.rates[leaf] = 0.0


@compiled
def _used(priority: Priority, rate: float, seconds: float) -> float:
    return rate * seconds * priority.second**seconds


@compiled
def _advance(priority: Priority, now: float) -> None:
    steps, counts = int(np.floor(now / priority.period)), priority.counts
    if not counts[BEGUN]:
        counts[BEGUN], counts[STALE] = 1, 1
        counts[STEPS_MADE] = steps
    while counts[STEPS_MADE] < steps:
        _step(priority)
        counts[STALE] = 1


@compiled_apart
def _step(priority: Priority) -> None:
    usage, jobs, counts = priority.usage, priority.jobs, priority.counts
    last = counts[STEPS_MADE] * priority.period
    of_rate = priority.period * priority.whole
    for leaf in range(counts[LEAVES]):
        usage.now[leaf] *= priority.whole
        usage.now[leaf] += usage.rates[leaf] * of_rate
    counts[STEPS_MADE] += 1
    step = counts[STEPS_MADE] * priority.period
    for place in range(counts[NEWS]):
        job = usage.new[place]
        if usage.is_new[job]:
            leaf, rate = jobs.leaf[job], jobs.rate[job]
            usage.now[leaf] += _used(priority, rate, step - max(usage.started[job], last))
            usage.rates[leaf] += rate
            usage.is_new[job] = 0
    counts[NEWS] = 0
    for leaf in range(counts[LEAVES]):
        usage.at_step[leaf] = usage.now[leaf]


@compiled_apart
def _leaf(tree: Tree, who: int) -> int:
    """Return the place of an association; it joins the tree if it is not there."""
    user, account = tree.user_of[who], tree.account_of[who]
    if account < 0:
        account = max(tree.first_account[user], 0)
    pair = tree.first_pair[user]
    while tree.pair_account[pair] != account:
        pair = tree.next_pair[pair]
    if tree.pair_leaf[pair] < 0:
        counts = tree.counts
        if tree.node_of[account] < 0:
            node = _join(tree, 0, -1)
            tree.node_of[account] = node
            tree.accounts[counts[ACCOUNTS]] = node
            counts[ACCOUNTS] += 1
        leaf = counts[LEAVES]
        tree.leaves[leaf] = _join(tree, tree.node_of[account], leaf)
        tree.pair_leaf[pair] = leaf
        counts[LEAVES] += 1
        counts[STALE] = 1
        if tree.first_account[user] < 0:
            tree.first_account[user] = account
    return tree.pair_leaf[pair]


@compiled
def _join(tree: Tree, parent: int, leaf: int) -> int:
    """Add a node with one share."""
    node = tree.counts[NODES]
    above = parent if tree.shares[parent] >= 0 else tree.above[parent]
    tree.shares[node] = 1
    tree.parent[node], tree.above[node] = parent, above
    tree.leaf[node] = leaf
    tree.level_shares[above] += 1
    tree.counts[NODES] += 1
    return node
