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
    """A lower bound of a measure for all schedules of the same jobs on the same machine."""

    measure: str
    """The name of the measure."""
    value: float | None
    """The bound in the measure's unit; ``None`` if only the trivial bound is known."""
    trivial: float
    """The trivial bound: the measure if no job waits."""
    jobs: int
    """Number of jobs in the mean."""
    processors: int
    """Size of the machine."""


@dataclass(frozen=True, slots=True, eq=False)
class _Costs:
    """A measure as costs: of a second of waiting (after `free` seconds), and without waiting."""

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
    """Return a lower bound of a measure for all schedules of a run's jobs.

    A schedule starts no job before its submission, interrupts no job, and never overbooks the
    machine. The bound holds for every policy, even for policies that know every run time and every
    future job. Warm-up jobs are left out, which can only lower the bound. To compute the bound,
    processors get prices that change with time, and each job starts when its cost is lowest;
    docs/explanation/bounds.md has the proof. The best schedule may be above the bound.

    Parameters
    ----------
    run
        A run of any policy. Only its jobs, their run times and the machine are used, not its dates.
    measure
        ``mean_waiting_time``, ``mean_turnaround_time`` or ``mean_bounded_slowdown``.
    rounds
        Number of steps towards better prices, for each of four slot lengths. The bound is valid
        after any number of steps. The same number of steps gives the same bound.

    Raises
    ------
    PredAwareError
        No bound is known for the measure, no job ran, or `rounds` is below 1.

    Examples
    --------
    Each of three jobs of 100 s needs the whole machine: one job waits 100 s, and another 200 s.

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
"""At each level of the search, slots become shorter by this factor."""
_MOMENTUM, _SPREAD = 0.9, 0.99
_STEP = 0.1
_SLOWER = 100


@dataclass(frozen=True, slots=True)
class Search:
    """The settings of the search for prices."""

    slots: int
    """Number of time slots at the last level."""
    levels: int = 3
    """Number of times that each slot is divided into three."""
    rounds: int = 100
    """Number of steps at each level."""


def best_value(jobs: JobsToPlace, *, until: float, search: Search) -> float:
    """Return the highest value of `relaxed` that the search finds; 0 if all values are negative.

    The search uses the steps of Adam (Kingma and Ba 2015), with prices kept at 0 or above. Any
    prices give a valid bound, so the search needs no proof. Equal arguments give equal values.

    Parameters
    ----------
    jobs
        The jobs whose waiting costs are bounded.
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
    """Take some steps from these prices; return the highest value and the prices that gave it."""
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
