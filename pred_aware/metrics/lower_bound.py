"""A lower bound of a mean over all schedules of a run's jobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.metrics.figures import TAU
from pred_aware.metrics.relaxation import JobsToPlace, relaxed

if TYPE_CHECKING:
    from pred_aware.metrics.job_results import JobResults
    from pred_aware.metrics.relaxation import Floats


SLOTS = 100_000
ROUNDS = 100
_SLOTS_A_JOB = 4
_ROUNDING = 1e-9
_SAYS_SOMETHING = 1e-4


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A bound below which no schedule of the same jobs on the same machine can be."""

    measure: str
    """The measure that is bounded."""
    value: float | None
    """The bound in the measure's unit; ``None`` if it is only the trivial one."""
    trivial: float
    """The measure if no job ever waits."""
    jobs: int
    """Number of jobs in the mean."""
    processors: int
    """Size of the machine."""


@dataclass(frozen=True, slots=True, eq=False)
class _Costs:
    """A measure as costs: cost per second of waiting, free seconds, and cost without waiting."""

    weight: "Floats"
    free: "Floats"
    trivial: float


def _seconds(run_time: "Floats") -> _Costs:
    return _Costs(np.ones_like(run_time), np.zeros_like(run_time), 0.0)


def _turnaround(run_time: "Floats") -> _Costs:
    return _Costs(np.ones_like(run_time), np.zeros_like(run_time), float(run_time.mean()))


def _bounded_slowdown(run_time: "Floats") -> _Costs:
    return _Costs(1.0 / np.maximum(run_time, TAU), np.maximum(0.0, TAU - run_time), 1.0)


_MEASURES = {
    "mean_waiting_time": _seconds,
    "mean_turnaround_time": _turnaround,
    "mean_bounded_slowdown": _bounded_slowdown,
}
MEASURES = tuple(_MEASURES)
"""The measures that have a lower bound."""


def lower_bound(
    run: "JobResults", measure: str = "mean_waiting_time", *, rounds: int = ROUNDS
) -> LowerBound:
    """Return a bound below which no schedule of a run's jobs can be.

    The bound also holds for schedules that know every run time and every future job, and so for
    every policy: no job starts before its submission, none is interrupted, and the machine is never
    overbooked. Warm-up jobs are left out, which can only lower the bound. Processors have prices
    that change with time, and each job starts when it is cheapest for it;
    docs/explanation/bounds.md has the proof. The bound is not a schedule: the best schedule may be
    above it.

    Parameters
    ----------
    run
        Of any policy: its jobs, their run times and the machine are taken, not its dates.
    measure
        ``mean_waiting_time``, ``mean_turnaround_time`` or ``mean_bounded_slowdown``.
    rounds
        Number of steps towards better prices, for each of four slot lengths. The bound is valid
        after any number. The same number gives the same bound.

    Raises
    ------
    PredAwareError
        There is no bound for the measure, no job ran, or there are no rounds.

    Examples
    --------
    Three jobs of 100 s that each need the whole machine: one must wait 100 s, and one 200 s.

    >>> from pred_aware import Workload, simulate
    >>> jobs = [{"id": n, "subtime": 0, "res": 4, "walltime": 900, "profile": "D"} for n in "abc"]
    >>> profiles = {"D": {"type": "delay", "delay": 100}}
    >>> run = simulate(Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles}))
    >>> round(lower_bound(run).value)
    100
    """
    if measure not in _MEASURES:
        raise PredAwareError(
            f"no lower bound is known for '{measure}'; known: {', '.join(MEASURES)}"
        )
    if rounds < 1:
        raise PredAwareError(f"{rounds} rounds are too few for a lower bound: give at least 1")
    ran = run.ran
    if ran.empty:
        raise PredAwareError(f"{run.name}: no job ran, so there is no lower bound")
    release, run_time, size, end = (
        ran[column].to_numpy(dtype="float64")
        for column in (
            "submission_time",
            "execution_time",
            "requested_number_of_resources",
            "finish_time",
        )
    )
    costs = _MEASURES[measure](run_time)
    first = release.min()
    jobs = JobsToPlace(release - first, run_time, size / run.processors, costs.weight, costs.free)
    slots = min(SLOTS, max(100, _SLOTS_A_JOB * len(ran)))
    found = 0.0
    if end.max() > first:
        search = Search(slots=slots, rounds=rounds)
        found = best_value(jobs, until=float(end.max() - first), search=search)
    # long sums are inexact; the bound may become too low, but never too high
    waiting = found * (1 - _ROUNDING) / len(ran)
    trivial = costs.trivial
    says_something = waiting > _SAYS_SOMETHING * max(trivial, 1.0)
    return LowerBound(
        measure=measure,
        value=trivial + waiting if says_something else None,
        trivial=trivial,
        jobs=len(ran),
        processors=run.processors,
    )


FINER = 3
"""Factor by which slots become shorter at each level."""
_MOMENTUM, _SPREAD = 0.9, 0.99
_STEP = 0.1
_SLOWER = 100


@dataclass(frozen=True, slots=True)
class Search:
    """How prices are looked for."""

    slots: int
    """Number of time slots at the last level."""
    levels: int = 3
    """Number of times that slots are divided by three."""
    rounds: int = 100
    """Number of steps at each level."""


def best_value(jobs: JobsToPlace, *, until: float, search: Search) -> float:
    """Return the highest value of `relaxed` that the search finds, at least 0.

    The steps are those of Adam (Kingma and Ba 2015), with prices kept at 0 or above. Any prices
    prove a bound, so the search needs no proof. The same arguments give the same value.

    Parameters
    ----------
    jobs
        The jobs.
    until
        End of the time with prices, in seconds.
    search
        Settings of the search.
    """
    slots = max(1, search.slots // FINER**search.levels)
    prices = np.zeros(slots)
    best = 0.0
    for _ in range(search.levels + 1):
        value, prices = _climbed(jobs, prices, slot=until / len(prices), rounds=search.rounds)
        best = max(best, value)
        prices = np.repeat(prices, FINER)
    return best


def _climbed(
    jobs: JobsToPlace, prices: "Floats", *, slot: float, rounds: int
) -> "tuple[float, Floats]":
    """Return the highest value during some steps from these prices, and its prices."""
    best, best_prices = -np.inf, prices
    mean, spread = np.zeros_like(prices), np.zeros_like(prices)
    for step in range(1, rounds + 1):
        found = relaxed(jobs, prices, slot)
        if found.value > best:
            best, best_prices = found.value, prices
        mean = _MOMENTUM * mean + (1 - _MOMENTUM) * found.excess
        spread = _SPREAD * spread + (1 - _SPREAD) * found.excess**2
        direction = mean / (1 - _MOMENTUM**step)
        direction /= np.sqrt(spread / (1 - _SPREAD**step)) + 1e-3
        length = _STEP * jobs.scale / (1 + step / _SLOWER)
        prices = np.maximum(0.0, prices + length * direction)
    return best, best_prices
