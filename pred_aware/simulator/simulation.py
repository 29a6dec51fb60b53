"""A whole simulation: from a platform and a workload to the output files."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from pred_aware.simulator.batsim_time import DIGITS, DelayedSimulation
from pred_aware.simulator.ended_jobs import EndedJobs
from pred_aware.simulator.ledger import Ledger
from pred_aware.simulator.messages import Begins, DecisionProcess
from pred_aware.simulator.no_delays import UndelayedSimulation
from pred_aware.simulator.outputs import Outputs
from pred_aware.simulator.registration import Registration
from pred_aware.simulator.sources import JobSources
from pred_aware.simulator.summary import summarize
from pred_aware.simulator.tracing import Tracer
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform

Delays = Literal["none", "batsim"]


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The result of a simulation."""

    summary: dict[str, float | int | str]
    """The columns of ``_schedule.csv`` by name."""
    past: EndedJobs
    """Dates and sizes of the jobs that ran."""


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage seldom: jobs and messages hold no cycles of references."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def simulate_jobs(  # noqa: PLR0913 - what a simulation is made of
    platform: Platform,
    workloads: RawWorkload | list[RawWorkload],
    decision_process: DecisionProcess,
    *,
    outputs: Outputs,
    delays: Delays = "none",
    progress: Callable[[int], None] | None = None,
    dynamic_jobs: bool = False,
    acknowledged: bool = False,
) -> SimulationResult:
    """Simulate the jobs of one or several workloads on a platform, and write the files' rows.

    Parameters
    ----------
    platform, workloads, decision_process, outputs
        Of the simulation.
    delays
        ``none``: messages take no time; ``batsim``: what they take in the real Batsim.
    progress
        Called now and then with the number of jobs that have ended.
    dynamic_jobs, acknowledged
        Whether the decision process may register jobs while the simulation runs, and whether it is
        told that these are submitted.

    Raises
    ------
    SimulationError, InputError
        The simulation can't go on, or its output can't be written.
    """
    began = perf_counter()
    source = JobSources([workloads] if isinstance(workloads, RawWorkload) else workloads)
    registration = Registration(source.sources, enabled=dynamic_jobs, acknowledged=acknowledged)
    source.registered = registration.known
    processors = len(platform.hosts)
    with _rare_collections():
        tracer = Tracer(outputs)
        ledger = Ledger(processors, source, tracer, progress=progress, speeds=platform.speeds)
        begins = Begins(
            0.0,
            platform,
            {part.name: part.workload for part in source.sources},
            dynamic_jobs,
            acknowledged,
            None if delays == "none" else DIGITS,
        )
        if delays == "none":
            UndelayedSimulation(ledger, source, decision_process, registration).run(begins)
        else:
            DelayedSimulation(
                ledger, source, decision_process, registration, platform=platform
            ).run(begins)
        ledger.write()
        summary = summarize(ledger.past, processors)
        summary["scheduling_time"] = decision_process.scheduling_time
        summary["simulation_time"] = perf_counter() - began
        tracer.schedule(
            {
                name: f"{value:f}" if isinstance(value, float) else str(value)
                for name, value in sorted(summary.items())
            }
        )
        tracer.finish()
    return SimulationResult(summary, ledger.past)
