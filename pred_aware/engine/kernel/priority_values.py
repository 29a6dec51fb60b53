"""The values of Slurm's priority that the compiled loops work on; see `priority`."""

from typing import NamedTuple

from pred_aware.engine.kernel.arrays import Floats, Integers


class Ranked(NamedTuple):
    """What of a job's priority does not change while it waits; shape (jobs,)."""

    since: Floats
    """From when on its age counts, in seconds."""
    tier: Floats
    rest: Floats
    rate: Floats
    """What it uses in each second of what counts for shares."""
    who: Integers
    """Its user, and the account that it names, as one of `Tree.account_of`."""
    leaf: Integers
    """The place of its association, once it was submitted."""


class Tree(NamedTuple):
    """Accounts and users with their shares, as `schedulers.orders.fair_share.tree` has them.

    There is room for all whom a job names; they join when it is submitted.
    """

    user_of: Integers
    """By `Ranked.who`."""
    account_of: Integers
    """Likewise; -1: the first of the user."""
    first_account: Integers
    """By user; -1: none yet."""
    first_pair: Integers
    """By user: the first of `pair_account`, -1 without; then by pair the next of them."""
    next_pair: Integers
    pair_account: Integers
    pair_leaf: Integers
    """-1: not yet."""
    node_of: Integers
    """By account, the root's first; -1: not yet."""
    shares: Integers
    """By node; -1: those of the parent."""
    parent: Integers
    above: Integers
    leaf: Integers
    """-1 for an account."""
    level_shares: Integers
    accounts: Integers
    """Nodes in the order in which they came, as next."""
    leaves: Integers
    counts: Integers
    """See the places in `codes`."""


class Usage(NamedTuple):
    """Decaying usage by leaf, as `schedulers.orders.fair_share.decaying_usage` has it."""

    now: Floats
    rates: Floats
    at_step: Floats
    jobs: Integers
    """How many of each leaf's run."""
    new: Integers
    """The jobs that have started since the last step."""
    is_new: Integers
    """By job."""
    started: Floats
    """By job."""


class Ranking(NamedTuple):
    """What Fair Tree works on."""

    factors: Floats
    """By leaf, as of the last step."""
    totals: Floats
    """By node: the usage of an account."""
    minus_level: Floats
    """By node."""
    order: Integers
    """All nodes but the root: by whom they share with, then as they are ranked."""
    begin: Integers
    """By node, where its children begin there."""
    next: Integers
    """By node, the next of its children to rank."""
    before: Floats
    """By node, the level of the last of them."""
    tied: Integers
    """By node, whether the next is tied with what stands before it."""


class Priority(NamedTuple):
    """Slurm's multifactor priority."""

    jobs: Ranked
    tree: Tree
    usage: Usage
    ranking: Ranking
    counts: Integers
    """See the places in `codes`."""
    weight_age: float
    weight_share: float
    max_age: float
    period: float
    second: float
    """What is left of usage after a second."""
    whole: float
    """And after a period."""
    counts_rests: bool
