"""The shares of a job array's elements: runs in order, cut into pieces of about equal cost."""

import socket
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.messages import Task
from pred_aware.campaign.run_key import RunKey
from pred_aware.campaign.store import MEASURED
from pred_aware.errors import PredAwareError

NAME = "shares.jsonl"
LEAST = 10.0
"""An element has runs of at least so many seconds, as far as is known what they take."""

_SAMPLES = 3
_UNKNOWN = 10.0


def cut(tasks: Sequence[Task], costs: Sequence[float], *, number: int) -> list[list[Task]]:
    """Cut tasks into at most so many pieces, each with about the same cost, none empty.

    The order stays, so that runs of one shake are in one piece or in neighbours.

    Parameters
    ----------
    tasks
        What is to be made.
    costs
        Seconds of each.
    number
        How many pieces.

    Examples
    --------
    >>> tasks = [Task(RunKey(0, policy), "") for policy in range(4)]
    >>> [len(piece) for piece in cut(tasks, [30.0, 10.0, 10.0, 10.0], number=2)]
    [1, 3]
    """
    each = sum(costs) / max(1, number)
    pieces: dict[int, list[Task]] = {}
    before = 0.0
    for task, cost in zip(tasks, costs, strict=True):
        # the middle of a task says whose it is
        pieces.setdefault(min(int((before + cost / 2) / each), number - 1), []).append(task)
        before += cost
    return list(pieces.values())


def tasks_of(inventory: Inventory, places: Sequence[RunKey]) -> list[Task]:
    """Return runs in the order in which they cost least: by log and shake."""
    in_order = sorted(places, key=lambda one: one.in_order)
    told = ((one, inventory.digest(one)) for one in in_order)
    return [Task(one, digest) for one, digest in told if digest is not None]


def check_tasks(inventory: Inventory, tasks: Sequence[Task]) -> None:
    """See that runs would be the ones that are wanted, before any is made.

    Raises
    ------
    PredAwareError
        A log or a policy is another one here, or computes with other libraries.
    """
    for task in tasks:
        if inventory.digest(task.run) != task.digest:
            reason = inventory.unreadable.get(inventory.specification.logs[task.run.log].name)
            changed = (
                f"{inventory.told(task.run)}: on {socket.gethostname()} the log, the policy or "
                "what computes it is not the one that was told; give all machines the same files "
                "and the same environment, and run the campaign again"
            )
            raise PredAwareError(reason or changed)


def costs_of(inventory: Inventory, tasks: Sequence[Task], there: Sequence[RunKey]) -> list[float]:
    """Return about how many seconds each run will take, by those that are there.

    Where there are none of a policy, the mean of its log stands for it.
    """
    known: dict[tuple[int, int], list[float]] = {}
    by_log: dict[int, list[float]] = {}
    for place in there:
        took = known.setdefault((place.log, place.policy), [])
        if len(took) < _SAMPLES and (digest := inventory.digest(place)) is not None:
            seconds = float(inventory.store.read(digest, MEASURED)["seconds"])
            took.append(seconds)
            by_log.setdefault(place.log, []).append(seconds)
    costs = []
    for task in tasks:
        found = known.get((task.run.log, task.run.policy)) or by_log.get(task.run.log) or [_UNKNOWN]
        # none costs nothing, or they could not be cut
        costs.append(max(1e-3, sum(found) / len(found)))
    return costs


def write_shares(shares: Sequence[Sequence[Task]], folder: Path) -> list[int]:
    """Write all shares into one file, a line each; return where each begins.

    Raises
    ------
    OSError
        It can't be written.
    """
    begins, position = [], 0
    with (folder / NAME).open("wb") as file:
        for share in shares:
            begins.append(position)
            position += file.write(msgspec.json.encode(share) + b"\n")
    return begins


def read_share(folder: Path, begins: Sequence[int], element: int) -> list[Task]:
    """Read the share of an element, and nothing of the others'.

    Raises
    ------
    PredAwareError
        There is no such element, or the file can't be read.
    """
    file = folder / NAME
    if not 0 <= element < len(begins):
        raise PredAwareError(f"{file}: has {len(begins)} shares, and none of element {element}")
    try:
        with file.open("rb") as opened:
            opened.seek(begins[element])
            return msgspec.json.decode(opened.readline(), type=list[Task])
    except (OSError, msgspec.DecodeError) as error:
        raise PredAwareError(f"{file}: can't be read: {error}") from error


def digests_in(folder: Path) -> set[str]:
    """Return the digests of all shares in a folder; none where they can't be read."""
    try:
        with (folder / NAME).open("rb") as opened:
            shares = [msgspec.json.decode(line, type=list[Task]) for line in opened]
    except (OSError, msgspec.DecodeError):
        return set()
    return {task.digest for share in shares for task in share}
