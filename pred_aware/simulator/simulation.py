"""A whole simulation: from a platform and a workload to the output files."""

import gc
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np

from pred_aware.simulator.job import EndedJobs
from pred_aware.simulator.ledger import Ledger
from pred_aware.simulator.messages import BATSIM_5, DIGITS, DIGITS_5, Begins, DecisionProcess
from pred_aware.simulator.no_delays import UndelayedSimulation
from pred_aware.simulator.outputs import Outputs
from pred_aware.simulator.registration import Registration
from pred_aware.simulator.sources import JobSources
from pred_aware.simulator.tracing import Tracer, in_text
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform

BATSIM_VERSION = "4.2.1"
"""The version of Batsim that is reproduced."""


def summarize(
    past: EndedJobs, processors: int, *, version: int = 4
) -> dict[str, float | int | str]:
    """Return the columns of ``_schedule.csv`` except the measured ones, in alphabetic order.

    Sums are computed as in Batsim: in the order of the jobs, with the C compiler's
    ``long double``. Times are in seconds. Means include rejected jobs; without jobs they are 0.
    `time_idle` and `time_computing` are in processor seconds, up to each machine's last change of
    state. In version 5 the `makespan` begins with the first submission.
    """
    ran = len(past.end)
    jobs = ran + past.rejected
    submit, start, end = (
        np.asarray(dates).astype(np.longdouble) for dates in (past.submit, past.start, past.end)
    )
    waiting = start - submit
    turnaround = end - submit
    execution = end - start
    slowdown = turnaround / execution
    computing = float((execution * np.asarray(past.sizes)).sum())
    five = version == 5  # noqa: PLR2004 - the version number
    begin = float(submit.min()) if five and ran else 0.0
    return {
        "batsim_version": BATSIM_5 if five else BATSIM_VERSION,
        "consumed_joules": 0.0,
        "makespan": _largest(end) - begin,
        "max_slowdown": _largest(slowdown),
        "max_turnaround_time": _largest(turnaround),
        "max_waiting_time": _largest(waiting),
        "mean_slowdown": _mean(slowdown, jobs),
        "mean_turnaround_time": _mean(turnaround, jobs),
        "mean_waiting_time": _mean(waiting, jobs),
        "nb_computing_machines": processors,
        "nb_grouped_switches": 0,
        "nb_jobs": jobs,
        "nb_jobs_finished": ran,
        "nb_jobs_killed": ran - past.successful,
        "nb_jobs_rejected": past.rejected,
        "nb_jobs_success": past.successful,
        "nb_machine_switches": 0,
        "success_rate": past.successful / jobs if jobs else 0.0,
        "time_computing": computing,
        "time_idle": _last_changes(past, processors) - computing,
        "time_sleeping": 0.0,
        "time_switching_off": 0.0,
        "time_switching_on": 0.0,
        "time_unavailable": 0.0,
    }


def _mean(values: np.ndarray, number: int) -> float:
    if not len(values):
        return 0.0
    # cumsum adds in order, as Batsim does; sum would add in pairs
    return float(values.cumsum()[-1]) / number


def _largest(values: np.ndarray) -> float:
    return float(values.max()) if len(values) else 0.0


def _last_changes(past: EndedJobs, processors: int) -> float:
    """Return the sum over machines of the date of the last state change (0 if never used)."""
    seen = bytearray(processors)
    missing = processors
    dates = []
    for place in np.argsort(past.end, kind="stable")[::-1].tolist():
        for first, last in past.intervals[place]:
            new = seen.count(0, first, last + 1)
            if new:
                seen[first : last + 1] = b"\1" * (last - first + 1)
                dates.append(past.end[place] * new)
                missing -= new
        if not missing:
            break
    return math.fsum(dates)


Delays = Literal["none", "batsim"]


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The result of a simulation."""

    summary: dict[str, float | int | str]
    """The columns of ``_schedule.csv`` by name."""
    past: EndedJobs
    """Dates and sizes of the jobs that ran."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run garbage collection rarely, because jobs and messages have no reference cycles."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def simulate_jobs(  # noqa: PLR0913 - the inputs of a simulation
    platform: Platform,
    workloads: RawWorkload | list[RawWorkload],
    decision_process: DecisionProcess,
    *,
    outputs: Outputs,
    delays: Delays = "none",
    progress: Callable[[int], None] | None = None,
    dynamic_jobs: bool = False,
    acknowledged: bool = False,
    version: int = 4,
    files: int = 4,
    states: bool = True,
) -> SimulationResult:
    """Simulate the jobs of workloads on a platform, and write the files' rows.

    `delays`: ``none``, or ``batsim`` for the message delays of the real Batsim. `progress` is
    called from time to time with the number of ended jobs. If `dynamic_jobs` is true, the decision
    process may register jobs. If `acknowledged` is true, the simulator reports their submissions.
    `version` and `files` are the versions of Batsim's messages and files, 4 or 5. If `states`
    is true, the file of machine states is written.

    Raises
    ------
    SimulationError, InputError
        The simulation cannot continue, or its output cannot be written.
    """
    began = perf_counter()
    source = JobSources([workloads] if isinstance(workloads, RawWorkload) else workloads)
    registration = Registration(source.sources, enabled=dynamic_jobs, acknowledged=acknowledged)
    source.registered = registration.known
    processors = len(platform.hosts)
    with rare_collections():
        tracer = Tracer(outputs, files, states=states)
        ledger = Ledger(processors, source, tracer, progress=progress, speeds=platform.speeds)
        begins = Begins(
            0.0,
            platform,
            {part.name: part.workload for part in source.sources},
            dynamic_jobs,
            acknowledged,
            None if delays == "none" else DIGITS if version == 4 else DIGITS_5,  # noqa: PLR2004
        )
        if delays == "none":
            UndelayedSimulation(ledger, source, decision_process, registration).run(begins)
        else:
            from pred_aware.simulator.batsim_time import DelayedSimulation

            DelayedSimulation(
                ledger, source, decision_process, registration, platform=platform, version=version
            ).run(begins)
        ledger.write()
        summary = summarize(ledger.past, processors, version=files)
        summary["scheduling_time"] = decision_process.scheduling_time
        summary["simulation_time"] = perf_counter() - began
        tracer.schedule(in_text(summary))
        tracer.finish()
    return SimulationResult(summary, ledger.past)
