"""A site's nodes, and what jobs ask of them, as arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import nodes_values as columns
from pred_aware.engine.kernel.nodes_values import Nodes, Over
from schedulers.machine.node_layout import UNLIMITED, Choice, NodeLayout
from schedulers.machine.node_processors import NodeProcessors
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import Asked
from workload_tools.batsim.intervals import Intervals

_NODES_OF_A_JOB = 4
"""So many are taken room for at first, on the average."""
_STEPS = 64
"""So many steps of time there is room for at first."""
_MOST_IN_ROOMS = 2**21
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
        asked: Sequence[Asked | None],
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
        kinds = [self._kind(one, tried) for one in distinct]
        weights: list[int] = []
        choices = [self._weighted(choice, weights) for choice in self._choices]
        sizes = [(cores, self._set(nodes)) for cores, nodes in layout.of_size.items()]
        many, levels = len(layout.cores), len(layout.idle.levels)
        words = -(-many // columns.BITS)
        sets = np.array([words_of(nodes, words) for nodes in self._sets], np.int64)
        self._has_gpus = counts_gpus or any(
            one.request.gpus or one.request.gpus_on_node for one in filter(None, asked)
        )
        rest = self._rest()
        types = len(rest) // many - 1
        room = _room(layout, words, rest)
        tables: dict[int, ArrayLike] = {
            columns.NODE: _nodes(layout),
            columns.SETS: sets,
            columns.SPANS: [_span(row) for row in sets],
            columns.SIZES: sizes,
            columns.CHOICES: choices,
            columns.WEIGHTS: weights,
            columns.TRIED: tried,
            columns.KINDS: kinds,
            columns.JOBS: _of_jobs(kinds_of_jobs),
            columns.ROOM: room,
            columns.LATER: room,
            columns.UNITS: np.zeros(levels * (words + 1)),
            columns.ALLOWED: np.zeros(words),
            columns.CHOSEN: np.zeros(words),
            columns.AVAILABLE: np.zeros(words),
            columns.ON: np.zeros((many, columns.ON_WIDTH)),
            columns.PLACED: np.zeros((many, 2)),
            columns.KNOWN: np.full((len(kinds), 2), -1),
            columns.FREE_ON: np.full((len(sets), columns.FREE_WIDTH), -1),
            columns.DATES: np.zeros(len(of_job) + 1),
            columns.THERE: rest,
            columns.GPUS_PLACED: np.zeros(many * types),
            columns.GPUS_ON: np.zeros(2 * many * types),
            columns.LOST_AT: np.cumsum([0, 0, *map(len, losses)]),
            columns.LOSSES: [each for lost in losses for each in lost.items()],
        }
        values = _behind_each_other(tables)
        values[columns.WORDS], values[columns.LEVELS] = words, levels
        values[columns.MANY_SIZES] = len(sizes)
        values[columns.MANY], values[columns.TYPES] = many, types
        masks = levels * words
        values[columns.COUNT_OF : columns.ROOM_OF + 1] = (
            masks, masks + levels, masks + levels + many, len(room) - 1, len(room),
        )  # fmt: skip
        entries = _NODES_OF_A_JOB * len(of_job) + layout.processors
        self.nodes = Nodes(values, np.zeros((entries, 2 + types), np.int32))
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
        values = self.nodes.values
        many, levels, size = values[[columns.MANY, columns.LEVELS, columns.ROOM_OF]].tolist()
        rooms: int = max(1, min(most, _MOST_IN_ROOMS // size))
        lengths = [columns.RUN_WIDTH * many, 2 * levels, rooms * size]
        more = np.zeros(sum(lengths), np.int64)
        firsts = len(values) + np.cumsum([0, *lengths[:-1]])
        values = np.concatenate([values, more])
        values[[columns.RUNS, columns.TALLY, columns.ROOMS]] = firsts
        self.nodes = self.nodes._replace(values=values)
        return rooms

    def _idle(self, firsts: Integers, placed: NDArray[np.int32]) -> Over:
        layout = self._layout
        many, rest = len(layout.cores), self._rest()
        told = 0 if layout.idle.rest is None else len(rest)
        over = Over(
            nodes=self.nodes,
            times=np.zeros(_STEPS),
            rows=np.arange(_STEPS),
            totals=np.full(_STEPS, layout.idle.free),
            free=np.zeros((_STEPS, many), np.int64),
            memory=np.zeros((_STEPS, told), np.int64),
            least=np.zeros((2, len(rest)), np.int64),
            firsts=firsts,
            placed=placed,
            counts=np.array([1, 0]),
        )
        over.free[0] = layout.idle.free_on
        over.memory[0] = rest[:told]
        return over

    def _rest(self) -> list[int]:
        """Return the memory of each node in KiB, and its GPUs of each type, if jobs ask for any."""
        rest = self._layout.idle.rest
        if rest is None:
            return [UNLIMITED] * len(self._layout.cores)
        rows: list[int] = (rest if self._has_gpus else rest[:1]).reshape(-1).tolist()
        return rows

    def grow(self, processors: int) -> None:
        """Make room for more of what jobs have, or for more steps of time."""
        nodes, longer = self.nodes, _longer
        if nodes.values[columns.ENTRIES] + processors > len(nodes.held):
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
        row = int(self.nodes.values[columns.JOBS]) + columns.JOB_WIDTH * job
        _, first, count, whole, total = self.nodes.values[row : row + columns.TOTAL + 1].tolist()
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

    def _kind(self, asked: Asked, tried: list[int]) -> tuple[int, ...]:
        request, first = asked.request, len(tried)
        tried += [self._choice(choice) for choice in asked.choices]
        return (
            request.processors, request.unit, request.nodes, request.most_units,
            request.memory_on_node, request.memory_of_unit, request.whole, asked.any_do,
            first, len(tried), request.gpus_on_node, request.gpus,
            self._layout.types.index(request.gpu_type) if request.gpu_type else -1,
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
        memory=_twice(over.memory),
    )


def _twice(table: NDArray[Any]) -> NDArray[Any]:
    """Return a table with as many rows again."""
    twice = np.zeros((2 * len(table), *table.shape[1:]), table.dtype)
    twice[: len(table)] = table
    return twice


def _behind_each_other(tables: Mapping[int, ArrayLike]) -> Integers:
    """Return tables behind a head, in which it stands where each begins."""
    parts = [np.zeros(columns.HEAD, np.int64)]
    first = columns.HEAD
    for column, table in tables.items():
        part = np.asarray(table, np.int64).reshape(-1)
        parts[0][column] = first
        parts.append(part)
        first += len(part)
    return np.concatenate(parts)


def words_of(nodes: int, words: int) -> list[int]:
    """Return the words of a bit mask."""
    return [nodes >> columns.BITS * word & _WORD for word in range(words)]


def _span(words: Integers) -> tuple[int, int]:
    """Return the first word in which a set has any, and the one after the last."""
    found = np.flatnonzero(words)
    return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)


def _of_jobs(kinds: Integers) -> Integers:
    jobs = np.zeros((len(kinds), columns.JOB_WIDTH), np.int64)
    jobs[:, columns.KIND] = kinds
    return jobs


def _nodes(layout: NodeLayout) -> Integers:
    places = range(len(layout.cores))
    whole = [layout.whole >> place & 1 for place in places]
    words = [place // columns.BITS for place in places]
    bits = [1 << place % columns.BITS for place in places]
    return np.array([layout.cores, layout.threads, whole, words, bits], np.int64).T


def _room(layout: NodeLayout, words: int, rest: list[int]) -> Integers:
    idle = layout.idle
    masks = [word for nodes in idle.levels for word in words_of(nodes, words)]
    counts = [nodes.bit_count() for nodes in idle.levels]
    return np.array([*masks, *counts, *idle.free_on, *rest, idle.free], np.int64)
