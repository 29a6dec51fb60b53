"""Slurm's priority as arrays: what of a job's does not change, the tree of shares, the usage."""

from collections.abc import Callable, Iterable
from typing import TypeVar

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

Number = TypeVar("Number", np.float64, np.int64)

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
    firsts, of_kind = told_apart([asked.groups, processors, walltime])
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
    usage = order.fair_share.decaying
    counts = np.zeros(codes.PRIORITY_COUNTS, np.int64)
    tree, room = _tree(order.fair_share.tree, [*people], counts)
    begun = usage.last_step > -np.inf
    counts[codes.BEGUN] = counts[codes.STALE] = begun
    counts[codes.STEPS_MADE] = round(usage.last_step / usage.period) if begun else 0
    jobs = len(submit)
    return Priority(
        Ranked(
            since=since,
            tier=tiers[of_kind],
            rest=rests[of_kind],
            rate=rates[of_kind],
            who=numbers[of_kind],
            leaf=np.zeros(jobs, np.int64),
        ),
        tree,
        Usage(
            now=_with_room(usage.current, room),
            rates=_with_room(usage.rates, room),
            at_step=_with_room(usage.at_step, room),
            jobs=np.zeros(room, np.int64),
            new=np.zeros(jobs, np.int64),
            is_new=np.zeros(jobs, np.int64),
            started=np.zeros(jobs),
        ),
        Ranking(
            factors=np.zeros(room),
            totals=np.zeros(room),
            minus_level=np.zeros(room),
            order=np.zeros(room, np.int64),
            begin=np.zeros(room, np.int64),
            next=np.zeros(room, np.int64),
            before=np.zeros(room),
            tied=np.zeros(room, np.int64),
        ),
        counts,
        weight_age=float(order.weight_age), weight_share=float(order.weight_share),
        max_age=float(order.max_age), period=float(usage.period), second=float(usage.second),
        whole=float(usage.whole), counts_rests=usage.counts_rests,
    )  # fmt: skip


def _tree(known: ShareTree, people: list[tuple[str, str]], counts: Integers) -> tuple[Tree, int]:
    """Return a tree with room for the users and accounts that jobs name, and for how many nodes."""
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
    first_pair, next_pair = [-1] * len(users), [-1] * len(pairs)
    for (user, _), place in pairs.items():
        next_pair[place] = first_pair[users[user]]
        first_pair[users[user]] = place
    first_account = [accounts.get(known.first_account.get(user, ""), -1) for user in users]
    leaves = {pairs[pair]: number for number, pair in enumerate(known.users)}
    of_accounts = [known.accounts.get(name) for name in accounts]
    counts[codes.NODES], counts[codes.LEAVES] = len(nodes), len(known.leaves)
    counts[codes.ACCOUNTS] = len(known.accounts)

    def number(node: Node | None) -> int:
        return -1 if node is None else numbers[node]

    def told(values: Iterable[int]) -> Integers:
        return np.array([*values], np.int64)

    def of_nodes(values: Iterable[int]) -> Integers:
        return _with_room(told(values), room)

    room = len(nodes) + len(accounts) + len(pairs)
    tree = Tree(
        user_of=told(users[user] for user, _ in people),
        account_of=told(accounts[one] if one else -1 for _, one in people),
        first_account=told(first_account),
        first_pair=told(first_pair),
        next_pair=told(next_pair),
        pair_account=told(accounts[account] for _, account in pairs),
        pair_leaf=told(leaves.get(place, -1) for place in range(len(pairs))),
        node_of=told(map(number, of_accounts)),
        shares=of_nodes(-1 if node.shares is None else node.shares for node in nodes),
        parent=of_nodes(number(node.parent) for node in nodes),
        above=of_nodes(number(node.above) for node in nodes),
        leaf=of_nodes(-1 if node.leaf is None else node.leaf for node in nodes),
        level_shares=of_nodes(node.level_shares for node in nodes),
        accounts=of_nodes(numbers[node] for node in known.accounts.values()),
        leaves=of_nodes(numbers[node] for node in known.leaves),
        counts=counts,
    )
    return tree, room


def _with_room(values: NDArray[Number], room: int) -> NDArray[Number]:
    """Return so many values, with zeros where there are fewer."""
    filled = np.zeros(room, values.dtype)
    known = values[:room]
    filled[: len(known)] = known
    return filled
