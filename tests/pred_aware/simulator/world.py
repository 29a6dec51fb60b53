"""Small workloads, and a decision process that does what a test tells it to."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pred_aware
from pred_aware import Run, Workload, read_workload
from pred_aware.simulator.messages import (
    Begins,
    DecisionProcess,
    Ends,
    Event,
    EventsAt,
    Killed,
    NoMoreJobs,
)
from pred_aware.simulator.outputs import RunFiles
from pred_aware.simulator.simulation import Delays, SimulationResult, simulate_jobs
from workload_tools.batsim.decisions import CallLater, Decision, Execute, Kill, Reject, SetMetadata
from workload_tools.batsim.reader import load_raw
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform, read_platform
from workload_tools.platform.writer import write_platform

Order = Callable[[float], Decision]
"""A decision that still lacks its date."""

Rows = dict[str, dict[str, str]]


class How(TypedDict, total=False):
    """How a simulation is made otherwise than by default."""

    delays: Delays
    dynamic_jobs: bool
    acknowledged: bool


def start(number: int, first: int, last: int) -> Order:
    return lambda now: Execute(now, f"w0!{number}", ((first, last),))


def reject(number: int) -> Order:
    return lambda now: Reject(now, f"w0!{number}")


def kill(*numbers: int) -> Order:
    return lambda now: Kill(now, [f"w0!{number}" for number in numbers])


def call(at: float) -> Order:
    return lambda now: CallLater(now, at)


def note(number: int, text: str) -> Order:
    return lambda now: SetMetadata(now, f"w0!{number}", text)


def short(event: Event) -> list[str]:
    """Name what happened, such as ``submitted 1``."""
    match event:
        case EventsAt():
            return [
                *(f"completed {job.name}" for job in event.ended),
                *["called"] * len(event.calls),
                *(f"submitted {job.name}" for job in event.submitted),
            ]
        case Killed(job_ids=job_ids, stopped=stopped):
            progress = " ".join(f"{job.name}@{done:g}" for job, done in stopped)
            return [f"killed {' '.join(job_ids)}: {progress}"]
    names: dict[type, str] = {Begins: "begins", Ends: "ends", NoMoreJobs: "no more"}
    return [names[type(event)]]


class Scripted:
    """Answers events by a script, and stores the received events with their dates.

    Parameters
    ----------
    script
        Decisions by the short name of an event; each is used once.
    takes
        Seconds that each answer takes.
    """

    scheduling_time = 0.0

    def __init__(self, script: Mapping[str, Sequence[Order]], takes: float = 0.0) -> None:
        self._script = {name: list(orders) for name, orders in script.items()}
        self._takes = takes
        self.told: list[tuple[float, list[str]]] = []

    def exchange(self, now: float, events: list[Event]) -> tuple[list[Decision], float]:
        names = [name for event in events for name in short(event)]
        self.told.append((now, names))
        date = now + self._takes
        return [order(date) for name in names for order in self._script.pop(name, [])], date


def job(
    number: int | str, submit: float, size: int, delay: float, walltime: float = -1
) -> dict[str, Any]:
    return {
        "id": str(number), "subtime": submit, "res": size, "walltime": walltime,
        "profile": f"D{delay:g}",
    }  # fmt: skip


def contents(jobs: Sequence[Mapping[str, Any]], processors: int, **more: object) -> dict[str, Any]:
    """Make the contents of a workload of jobs as `job` makes them."""
    names = {entry["profile"] for entry in jobs}
    profiles = {name: {"type": "delay", "delay": float(name[1:])} for name in sorted(names)}
    return {"nb_res": processors, "jobs": list(jobs), "profiles": profiles, **more}


def workload_of(jobs: Sequence[Mapping[str, Any]], processors: int, **more: object) -> Workload:
    """Make a workload of jobs as `job` makes them."""
    return Workload.of(contents(jobs, processors, **more))


def write_inputs(folder: Path, jobs: Sequence[Mapping[str, Any]], processors: int = 10) -> None:
    """Write ``platform.xml`` and ``workload.json``."""
    (folder / "workload.json").write_text(json.dumps(contents(jobs, processors)))
    write_platform(folder / "platform.xml", hosts=processors)


def simulate(
    folder: Path, jobs: Sequence[Mapping[str, Any]], peer: DecisionProcess, **how: Unpack[How]
) -> Rows:
    """Simulate on ten processors, and return the rows of the jobs file by id."""
    write_inputs(folder, jobs)
    return simulate_inputs(folder, peer, **how)


def simulate_inputs(
    folder: Path, peer: DecisionProcess, *workloads: Path, **how: Unpack[How]
) -> Rows:
    """Simulate what `write_inputs` wrote, or on its platform other workloads."""
    files = workloads or (folder / "workload.json",)
    read = [load_raw(file) for file in files]
    platform = read_platform(folder / "platform.xml")
    simulate_to_files(platform, read, peer, prefix=folder / "out", **how)
    with (folder / "out_jobs.csv").open(newline="") as file:
        return {row["job_id"]: row for row in csv.DictReader(file)}


def simulate_to_files(
    platform: Platform,
    workloads: RawWorkload | list[RawWorkload],
    peer: DecisionProcess,
    *,
    prefix: Path,
    **how: Unpack[How],
) -> SimulationResult:
    """Simulate into files."""
    with RunFiles(prefix) as outputs:
        return simulate_jobs(platform, workloads, peer, outputs=outputs, **how)


def simulated(
    folder: Path,
    scheduler: str,
    **how: Any,  # noqa: ANN401 - as `pred_aware.simulate` takes it
) -> Run:
    """Simulate what `write_inputs` wrote as a script does, into files called ``out``."""
    workload, platform = read_workload(folder / "workload.json"), folder / "platform.xml"
    how = {"write_to": folder / "out", **how}
    return pred_aware.simulate(workload, scheduler, platform=platform, **how)
