"""A recording of a real Slurm simulated from its submissions alone, beside shakes of itself."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

import pred_aware as pa
from tests.schedulers.slurm.recorded_state import SECONDS, site_of_recording
from tests.shared_slurm import Recording, read_recording
from workload_tools.batsim.writer import workload_content
from workload_tools.job import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAKES = 20
BEGAN = 1_600_000_000
"""The date that the recordings' seconds count from in a log, since a date of 0 is none."""
NEAR = 10.0
"""Seconds within which two starts count as the same."""


@dataclass(frozen=True, slots=True)
class FreeRun:
    """The recorded starts beside those of shakes, and the shakes beside each other."""

    name: str
    jobs: int
    wait: float
    """The recorded mean, in seconds."""
    waits: tuple[float, ...]
    """Those of the shakes."""
    rank: float
    """The mean rank correlation of the recorded waits with those of a shake."""
    rank_of_two: float
    """That of the waits of two shakes."""
    near: float
    """The share of the starts that are within `NEAR` of those of a shake."""
    near_of_two: float
    late: Mapping[str, float]
    """By how much jobs start later in the shakes, on average, in seconds: the ten largest."""
    refused: tuple[int, ...]
    """In each shake, how many of the jobs are refused that the real Slurm refused."""
    refused_alone: tuple[int, ...]
    """How many others that the real Slurm took and started."""

    def __str__(self) -> str:
        """Tell the figures in a line."""
        low, mean, high = min(self.waits), sum(self.waits) / len(self.waits), max(self.waits)
        late = ", ".join(f"{job} {gap:+.0f} s" for job, gap in self.late.items())
        return (
            f"{self.name}: {self.jobs} jobs, mean wait {self.wait:.1f} s recorded, {mean:.1f} "
            f"({low:.1f} to {high:.1f}) simulated; rank correlation {self.rank:.3f}, of two "
            f"shakes {self.rank_of_two:.3f}; within {NEAR:g} s {self.near:.3f}, of two shakes "
            f"{self.near_of_two:.3f}; refused {sorted(self.refused)}, "
            f"others {sorted(self.refused_alone)}; largest differences: {late}"
        )


def free_run(folder: Path, *, shakes: int = SHAKES, sacct: Path | None = None) -> FreeRun:
    """Simulate a recording freely, each run time 0 or 1 s longer, and compare.

    With `sacct`, a folder for a file, the jobs are those that the output of sacct shows.
    """
    recording = read_recording(folder)
    # the clock of 1970 and that of the priorities' computations begin with the workload's
    shift, site = SECONDS[folder.name], replace(site_of_recording(folder), start=0.0)
    contents = [shaken(recording, seed, shift) for seed in range(shakes)]
    if sacct is not None:
        shown = _jobs_of_sacct(folder, sacct, shift)
        for content in contents:
            content["jobs"] = [
                {**shown[job["id"]], "profile": job["profile"], "walltime": job["walltime"]}
                for job in content["jobs"]
                if job["id"] in shown
            ]
    runs = [pa.simulate(pa.Workload.of(content), "slurm", site=site) for content in contents]
    starts = [run.jobs["starting_time"].dropna() - shift for run in runs]
    submitted = {job.id: job.submit_time for job in recording.jobs}
    recorded = {
        name: start
        for name, start in recorded_of(recording).items()
        if all(name in of.index for of in starts)
    }
    names = [*recorded]
    real = np.array([recorded[name] for name in names])
    made = np.array([of.loc[names].to_numpy() for of in starts])
    since = np.array([submitted[name] for name in names])
    pairs = [*combinations(made, 2)]
    gaps = made.mean(axis=0) - real
    largest = np.argsort(-np.abs(gaps))[:10]
    return FreeRun(
        name=folder.name,
        jobs=len(names),
        wait=float((real - since).mean()),
        waits=tuple((made - since).mean(axis=1).tolist()),
        rank=float(np.mean([_rank(real - since, one - since) for one in made])),
        rank_of_two=float(np.mean([_rank(one - since, other - since) for one, other in pairs])),
        near=float(np.mean(np.abs(made - real) <= NEAR)),
        near_of_two=float(np.mean([np.abs(one - other) <= NEAR for one, other in pairs])),
        late={names[place]: float(gaps[place]) for place in largest.tolist()},
        refused=tuple(_refused(run, [job.id for job, _ in recording.refused]) for run in runs),
        refused_alone=tuple(_refused(run, [*recorded_of(recording)]) for run in runs),
    )


def _jobs_of_sacct(folder: Path, to: Path, shift: float) -> dict[str, dict[str, Any]]:
    """Return the jobs of a recording's ``sacct`` output by id, submitted `shift` seconds later."""
    with (folder / "outcome.psv").open(newline="") as file:
        rows = [*csv.DictReader(file, delimiter="|")]
    dates = ("Submit", "Eligible", "Start", "End")
    with (to / "sacct.txt").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter="|")
        writer.writeheader()
        for row in rows:
            later = {name: str(BEGAN + int(row[name])) for name in dates if row[name].isdecimal()}
            writer.writerow({**row, **later})
    log = pa.read_log(to / "sacct.txt", slurm_conf=folder / "slurm.conf")
    content = json.loads(log.workload.raw.content)
    shift += content["start_time"] - BEGAN
    return {job["id"]: {**job, "subtime": job["subtime"] + shift} for job in content["jobs"]}


def recorded_of(recording: Recording) -> dict[str, float]:
    """Return the recorded starts, in seconds."""
    return {
        job.id: float(recording.outcome[job.id]["Start"])
        for job in recording.jobs
        if recording.outcome[job.id]["Start"].isdecimal()
    }


def _refused(run: pa.Run, names: list[str]) -> int:
    started = run.jobs["starting_time"].reindex(names)
    return int(started.isna().sum())


def _rank(one: "NDArray[np.float64]", other: "NDArray[np.float64]") -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(one, other)[0])


def shaken(recording: Recording, seed: int, shift: float = 0.0) -> dict[str, Any]:
    """Return the workload: jobs run as long as they did, or a second longer.

    One that the real Slurm let run beyond its limit may do so here, and is known by its limit. All
    are submitted so many seconds later.
    """
    jobs = []
    asked = sorted(
        [*recording.jobs, *(job for job, _ in recording.refused)], key=lambda job: job.submit_time
    )
    longer = np.random.default_rng(seed).integers(0, 2, len(asked)).tolist()
    for job, lag in zip(asked, longer, strict=True):
        became = recording.outcome.get(job.id, {"Start": "", "State": ""})
        ran = became["Start"].isdecimal() and not became["State"].startswith("CANCELLED")
        run_time = float(became["ElapsedRaw"]) if ran else job.run_time
        date = round(job.submit_time + shift, 2)
        jobs.append(replace(job, submit_time=date, run_time=run_time + lag))
    workload = Workload(jobs=jobs, processors=recording.processors, nodes=recording.nodes)
    content: dict[str, Any] = json.loads(workload_content(workload, "-"))
    for told, job in zip(content["jobs"], jobs, strict=True):
        if job.walltime is not None and job.run_time >= job.walltime:
            told["walltime"] = job.run_time + 1.0
    return content
