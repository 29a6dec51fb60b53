"""The recordings of a real Slurm, as jobs that carry all that was asked."""

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workload_tools.job import Job, Workload, later
from workload_tools.slurm.amounts import read_count, read_tres

RECORDINGS = ("partitions", "limits", "memory", "fairshare")

_MIB_PER_GIB = 1024.0
_Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Recording:
    """What users asked of a cluster, and what Slurm made of it."""

    jobs: tuple[Job, ...]
    """By submission, on the clock of the recording. A run time is what was asked to run; the wait,
    the state and the processors given are Slurm's."""
    refused: tuple[_Row, ...]
    """The submissions that Slurm refused, as ``submissions.csv`` has them."""
    outcome: Mapping[str, _Row]
    """The rows of ``outcome.psv`` by the jobs' ids."""
    processors: int
    nodes: int

    @property
    def workload(self) -> Workload:
        """The jobs with the first submission at 0."""
        first = self.jobs[0].submit_time
        jobs = [later(job, -first) for job in self.jobs]
        return Workload(jobs=jobs, processors=self.processors, nodes=self.nodes)


def read_recording(folder: Path) -> Recording:
    """Read a recording's ``submissions.csv``, ``outcome.psv`` and ``slurm.conf``."""
    conf = (folder / "slurm.conf").read_text()
    lost = json.loads((folder / "record.json").read_text())["fraction_of_epoch_second_lost"]
    outcome = {row["JobIDRaw"]: row for row in _rows(folder / "outcome.psv", "|")}
    asked = _rows(folder / "submissions.csv", ",")
    kept = [row for row in asked if row["job_id"]]
    kept.sort(key=lambda row: (float(row["submitted_at"]), int(row["seq"])))
    return Recording(
        jobs=tuple(_job(row, outcome[row["job_id"]], conf, lost=lost) for row in kept),
        refused=tuple(row for row in asked if not row["job_id"]),
        outcome=outcome,
        processors=sum(count * cpus for count, cpus, _ in _nodes(conf)),
        nodes=sum(count for count, _, _ in _nodes(conf)),
    )


def _job(asked: _Row, became: _Row, conf: str, *, lost: float) -> Job:
    nodes, tasks, per_node = (
        _count(asked[name]) for name in ("nodes", "ntasks", "ntasks_per_node")
    )
    processors = tasks or (nodes or 1) * (per_node or 1)
    of_node, of_cpu = _count(asked["mem"]), _count(asked["mem_per_cpu"])
    if of_node == 0:
        # all of a node's memory, whichever it is: as much as any has
        of_node = min(memory for _, _, memory in _nodes(conf))
    if of_node is None and of_cpu is None:
        of_cpu = _first_number(r"^DefMemPerCPU=(\d+)", conf)
    total = of_cpu and of_cpu * processors
    partitions = asked["partition"] or re.findall(r"PartitionName=(\S+).*Default=YES", conf)[0]
    first = partitions.split(",")[0]
    minutes = _count(asked["limit_minutes"]) or _first_number(
        rf"PartitionName={first} .*DefaultTime=(\d+)", conf
    )
    started = became["Start"].isdecimal()
    gpus = asked["gres"].split(":")[1:]
    return Job(
        id=asked["job_id"],
        submit_time=round(float(asked["submitted_at"]) + lost, 2),
        processors=processors,
        run_time=float(asked["run_seconds"]),
        walltime=None if minutes is None else 60.0 * minutes,
        user=asked["user"],
        project=asked["account"],
        partition=partitions,
        name=f"j{asked['seq']}",
        qos=asked["qos"] or became["QOS"],
        nodes=nodes,
        gpus=int(gpus[-1]) * (nodes or 1) if gpus else None,
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


def _rows(path: Path, delimiter: str) -> list[_Row]:
    with path.open(newline="") as file:
        return [*csv.DictReader(file, delimiter=delimiter)]


def _nodes(conf: str) -> list[tuple[int, int, int]]:
    """Return how many nodes a line has, and the CPUs and MiB of each."""
    lines = re.findall(r"NodeName=\w+\[1-(\d+)\].*? CPUs=(\d+).*RealMemory=(\d+)", conf)
    return [(int(count), int(cpus), int(memory)) for count, cpus, memory in lines]


def _first_number(pattern: str, text: str) -> int | None:
    found = re.search(pattern, text, re.MULTILINE)
    return None if found is None else int(found[1])


def _count(text: str) -> int | None:
    return read_count(text, "submissions.csv")
