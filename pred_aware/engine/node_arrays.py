"""A site's nodes, and what jobs ask of them, as arrays."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import nodes_values as columns
from pred_aware.engine.kernel.nodes_values import (
    Choices,
    Choosing,
    JobsOnNodes,
    Kinds,
    Nodes,
    Over,
    Reserved,
    Rooms,
    Runs,
    Sets,
)
from schedulers.machine.node_layout import UNLIMITED, Choice, NodeLayout
from schedulers.machine.node_processors import NodeProcessors
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import NodeRequest
from workload_tools.batsim.intervals import Intervals

_NODES_OF_A_JOB = 4
"""So many are taken room for at first, on the average."""
_STEPS = 64
"""So many steps of time there is room for at first."""
_MOST_IN_ROOMS = 2**21
_ASKED = len(Kinds._fields) - 2
"""What is known of a kind is no part of what it asks for."""
_WORD = (1 << columns.BITS) - 1


class NodeArrays:
    """The nodes of a site for some jobs.

    Parameters
    ----------
    layout
        The nodes.
    asked
        What each kind of jobs asks for; ``None`` for one that has no room.
    of_job
        The kind of each job; shape (jobs,).
    losses
        How many processors of each node are not to be had after each change of the site.
    counts_gpus
        Whether limits count the GPUs of those that ask for none, of whole nodes.
    """

    def __init__(
        self,
        layout: NodeLayout,
        asked: Sequence[NodeRequest | None],
        of_job: Integers,
        losses: Sequence[Mapping[int, int]] = (),
        *,
        counts_gpus: bool = False,
    ) -> None:
        self._layout = layout
        self._jobs = len(of_job)
        self._sets: dict[int, int] = {layout.all: 0}
        self._choices: dict[tuple[int, tuple[int, ...], bool], int] = {}
        distinct = {one: place for place, one in enumerate(dict.fromkeys(filter(None, asked)))}
        self.asked = [*distinct]
        """What each kind of jobs asks for, of those that have room."""
        numbers = np.array([-1 if one is None else distinct[one] for one in asked], np.int64)
        kinds_of_jobs = numbers[of_job]
        choices_of = np.array([*(len(one.choices) for one in distinct), 0])
        self.tries = int(choices_of[kinds_of_jobs].sum())
        """How many choices all jobs have together."""
        tried: list[int] = []
        kinds = _columns([self._kind(one, tried) for one in distinct], _ASKED)
        weights: list[int] = []
        choices = [self._weighted(choice, weights) for choice in self._choices]
        sizes = [(cores, self._set(nodes)) for cores, nodes in layout.of_size.items()]
        has_gpus = counts_gpus or any(
            one.request.gpus or one.request.gpus_on_node for one in filter(None, asked)
        )
        self._told = _told(layout, gpus=has_gpus)
        many, words = len(layout.cores), -(-len(layout.cores) // columns.BITS)
        rest = self._told[1:] if len(self._told) > 1 else [[UNLIMITED] * many]
        there = np.array([layout.cores, *rest], np.int64)
        entries = _NODES_OF_A_JOB * len(of_job) + layout.processors
        of_kinds, of_sets = np.full((2, len(distinct)), -1), np.full((4, len(self._sets)), -1)
        places = np.arange(many)
        self.nodes = Nodes(
            rooms=_rooms(layout, words, there),
            there=there,
            threads=np.array(layout.threads),
            whole=np.array([layout.whole >> place & 1 for place in range(many)]),
            word=places // columns.BITS,
            bit=1 << places % columns.BITS,
            sets=Sets(*_masks(self._sets, words), *of_sets),
            sizes=np.array(sizes),
            choices=Choices(*_columns(choices, len(Choices._fields))),
            weights=np.array(weights, np.int64),
            tried=np.array(tried, np.int64),
            kinds=Kinds(*kinds, *of_kinds),
            jobs=JobsOnNodes(kinds_of_jobs, *_zeros(7, len(of_job))),
            held=np.zeros((entries, len(there)), np.int32),
            choosing=Choosing(
                allowed=_zeros(words), closed=_zeros(words), available=_zeros(words),
                chosen=_zeros(words), given=_zeros(many), gpus=_zeros(many), fits=_zeros(many),
                pieces=np.zeros((many, len(there)), np.int32),
            ),
            reserved=Reserved(
                pinned=_zeros(many), pins=_zeros(many), left=_zeros(*there.shape),
                keeps=_zeros(*there.shape), dates=_zeros(len(of_job) + 1),
            ),
            runs=Runs(
                rank=_zeros(many), room=_zeros(many), begin=_zeros(many), behind=_zeros(many),
                tally=_zeros(2, len(layout.idle.levels)),
            ),
            lost_at=np.cumsum([0, 0, *map(len, losses)]),
            losses=_table([each for lost in losses for each in lost.items()], 2),
            counts=_zeros(columns.COUNTS),
        )  # fmt: skip
        self.over: Over | None = None
        """What is free over time, where a bound on waiting asks for it."""
        self.beside: Over | None = None
        """Likewise, for those that have places beside the running jobs."""

    def add_time(self, processors: Integers, *, bounded: bool, beside: bool) -> None:
        """Add what is free over time, for jobs that ask for so many processors.

        For a bound on waiting, or for those that have places beside the running jobs.
        """
        most = np.minimum(processors, len(self._layout.cores))
        placed = np.zeros((int(most.sum()), self.nodes.held.shape[1]), np.int32)
        firsts = np.cumsum(most) - most
        self.over = self._idle(firsts, placed) if bounded else None
        self.beside = self._idle(firsts, placed) if beside else None

    def add_rooms(self, most: int) -> int:
        """Add what Slurm's choice of nodes works on, and rooms at dates to come.

        Returns
        -------
        int
            How many of these: so many at most.
        """
        before = self.nodes.rooms
        size = sum(one[0].size for one in before)
        rooms: int = max(1, min(most, _MOST_IN_ROOMS // size))
        more = [_zeros(rooms, *one.shape[1:]) for one in before]
        both = zip(before, more, strict=True)
        self.nodes = self.nodes._replace(rooms=Rooms(*map(np.concatenate, both)))
        return rooms

    def _idle(self, firsts: Integers, placed: NDArray[np.int32]) -> Over:
        things, many = self._told.shape
        over = Over(
            nodes=self.nodes,
            times=np.zeros(_STEPS),
            rows=np.arange(_STEPS),
            totals=np.full(_STEPS, self._layout.idle.free),
            free=_zeros(_STEPS, things, many),
            least=_zeros(things, many),
            firsts=firsts,
            placed=placed,
            counts=np.array([1, 0]),
        )
        over.free[0] = self._told
        return over

    def grow(self, processors: int) -> None:
        """Make room for more of what jobs have, or for more steps of time."""
        nodes, longer = self.nodes, _longer
        if nodes.counts[columns.ENTRIES] + processors > len(nodes.held):
            self.nodes = nodes = nodes._replace(held=_twice(nodes.held))
            longer = _same
        self.over = None if self.over is None else longer(self.over)._replace(nodes=nodes)
        self.beside = None if self.beside is None else longer(self.beside)._replace(nodes=nodes)

    def intervals(self, changes: Integers) -> list[Intervals]:
        """Return the processors of each job, of the starts and ends in their order."""
        rule = NodeProcessors(self._layout.cores, self._layout.first)
        placed: list[Intervals] = [()] * self._jobs
        for change in changes.tolist():
            if change >= 0:
                placed[change] = rule.allocate(change, self.placement(change))
            else:
                rule.release(~change)
        return placed

    def placement(self, job: int) -> Placement:
        """Return what a job had."""
        first, count, whole, total = (int(one[job]) for one in self.nodes.jobs[1:5])
        held = self.nodes.held[first : first + count]
        nodes, given = tuple(held[:, 0].tolist()), tuple(held[:, 1].tolist())
        taken = given
        if total != sum(given):
            on = zip(nodes, given, strict=True)
            taken = tuple([self._kept(node, count, whole=whole > 0) for node, count in on])
        return Placement(nodes, given, taken, total=total)

    def _kept(self, node: int, given: int, *, whole: bool) -> int:
        """Return how many processors of a node nobody else could have."""
        if whole or self._layout.whole >> node & 1:
            return self._layout.cores[node]
        threads = self._layout.threads[node]
        return -(-given // threads) * threads

    def _kind(self, asked: NodeRequest, tried: list[int]) -> tuple[int, ...]:
        request, first = asked.request, len(tried)
        tried += [self._choice(choice) for choice in asked.choices]
        return (
            request.processors, request.unit, request.nodes, request.most_units,
            request.memory_on_node, request.memory_of_unit, request.whole, asked.any_do,
            first, len(tried), request.gpus_on_node, request.gpus,
            columns.GPUS + self._layout.types.index(request.gpu_type) if request.gpu_type else -1,
        )  # fmt: skip

    def _choice(self, choice: Choice) -> int:
        what = choice.nodes, choice.by_weight, choice.whole
        return self._choices.setdefault(what, len(self._choices))

    def _weighted(
        self, choice: tuple[int, tuple[int, ...], bool], weights: list[int]
    ) -> tuple[int, ...]:
        nodes, by_weight, whole = choice
        first = len(weights)
        weights += [self._set(each) for each in by_weight]
        return self._set(nodes), whole, first, len(weights)

    def _set(self, nodes: int) -> int:
        return self._sets.setdefault(nodes, len(self._sets))


def _same(over: Over) -> Over:
    return over


def _longer(over: Over) -> Over:
    """Return it with room for twice as many steps."""
    steps = len(over.rows)
    return over._replace(
        times=_twice(over.times),
        rows=np.concatenate([over.rows, np.arange(steps, 2 * steps)]),
        totals=_twice(over.totals),
        free=_twice(over.free),
    )


def _twice(table: NDArray[Any]) -> NDArray[Any]:
    """Return a table with as many rows again."""
    twice = np.zeros((2 * len(table), *table.shape[1:]), table.dtype)
    twice[: len(table)] = table
    return twice


def words_of(nodes: int, words: int) -> list[int]:
    """Return the words of a bit mask."""
    return [nodes >> columns.BITS * word & _WORD for word in range(words)]


def _zeros(*shape: int) -> Integers:
    return np.zeros(shape, np.int64)


def _table(rows: Sequence[Sequence[int]], width: int) -> Integers:
    """Return some rows, or none, of so many columns."""
    return np.array(rows, np.int64).reshape(len(rows), width)


def _columns(rows: Sequence[Sequence[int]], width: int) -> Integers:
    """Return each column of a table in one piece."""
    return _table(rows, width).T.copy()


def _masks(sets: Iterable[int], words: int) -> tuple[Integers, Integers, Integers]:
    """Return bit masks of sets, the first word in which each has any, and the one behind."""
    masks = np.array([words_of(nodes, words) for nodes in sets], np.int64)
    found = masks != 0
    low = found.argmax(1)
    return masks, low, np.where(found.any(1), words - found[:, ::-1].argmax(1), 0)


def _told(layout: NodeLayout, *, gpus: bool) -> Integers:
    """Return what each node has of what the site tells, without GPUs if no job asks for any."""
    rest = layout.idle.rest
    if rest is None:
        return np.array([layout.cores])
    return np.array([layout.cores, *(rest if gpus else rest[:1])])


def _rooms(layout: NodeLayout, words: int, there: Integers) -> Rooms:
    """Return rooms of which the first is idle."""
    idle = layout.idle
    masks = np.array([words_of(nodes, words) for nodes in idle.levels], np.int64)
    counts = np.array([nodes.bit_count() for nodes in idle.levels])
    parts = masks, counts, there, np.int64(idle.free)
    return Rooms(*(np.array([one] * columns.ROOMS) for one in parts))
