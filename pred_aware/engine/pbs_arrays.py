"""OpenPBS's order as arrays: ranks of jobs that keep their places, what others are sorted by."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.engine.asked_of_site import AskedOfSite, told_apart
from pred_aware.engine.formula_arrays import program_of_order
from pred_aware.engine.job_arrays import Floats, Integers, JobArrays
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.pbs_values import Pbs
from pred_aware.engine.site_arrays import Entries, counters_in_arrays
from schedulers.job import Job
from schedulers.machine.machine import NEVER
from schedulers.orders import pbs as orders
from schedulers.orders.eligible_time import EligibleTimes
from schedulers.orders.pbs_formula import Formula
from schedulers.site.counters import Counter
from schedulers.site.gate import Gate

if TYPE_CHECKING:
    from numpy.typing import NDArray


def places_of(
    order: orders.Pbs | None,
    gate: Gate | None,
    asked: AskedOfSite | None,
    jobs: JobArrays,
    settle: Callable[[Job, float], None] | None,
) -> tuple[Floats, Pbs | None] | None:
    """Return the ranks of jobs, and what they are sorted by where that may change.

    Returns
    -------
    Floats, Pbs | None
        Without the order of no job. ``None`` where a part of its formula is a number that is too
        large.
    """
    if order is None or asked is None:
        return np.zeros(0), None
    standings = Standings(order, gate, asked, jobs, settle)
    if order.is_fixed:
        return standings.ranks(), None
    pbs = standings.changing()
    return None if pbs is None else (np.zeros(len(jobs.submit)), pbs)


class Standings:
    """How jobs stand to each other in OpenPBS's order, but for dates.

    Parameters
    ----------
    order
        The order, without shares; it has been told of no job.
    gate
        The site's, where there is one.
    asked, jobs
        What the jobs ask for, as the kernel has it.
    settle
        Gives a job that is submitted what its site gives it.
    """

    def __init__(
        self,
        order: orders.Pbs,
        gate: Gate | None,
        asked: AskedOfSite,
        jobs: JobArrays,
        settle: Callable[[Job, float], None] | None,
    ) -> None:
        self._order, self._gate, self._asked = order, gate, asked
        self._jobs, self._settle = jobs, settle
        columns: list[NDArray[Any]] = [asked.by(order.fields)]
        if order.by_request:
            columns += [jobs.processors, jobs.walltime]
        firsts, self._of_kind = told_apart(columns)
        self._kinds = [order.unchanging(self._job(first)) for first in firsts.tolist()]

    def ranks(self) -> Floats:
        """Return the place of each job among all, where jobs keep their places."""
        formula, by_queue = self._order.formula, self._order.told.by_queue
        kinds = [
            (*(one.queue if by_queue else ()), -_worth(formula, one.values), *one.keys)
            for one in self._kinds
        ]
        return self._ranked(kinds)

    def changing(self) -> Pbs | None:
        """Return what jobs are sorted by where their places change.

        ``None`` where a part of the formula is a number that is too large.
        """
        order, told, asked = self._order, self._order.told, self._asked
        program = program_of_order(order)
        assert program is not None
        known = [program.known(one.values) for one in self._kinds]
        if None in known:
            return None
        count, shape = len(self._of_kind), (len(known), len(program.parts))
        of_kinds = np.array(known, np.float64).reshape(shape)
        queues = {queue: place for place, queue in enumerate(sorted(order.queues))}
        submit, since = self._jobs.submit, asked.eligible
        counters: dict[Counter, int] = {}
        kind, entries = self._limits(order.eligible, counters)
        in_turns = told.round_robin
        return Pbs(
            steps=program.steps,
            parts=np.ascontiguousarray(np.vstack([of_kinds[self._of_kind].T, np.zeros(count)])),
            stack=np.zeros(len(program.steps) + 1),
            since=submit if since is None else np.where(np.isnan(since), submit, since),
            time=np.zeros(count),
            gains=_none(count),
            queue=np.array([queues[one.queue] for one in self._kinds], np.int64)[self._of_kind],
            behind=self._ranked([one.keys for one in self._kinds]),
            there=_none(count), items=_none(count), keys=np.zeros((3, count)),
            levels=np.array([level for level, _ in queues if in_turns], np.int64),
            turns=_none(len(queues)),
            asked=entries.asked(), begins=entries.begins, kind=kind,
            counters=counters_in_arrays(counters, _none(len(counters))),
            before=np.zeros(len(counters)),
            at=np.array([0.0, -NEVER]),
            counts=_none(codes.PBS_COUNTS),
            by_queue=told.by_queue and not in_turns,
            ages=order.eligible is not None,
            moves=order.moves,
            starves_after=float(told.max_starve) if told.help_starving_jobs else NEVER,
        )  # fmt: skip

    def _ranked(self, kinds: list[tuple[Any, ...]]) -> Floats:
        """Return the ranks of jobs by what kinds of them are sorted by; ties by submission."""
        places = {kind: place for place, kind in enumerate(sorted({*kinds}))}
        of_kinds = np.array([places[kind] for kind in kinds], np.int64)
        ranks = np.empty(len(self._of_kind))
        ranks[np.argsort(of_kinds[self._of_kind], kind="stable")] = np.arange(len(ranks))
        return ranks

    def _limits(
        self, eligible: EligibleTimes | None, counters: dict[Counter, int]
    ) -> tuple[Integers, Entries]:
        """Return of each job which kind it is to the limits of its owner, and what kinds ask."""

        def number(counter: Counter) -> int:
            return counters.setdefault(counter, len(counters))

        asked, jobs = self._asked, self._jobs
        if eligible is None or not eligible.counts or self._gate is None:
            return np.full(len(self._of_kind), -1), Entries([], number)
        kinds = self._gate.kinds
        columns: list[NDArray[Any]] = [asked.groups]
        if kinds.places.bounded or kinds.rules_by_size:
            columns.append(jobs.processors)
        if kinds.places.bounded or kinds.rules_by_walltime:
            columns.append(jobs.walltime)
        if asked.throttled is not None:
            # there are as many arrays as anybody likes
            own = np.arange(len(jobs.submit))
            columns.append(np.where(np.isnan(asked.throttled), -1, own))
        firsts, of_job = told_apart(columns)
        told = [eligible.counters_of(self._job(first)) for first in firsts.tolist()]
        return of_job, Entries(told, number)

    def _job(self, place: int) -> Job:
        job = self._asked.make(place)
        if self._settle is not None:
            self._settle(job, float(self._jobs.submit[place]))
        return job


def _worth(formula: Formula | None, values: Mapping[str, float]) -> float:
    return 0.0 if formula is None else formula.value(values)


def _none(count: int) -> Integers:
    return np.zeros(count, np.int64)
