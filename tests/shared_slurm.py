"""Recordings of a real Slurm as jobs with all their requests."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pred_aware.site_configuration import configured_site
from schedulers.site.site import Site
from workload_tools.job import Job, Workload, later
from workload_tools.slurm.amounts import read_count, read_tres

RECORDINGS = ("partitions", "limits", "memory", "fairshare")

_MIB_PER_GIB = 1024.0
_Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """The requests of users of a cluster, and Slurm's schedule."""

    jobs: tuple[Job, ...]
    """By submission, on the clock of the recording. A run time is the requested one; the wait,
    the state and the allocated processors are Slurm's."""
    refused: tuple[tuple[Job, str], ...]
    """The submissions that Slurm refused, with what it said."""
    outcome: Mapping[str, _Row]
    """The rows of ``outcome.psv`` by the jobs' ids."""
    site: Site
    """Of its configuration, with which nothing that a job does not say is filled in here."""

    @property
    def processors(self) -> int:
        """Of the cluster."""
        return self.site.size or 0

    @property
    def nodes(self) -> int:
        """How many there are."""
        return sum(one.count for one in self.site.nodes)

    @property
    def workload(self) -> Workload:
        """The jobs with the first submission at 0."""
        first = self.jobs[0].submit_time
        jobs = [later(job, -first) for job in self.jobs]
        return Workload(jobs=jobs, processors=self.processors, nodes=self.nodes)


def read_recording(folder: Path) -> Recording:
    """Read a recording's ``submissions.csv``, ``outcome.psv`` and configuration."""
    site = configured_site(folder).site
    lost = json.loads((folder / "record.json").read_text())["fraction_of_epoch_second_lost"]
    outcome = {row["JobIDRaw"]: row for row in _rows(folder / "outcome.psv", "|")}
    asked = _rows(folder / "submissions.csv", ",")
    kept = [row for row in asked if row["job_id"]]
    kept.sort(key=lambda row: (float(row["submitted_at"]), int(row["seq"])))
    return Recording(
        jobs=tuple(_job(row, outcome[row["job_id"]], site, lost=lost) for row in kept),
        refused=tuple(
            (_job(row, _REFUSED, site, lost=lost), row["error"])
            for row in asked
            if not row["job_id"]
        ),
        outcome=outcome,
        site=site,
    )


_REFUSED = {"Start": "", "QOS": "normal", "AllocTRES": "", "State": "REFUSED"}


def _job(asked: _Row, became: _Row, site: Site, *, lost: float) -> Job:
    nodes, tasks, per_node = (
        _count(asked[name]) for name in ("nodes", "ntasks", "ntasks_per_node")
    )
    processors = tasks or (nodes or 1) * (per_node or 1)
    of_node, of_cpu = _count(asked["mem"]), _count(asked["mem_per_cpu"])
    if of_node == 0:
        # all of a node's memory, whichever it is: as much as any has
        of_node = round(min(one.memory or 0.0 for one in site.nodes) * _MIB_PER_GIB)
    total = of_cpu and of_cpu * processors
    minutes = _count(asked["limit_minutes"])
    # a simulator ends jobs by what they say themselves
    limit = 60.0 * minutes if minutes else _default_walltime(asked["partition"], site)
    started = became["Start"].isdecimal()
    gpus = asked["gres"].split(":")[1:] or (["1"] if asked["gres"] else [])
    return Job(
        id=asked["job_id"] or f"refused{asked['seq']}",
        submit_time=round(float(asked["submitted_at"]) + lost, 2),
        processors=processors,
        run_time=float(asked["run_seconds"]),
        walltime=limit,
        user=asked["user"],
        project=asked["account"],
        partition=asked["partition"] or None,
        name=f"j{asked['seq']}",
        qos=asked["qos"] or became["QOS"],
        nodes=nodes,
        gpus=int(gpus[-1]) * (nodes or 1) if gpus else None,
        gpus_per_node=int(gpus[-1]) if gpus else None,
        gpu_type=gpus[0] if len(gpus) > 1 else None,
        memory=total / _MIB_PER_GIB if total else None,
        memory_per_node=of_node / _MIB_PER_GIB if of_node else None,
        tasks=tasks,
        tasks_per_node=per_node,
        exclusive=asked["exclusive"] == "1",
        features=asked["constraint"] or None,
        requested_processors=processors,
        allocated_processors=read_tres(became["AllocTRES"], "AllocTRES").cpus,
        wait_time=float(became["Start"]) - float(became["Submit"]) if started else None,
        state=became["State"].split()[0],
    )


def _default_walltime(asked: str, site: Site) -> float | None:
    first = asked.split(",", maxsplit=1)[0]
    of = (one for one in site.partitions if (one.name == first if first else one.default))
    return next(of).default_walltime


def _rows(path: Path, delimiter: str) -> list[_Row]:
    with path.open(newline="") as file:
        return [*csv.DictReader(file, delimiter=delimiter)]


def _count(text: str) -> int | None:
    return read_count(text, "submissions.csv")
