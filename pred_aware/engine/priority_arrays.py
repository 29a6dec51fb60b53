"""Slurm's priority as arrays: what of a job's does not change, the tree of shares, the usage."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.asked_of_site import AskedOfSite, told_apart
from pred_aware.engine.job_arrays import Floats, Integers
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.priority_values import Priority, Ranked, Ranking, Tree, Usage
from schedulers.job import Job
from schedulers.orders.fair_share.tree import ROOT, Node, ShareTree
from schedulers.orders.multifactor import Multifactor
from schedulers.site.requests import keys_of

_WHO = (("user", "user_id"), ("project", "project"))


def priority_of(
    order: Multifactor,
    asked: AskedOfSite,
    *,
    submit: Floats,
    processors: Integers,
    walltime: Floats,
    size: int,
    settle: Callable[[Job, float], None] | None,
) -> Priority:
    """Return the priority of jobs in an order that has been told of none of them.

    Parameters
    ----------
    order
        The order; what it knows of the past is taken over.
    asked, submit, processors, walltime
        What the jobs ask for, as the kernel has it; shape (jobs,).
    size
        The processors of the machine.
    settle
        Gives a job that is submitted what its site gives it.
    """
    order.begin(size)
    firsts, of_job = told_apart([asked.groups, processors, walltime])
    kept, who = [], list[tuple[str, str]]()
    for first in firsts.tolist():
        job = asked.make(first)
        if settle is not None:
            settle(job, float(submit[first]))
        kept.append(order.unchanging(job))
        keys = keys_of(job, _WHO)
        who.append((keys["user"], keys["project"]))
    tiers, rests, rates = np.array(kept, np.float64).reshape(len(kept), 3).T
    since = submit
    if not order.from_submission and asked.eligible is not None:
        since = np.where(np.isnan(asked.eligible), submit, asked.eligible)
    people = {one: place for place, one in enumerate(dict.fromkeys(who))}
    numbers = np.array([people[one] for one in who], np.int64)
    jobs = len(submit)
    tree = _tree(order.fair_share.tree, [*people])
    usage = order.fair_share.decaying
    leaves, nodes = len(tree.leaves), len(tree.shares)
    begun = usage.last_step > -np.inf
    tree.counts[codes.BEGUN] = tree.counts[codes.STALE] = begun
    return Priority(
        Ranked(since, tiers[of_job], rests[of_job], rates[of_job], numbers[of_job], _none(jobs)),
        tree,
        Usage(
            now=_filled(usage.current, leaves),
            rates=_filled(usage.rates, leaves),
            at_step=_filled(usage.at_step, leaves),
            jobs=_none(leaves), new=_none(jobs), is_new=_none(jobs), started=np.zeros(jobs),
            steps=np.array([np.rint(usage.last_step / usage.period) if begun else 0.0]),
        ),
        Ranking(
            factors=np.zeros(leaves), totals=np.zeros(nodes), minus_level=np.zeros(nodes),
            order=_none(nodes), begin=_none(nodes), next=_none(nodes), before=np.zeros(nodes),
            tied=_none(nodes),
        ),
        weight_age=float(order.weight_age), weight_share=float(order.weight_share),
        max_age=float(order.max_age), period=float(usage.period), second=float(usage.second),
        whole=float(usage.whole), counts_rests=usage.counts_rests,
    )  # fmt: skip


def _tree(known: ShareTree, people: list[tuple[str, str]]) -> Tree:
    """Return a tree with room for the users and accounts that jobs name."""
    nodes = [known.root]
    for node in nodes:
        nodes += node.children
    numbers = {node: number for number, node in enumerate(nodes)}
    accounts = {name: number for number, name in enumerate(known.accounts)}
    for _, account in people:
        accounts.setdefault(account or ROOT, len(accounts))
    users: dict[str, int] = {}
    for user, _ in [*known.users, *people]:
        users.setdefault(user, len(users))
    pairs: dict[tuple[str, str], int] = {}
    for pair in [*known.users, *people]:
        pairs.setdefault((pair[0], pair[1] or ROOT), len(pairs))
    first_pair, next_pair = _nobody(len(users)), _nobody(len(pairs))
    for (user, _), pair_number in pairs.items():
        next_pair[pair_number] = first_pair[users[user]]
        first_pair[users[user]] = pair_number
    most = len(nodes) + len(accounts) + len(pairs)
    pair_leaf, node_of = _nobody(len(pairs)), _nobody(len(accounts))
    for pair, node in known.users.items():
        pair_leaf[pairs[pair]] = -1 if node.leaf is None else node.leaf
    for name, node in known.accounts.items():
        node_of[accounts[name]] = numbers[node]
    first_account = _nobody(len(users))
    for user, account in known.first_account.items():
        first_account[users[user]] = accounts[account]
    counts = _none(codes.TREE_COUNTS)
    counts[codes.NODES], counts[codes.LEAVES] = len(nodes), len(known.leaves)
    counts[codes.ACCOUNTS] = len(known.accounts)

    def of_nodes(value: Callable[[Node], int | None]) -> Integers:
        return _filled([-1 if (of := value(node)) is None else of for node in nodes], most)

    def number(node: Node | None) -> int | None:
        return None if node is None else numbers[node]

    return Tree(
        user_of=np.array([users[user] for user, _ in people], np.int64),
        account_of=np.array([accounts[one] if one else -1 for _, one in people], np.int64),
        first_account=first_account,
        first_pair=first_pair,
        next_pair=next_pair,
        pair_account=np.array([accounts[account] for _, account in pairs], np.int64),
        pair_leaf=pair_leaf,
        node_of=node_of,
        shares=of_nodes(lambda node: node.shares),
        parent=of_nodes(lambda node: number(node.parent)),
        above=of_nodes(lambda node: number(node.above)),
        leaf=of_nodes(lambda node: node.leaf),
        level_shares=of_nodes(lambda node: node.level_shares),
        accounts=_filled([numbers[node] for node in known.accounts.values()], most),
        leaves=_filled([numbers[node] for node in known.leaves], most),
        counts=counts,
    )


def _filled(values: Floats | list[int], count: int) -> NDArray[Any]:
    """Return values with zeros behind them, so that there are as many."""
    known = np.asarray(values, np.int64 if isinstance(values, list) else None)[:count]
    filled = np.zeros(count, known.dtype)
    filled[: len(known)] = known
    return filled


def _none(count: int) -> Integers:
    return np.zeros(count, np.int64)


def _nobody(count: int) -> Integers:
    return np.full(count, -1)
