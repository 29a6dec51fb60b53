"""The tree of shares, with accounts and their users, and Slurm's Fair Tree."""

import math
from collections.abc import Mapping, Sequence

from schedulers.core.constants import NEVER
from schedulers.site.batch_system import Association

ROOT = "root"


class Node:
    """An account, or a user in an account, with its shares."""

    __slots__ = ("above", "children", "leaf", "level_shares", "name", "parent", "shares", "total")

    def __init__(
        self, name: str, parent: "Node | None", *, shares: int | None, leaf: int | None = None
    ) -> None:
        self.name = name
        self.parent = parent
        """The account that contains the node; ``None`` for the root."""
        self.shares = shares
        """The node's shares; ``None`` if the node uses its parent's shares."""
        self.leaf = leaf
        """The index of a user; ``None`` for an account."""
        self.children: list[Node] = []
        """The nodes of the level below. The children of an account without shares of its own belong
        to the level of that account."""
        self.level_shares = 0
        """The sum of the children's shares."""
        self.total = 0.0
        """The usage of an account; see `ShareTree.add_up`."""
        while parent is not None and parent.shares is None:
            parent = parent.parent
        self.above = parent
        """The first account above the node that has shares of its own; ``None`` for the root."""
        if parent is not None:
            parent.children.append(self)
            parent.level_shares += shares or 0


class ShareTree:
    """Accounts and users with their shares. Unknown accounts and users are added with one share.

    An account with the shares ``parent`` forms no level: its children belong to the level of the
    account itself. A user with the shares ``parent`` gets the values of the account. Without
    associations, each user has one share in each account that the user's jobs name.
    """

    def __init__(self, associations: Sequence[Association] = ()) -> None:
        self.root = Node(ROOT, None, shares=1)
        self.accounts: dict[str, Node] = {ROOT: self.root}
        """The accounts by name. Each account comes after its parent."""
        self.leaves: list[Node] = []
        """The users by index."""
        self.users: dict[tuple[str, str], Node] = {}
        """The users by user name and account name."""
        self.first_account: dict[str, str] = {}
        """By user: the account of jobs that name no account."""
        accounts = {one.account: one for one in associations if one.user is None}
        for one in associations:
            self._account(one.account, accounts)
            if one.user is not None:
                self._add_user(one.user, one.account, shares=_shares(one))

    def leaf(self, user: str, account: str) -> int:
        """Return the index of a user in an account; without an account, in the first account."""
        account = account or self.first_account.get(user, ROOT)
        node = self.users.get((user, account)) or self._add_user(user, account, shares=1)
        assert node.leaf is not None
        return node.leaf

    def add_up(self, usage: Sequence[float]) -> list[Node]:
        """Set each account's usage to the sum of its users' usage; return the accounts."""
        accounts = [*self.accounts.values()]
        for account in accounts:
            account.total = 0.0
        for place, leaf in enumerate(self.leaves):
            assert leaf.parent is not None
            account = leaf.parent
            account.total += usage[place]
        # children come after their parents
        for account in accounts[::-1]:
            parent = account.parent
            if parent is not None:
                parent.total += account.total
        return accounts

    def _account(self, name: str, accounts: Mapping[str, Association]) -> Node:
        """Return an account. If it is unknown, add it and its parents."""
        known = self.accounts.get(name)
        if known is None:
            shares: int | None = 1
            parent = ROOT
            if name in accounts:
                shares, parent = _shares(accounts[name]), accounts[name].parent
            known = Node(name, self._account(parent, accounts), shares=shares)
            self.accounts[name] = known
        return known

    def _add_user(self, user: str, account: str, *, shares: int | None) -> Node:
        node = Node(user, self._account(account, {}), shares=shares, leaf=len(self.leaves))
        self.leaves.append(node)
        self.users[user, account] = node
        self.first_account.setdefault(user, account)
        return node


def _shares(association: Association) -> int | None:
    return None if association.shares == "parent" else association.shares


class FairTree:
    """Slurm's Fair Tree: ranks users by ``LevelFS`` of their accounts from the root down.

    `levels` holds the ``LevelFS`` of accounts and users, as ``sshare`` shows it: a node's fraction
    of the level's shares divided by its fraction of the level's usage. `factors` holds the users'
    factors by index. The first of n users has the factor 1, the last user 1/n.

    Among siblings with the same ``LevelFS``, users come before accounts. A user who is tied with
    the previous sibling gets the same rank. If an account is tied with its previous sibling, its
    first user gets the last rank again. The next user continues with the number of users ranked so
    far. (Slurm's manual says that tied accounts are ranked as one. Versions 22.05 and 26.11 do as
    described here.)

    `usage` holds the users' usage by index.

    Examples
    --------
    >>> tree = ShareTree()
    >>> [tree.leaf(*who) for who in (("ann", "physics"), ("bob", "physics"), ("eve", "biology"))]
    [0, 1, 2]
    >>> FairTree(tree, [30.0, 10.0, 20.0]).factors
    [0.3333333333333333, 0.6666666666666666, 1.0]
    """

    def __init__(self, tree: ShareTree, usage: Sequence[float]) -> None:
        self.levels: dict[Node, float] = {}
        self._usage = list(usage)
        self._users = self._rank = self._left = len(tree.leaves)
        self.factors = [0.0] * self._users
        tree.add_up(self._usage)
        self._rank_below(tree.root, False)

    def _rank_below(self, account: Node, tied: bool) -> None:  # noqa: FBT001 - a compiled method
        """Rank the users below an account. If `tied`, the first user gets the last rank again."""
        level = math.nan
        for node in self._by_level(account):
            before, level = level, self.levels[node]
            tied = tied or level == before
            if node.leaf is None:
                self._rank_below(node, tied)
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
            node_usage = node.total if node.leaf is None else usage[node.leaf]
            # after a long decay, this quotient may round to 0
            part = node_usage / used if node_usage else 0.0
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
