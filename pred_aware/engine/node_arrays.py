"""A site's nodes, and what jobs ask of them, as arrays."""

from collections.abc import Sequence

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import nodes_values as columns
from pred_aware.engine.kernel.nodes_values import Nodes, Room
from schedulers.machine import nodes as machines
from schedulers.machine.node_layout import UNLIMITED, Choice, NodeLayout
from schedulers.machine.node_processors import NodeProcessors
from schedulers.machine.node_room import Placement
from workload_tools.batsim.intervals import Intervals

_NODES_OF_A_JOB = 4
"""So many are taken room for at first, on the average."""
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
    """

    def __init__(
        self, layout: NodeLayout, asked: Sequence[machines.Asked | None], of_job: Integers
    ) -> None:
        self._layout = layout
        self._sets: dict[int, int] = {layout.all: 0}
        self._choices: dict[tuple[int, tuple[int, ...], bool], int] = {}
        distinct = {one: place for place, one in enumerate(dict.fromkeys(filter(None, asked)))}
        numbers = [-1 if one is None else distinct[one] for one in asked]
        tried: list[int] = []
        kinds = [self._kind(one, tried) for one in distinct]
        weights: list[int] = []
        choices = [self._weighted(choice, weights) for choice in self._choices]
        sizes = [(cores, self._set(nodes)) for cores, nodes in layout.of_size.items()]
        words = -(-len(layout.cores) // columns.BITS)
        sets = np.array([_words(nodes, words) for nodes in self._sets], np.int64)
        self.nodes = Nodes(
            node=_nodes(layout),
            sets=sets,
            spans=np.array([_span(row) for row in sets], np.int64),
            member=np.array(
                [[nodes >> place & 1 for place in range(len(layout.cores))] for nodes in self._sets],
                np.int8,
            ),
            sizes=np.array(sizes, np.int64),
            choices=_table(choices, 4),
            weights=np.array(weights, np.int64),
            tried=np.array(tried, np.int64),
            kinds=_table(kinds, 10),
            jobs=_of_jobs(np.array(numbers, np.int64), of_job),
            held=np.zeros((0, 2), np.int32),
            room=_room(layout, words),
            later=_room(layout, words),
            units=np.zeros((max(layout.cores) + 1, words), np.int64),
            units_count=np.zeros(max(layout.cores) + 1, np.int64),
            masks=np.zeros((3, words), np.int64),
            on=np.zeros((len(layout.cores), 7), np.int64),
            placed=np.zeros((len(layout.cores), 2), np.int64),
            known=np.full((len(kinds), 2), -1),
            free_on=np.full((len(sets), 4), -1),
            dates=np.zeros(len(of_job) + 1, np.int64),
            counts=np.zeros(columns.NODE_COUNTS, np.int64),
        )
        self.grow(_NODES_OF_A_JOB * len(of_job) + layout.processors)

    def grow(self, entries: int = 0) -> Nodes:
        """Return the same with room for more of what jobs have, twice as much or so many."""
        held = self.nodes.held
        larger = np.zeros((max(2 * len(held), entries), 2), np.int32)
        larger[: len(held)] = held
        self.nodes = self.nodes._replace(held=larger)
        return self.nodes

    def intervals(self, changes: Integers) -> list[Intervals]:
        """Return the processors of each job, of its starts and ends in their order."""
        rule = NodeProcessors(self._layout.cores, self._layout.first)
        placed: list[Intervals] = [()] * len(self.nodes.jobs)
        for change in changes.tolist():
            if change >= 0:
                placed[change] = rule.allocate(change, self.placement(change))
            else:
                rule.release(~change)
        return placed

    def placement(self, job: int) -> Placement:
        """Return what a job had."""
        _, first, count, whole, total = self.nodes.jobs[job].tolist()
        held = self.nodes.held[first : first + count].tolist()
        on, given = zip(*held, strict=True)
        taken = given
        if total != sum(given):
            taken = tuple(self._kept(*one, whole=whole > 0) for one in held)
        return Placement(on, given, taken, total=total)

    def _kept(self, node: int, given: int, *, whole: bool) -> int:
        if whole or self._layout.whole >> node & 1:
            return self._layout.cores[node]
        threads = self._layout.threads[node]
        return -(-given // threads) * threads

    def _kind(self, asked: machines.Asked, tried: list[int]) -> tuple[int, ...]:
        request, first = asked.request, len(tried)
        tried += [self._choice(choice) for choice in asked.choices]
        return (
            request.processors, request.unit, request.nodes, request.most_units,
            request.memory_on_node, request.memory_of_unit, request.whole, asked.any_do,
            first, len(tried),
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


def _words(nodes: int, words: int) -> list[int]:
    return [nodes >> columns.BITS * word & _WORD for word in range(words)]


def _span(words: Integers) -> tuple[int, int]:
    """Return the first word in which a set has any, and the one after the last."""
    found = np.flatnonzero(words)
    return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)


def _table(rows: Sequence[tuple[int, ...]], width: int) -> Integers:
    return np.array(rows, np.int64).reshape(len(rows), width)


def _of_jobs(numbers: Integers, of_job: Integers) -> Integers:
    jobs = np.zeros((len(of_job), 5), np.int64)
    jobs[:, columns.KIND] = numbers[of_job]
    return jobs


def _nodes(layout: NodeLayout) -> Integers:
    places = range(len(layout.cores))
    whole = [layout.whole >> place & 1 for place in places]
    words = [place // columns.BITS for place in places]
    bits = [1 << place % columns.BITS for place in places]
    return np.array([layout.cores, layout.threads, whole, words, bits], np.int64).T.copy()


def _room(layout: NodeLayout, words: int) -> Room:
    idle = layout.idle
    memory = np.full(len(layout.cores), UNLIMITED) if idle.rest is None else idle.rest[0].copy()
    return Room(
        levels=np.array([_words(nodes, words) for nodes in idle.levels], np.int64),
        count=np.array([nodes.bit_count() for nodes in idle.levels], np.int64),
        free_on=np.array(idle.free_on, np.int64),
        memory=memory,
        free=np.array([idle.free], np.int64),
    )
