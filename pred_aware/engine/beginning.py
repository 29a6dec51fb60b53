"""The arrays with which a simulation begins, on an idle machine."""

from typing import Any, TypeAlias

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.calendar_values import Calendar
from pred_aware.engine.kernel.nodes_values import BITS
from pred_aware.engine.kernel.pbs_values import Pbs
from pred_aware.engine.kernel.priority_values import Priority
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.slurm_values import Slurm
from pred_aware.engine.kernel.values import (
    Bound,
    Floors,
    Moving,
    Profile,
    Rules,
    Schedule,
    State,
    Timetable,
    Trust,
)
from pred_aware.engine.node_arrays import NodeArrays
from schedulers.backfilling.trusted import NEIGHBOURS, REMEMBERED

_LOOKS_OF_A_JOB = 8
"""So many times each job may begin to wait, on the mean, where a site has rules."""
_STEPS_OF_A_JOB = 4
"""So many steps of a profile are held for each job, twice as many as places make."""
_LENGTHS_OF_A_JOB = 2
"""So many lengths of places are asked for, for each job: by its estimate and by its walltime."""


Beginning: TypeAlias = tuple[State, Schedule, Bound | None, Trust | None]
"""Without a bound on waiting and trust, neither is there."""


def beginning(  # noqa: PLR0913 - what a policy has of each
    sizes: Integers,
    rules: Rules,
    *,
    users: int,
    gate: Gate | None = None,
    priority: Priority | None = None,
    pbs: Pbs | None = None,
    calendar: Calendar | None = None,
    slurm: Slurm | None = None,
    nodes: NodeArrays | None = None,
    timetable: Timetable | None = None,
) -> Beginning:
    """Return them for jobs of some sizes, with the rules of a site; what nobody needs is empty."""
    jobs = len(sizes)
    places = jobs if rules.bounded or rules.backfilling == codes.CONSERVATIVE else 0
    plans = rules.reservations > 1 or calendar is not None
    bounds = rules.bounded or rules.concordance > 0.0
    profile: Any = None
    around: Any = None
    if nodes is None and timetable is None:
        profile = _free(sizes[:places], rules.processors, bounds=bounds)
        around = _free(sizes if plans else sizes[:0], rules.processors, bounds=bounds)
    state = State(
        queue=_integers(jobs),
        ordered=_integers(jobs),
        chosen=_integers(jobs),
        keys=np.zeros(jobs),
        able=_integers(jobs),
        ends=_integers(jobs),
        started=_integers(jobs),
        ends_at=np.zeros(jobs),
        plan=_integers(jobs),
        plan_ends=np.zeros(jobs),
        planned=np.full(jobs, -1.0),
        place=np.full(places, -1.0),
        profile=profile,
        around=around,
        settled=np.array([-np.inf]),
        mean=np.full(users, np.nan),
        last=np.full(users, np.nan),
        counts=_integers(codes.COUNTS),
        gate=gate,
        priority=priority,
        pbs=pbs,
        calendar=calendar,
        slurm=slurm,
        nodes=None if nodes is None else nodes.nodes,
        over=None if nodes is None else nodes.over,
        beside=None if nodes is None else nodes.beside,
        timetable=timetable,
    )
    state.counts[codes.THERE] = rules.processors
    state.counts[codes.FREE] = rules.processors
    state.counts[codes.TRUSTS] = not rules.concordance
    if not bounds:
        return state, _nothing(jobs), None, None
    # jobs that a rule stops wait anew for each time
    looks = jobs if gate is None else _LOOKS_OF_A_JOB * jobs
    bound = _bound(jobs if rules.bounded else 0, looks)
    bound.sums[codes.WAIT] = rules.wait
    return state, _nothing(jobs), bound, _trust(jobs if rules.concordance else 0)


def _integers(count: int) -> Integers:
    return np.zeros(count, np.int64)


def _free(sizes: Integers, processors: int, *, bounds: bool) -> Profile:
    jobs = len(sizes)
    steps = _STEPS_OF_A_JOB * jobs + 3
    known, rows, of_rows = np.unique(sizes, return_inverse=True, return_counts=True)
    lengths = _LENGTHS_OF_A_JOB * jobs
    floors = Floors(
        rows,
        np.append(0, _LENGTHS_OF_A_JOB * np.cumsum(of_rows)),
        np.zeros(lengths),
        np.zeros(lengths),
        _integers(len(known)),
        np.full((3, len(known)), np.inf),
        _integers(1),
        known,
    )
    moving: Any = None
    if bounds:
        moving = Moving(
            np.zeros(jobs),
            _integers(jobs),
            _integers(1),
            np.full(jobs, -1),
            np.append(0, np.cumsum(of_rows)),
            _integers(len(known)),
            _integers(jobs),
            np.zeros(jobs),
            np.zeros(jobs),
            _integers(jobs // BITS + 1),
        )
    return Profile(
        np.zeros(steps),
        np.full(steps, processors),
        np.array([1, 0, 1, 0, 0]),
        np.zeros_like(rows),
        floors,
        moving,
    )


def _bound(jobs: int, looks: int) -> Bound:
    return Bound(
        waited=_integers(jobs),
        overtaken=np.zeros(jobs),
        doubtful=_integers(jobs),
        refused=_integers(jobs),
        others=_integers(jobs),
        offered=_integers(jobs),
        listed=_integers(jobs),
        held=_integers(jobs),
        first=np.full(jobs, -1),
        after=_integers(jobs),
        work=np.zeros(jobs),
        backlogs=np.zeros(looks),
        firsts=_integers(looks),
        sums=np.zeros(codes.SUMS),
        counts=_integers(codes.BOUND_COUNTS),
    )


def _trust(jobs: int) -> Trust:
    return Trust(
        kept=np.full(jobs, np.nan),
        last=np.zeros((NEIGHBOURS, 3)),
        counted=np.zeros((REMEMBERED, 3), np.int64),
        counts=_integers(codes.TRUST_COUNTS),
        log=np.zeros((jobs, 3)),
    )


def _nothing(jobs: int) -> Schedule:
    return Schedule(
        start=np.full(jobs, -1.0),
        end=np.full(jobs, -1.0),
        started_as=_integers(jobs),
        first_promise=np.full(jobs, -1.0),
        last_promise=np.full(jobs, -1.0),
        first_estimate=np.zeros(jobs),
        corrections=_integers(jobs),
        over=_integers(jobs),
        changes=_integers(2 * jobs),
    )
