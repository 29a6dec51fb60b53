"""A recording of a real Slurm gone through second by second: who would start now?"""

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from pred_aware.site_configuration import configured_site
from schedulers.core.job import Job, Plan
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import Nodes
from schedulers.site.gate import Gate
from schedulers.site.gated_machine import GatedMachine
from schedulers.site.reader import calendar_of
from schedulers.site.site import Site
from schedulers.slurm.backfilling import SlurmBackfilling
from tests.shared_slurm import read_recording
from workload_tools.batsim.writer import workload_content
from workload_tools.job import Workload
from workload_tools.slurm.conf import node_names

SECONDS = {"partitions": 28.0, "limits": 2.0, "memory": 29.0, "fairshare": 2.0}
"""How long after a full half minute each began, which is not recorded: from the planned starts."""
NEAR = 2
"""Seconds within which a start counts as the same."""


@dataclass(slots=True)
class Recorded:
    """A job of a recording, with what became of it in seconds of the recording."""

    job: Job
    submit: int
    start: int | None
    end: int | None
    nodes: tuple[int, ...]
    cores: int
    flags: str
    priorities: list[tuple[float, int]] = field(default_factory=list)
    priorities_in: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    planned: list[tuple[float, float]] = field(default_factory=list)
    first_priority: int = 0
    cores_on: tuple[int, ...] = ()
    asked_at: set[int] = field(default_factory=set)
    """When it would have started."""
    asked_late_at: set[int] = field(default_factory=set)
    """The same, if ends were seen a second later."""

    def priority(self, now: float, partition: str = "") -> int:
        """Return what was last seen; what `sprio` says of one of several partitions goes before."""
        seen = self.priorities_in.get(partition, self.priorities)
        known = [one for date, one in seen if date <= now] or [one for _, one in seen[:1]]
        return known[-1] if known else self.first_priority


def site_of_recording(folder: Path) -> Site:
    """Return the site that the recording's configuration makes."""
    return replace(configured_site(folder).site, start=SECONDS[folder.name])


def read_recorded(folder: Path) -> dict[str, Recorded]:
    """Return the jobs of a recording by their ids."""
    recording = read_recording(folder)
    workload = Workload(jobs=recording.jobs, processors=recording.processors, nodes=recording.nodes)
    content = json.loads(workload_content(workload, "-"))
    # the controller's order is the site's
    lines = (folder / "nodes.txt").read_text().splitlines()
    places = {line.split()[0].partition("=")[2]: place for place, line in enumerate(lines) if line}
    found: dict[str, Recorded] = {}
    for number, told in enumerate(content["jobs"], 1):
        of = recording.outcome[told["id"].rpartition("!")[2]]
        limit = told.get("walltime")
        fields = {key: value for key, value in told.items() if key not in ("res", "walltime")}
        job = Job(told["id"], float(of["Submit"]), told["res"], limit, fields=fields, number=number)
        start, end = (int(of[name]) if of[name].isdecimal() else None for name in ("Start", "End"))
        names = node_names(of["NodeList"]) if start is not None else ()
        nodes = tuple(sorted(places[name] for name in names))
        found[of["JobIDRaw"]] = Recorded(
            job,
            int(of["Submit"]),
            start,
            end,
            nodes,
            int(of["AllocCPUS"]),
            of["Flags"],
            first_priority=int(of["Priority"]),
        )
    lost = json.loads((folder / "record.json").read_text())["fraction_of_epoch_second_lost"]
    with (folder / "queue.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            of_job, date = found.get(row["job_id"]), float(row["time"]) + lost
            if of_job is not None and row["state"] == "PD":
                of_job.priorities.append((date, int(row["priority"])))
                if row["planned_start"]:
                    of_job.planned.append((date, float(row["planned_start"])))
    if (folder / "sprio.psv").exists():
        for row in csv.DictReader((folder / "sprio.psv").read_text().splitlines(), delimiter="|"):
            if row["JobID"] in found and "PartitionName" in row:
                seen = found[row["JobID"]].priorities_in.setdefault(row["PartitionName"], [])
                seen.append((float(row["time"]) + lost, int(row["Priority"])))
    return found


class Walk:
    """Goes through a recording, and asks at each second who starts."""

    def __init__(self, folder: Path) -> None:
        self.site = site_of_recording(folder)
        self.jobs = read_recorded(folder)
        self.machine = Nodes(self.site, float)
        self.layout = self.machine.layout
        self.never: dict[int, str] = {}
        """Why jobs never can start, of those that wait at the last date, by their numbers."""
        self._give_cores()

    def is_stopped(self, job: Job, now: float) -> bool:
        """Say whether a rule stops a job at the last date."""
        try:
            return self._gate.rule(self._gate.group(job), now) is not None
        except KeyError:
            return False

    def _give_cores(self) -> None:
        """Tell how many cores of each of its nodes a job had: some that go with all others."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        ran = [one for one in self.jobs.values() if one.start is not None and one.nodes]
        first = [0]
        for one in ran:
            first.append(first[-1] + len(one.nodes))
        cores = self.layout.cores
        rows, low, high = [], [], []

        def add(places: list[int], least: float, most: float) -> None:
            row = np.zeros(first[-1])
            row[places] = 1.0
            rows.append(row)
            low.append(least)
            high.append(most)

        least, most = np.ones(first[-1]), np.zeros(first[-1])
        for one, begin in zip(ran, first, strict=False):
            places = [*range(begin, begin + len(one.nodes))]
            add(places, one.cores, one.cores)
            most[places] = [cores[node] for node in one.nodes]
            fields = one.job.fields or {}
            if (fields.get("node") and not fields.get("tasks")) or fields.get("exclusive"):
                least[places] = most[places] = one.cores / len(one.nodes)
        for date in sorted({one.start for one in ran if one.start is not None}):
            for node, count in enumerate(cores):
                there = [
                    begin + one.nodes.index(node)
                    for one, begin in zip(ran, first, strict=False)
                    if (one.start or 0) <= date < (one.end or 0) and node in one.nodes
                ]
                if there:
                    add(there, 0, count)
        # the lower nodes are filled up
        weights = np.concatenate([np.arange(len(one.nodes)) for one in ran]).astype(float)
        found = milp(
            weights, integrality=np.ones(first[-1]), bounds=Bounds(least, most),
            constraints=LinearConstraint(np.array(rows), low, high),
        )  # fmt: skip
        assert found.x is not None, found.message
        for one, begin in zip(ran, first, strict=False):
            given = found.x[begin : begin + len(one.nodes)]
            one.cores_on = tuple(round(count) for count in given)

    def at(
        self, now: int, *, seen: int = 0
    ) -> tuple[list[Recorded], SlurmBackfilling, dict[int, Recorded]]:
        """Return those that would start now, and the scheduler that says so."""
        site, machine = self.site, self.machine
        self._gate = gate = Gate(site, calendar_of(site))
        self.never = {}
        gate.count_by({"nodes": machine.node_count, "gpus": machine.gpu_count})
        gated = GatedMachine(machine, gate, skips=True)
        backfilling = SlurmBackfilling()
        backfilling.on_site(site)
        by_number: dict[int, Recorded] = {}
        if any(len(one.priorities_in) > 1 for one in self.jobs.values()):
            backfilling.ordered_by(
                lambda job, partition, date: -by_number[job.number].priority(date, partition)
            )
        machine.begin(self.layout.processors)
        backfilling.begin(gated)
        plan = Plan()
        waiting = []
        for one in self.jobs.values():
            job = one.job
            by_number[job.number] = one
            if one.start is not None and one.start < now < (one.end or 0) + seen:
                if gate.refusal(job, now) is not None:
                    continue
                gated.begin_pass([], float(one.start))
                rest = self._rest(job, one)
                mask = sum(1 << node for node in one.nodes)
                total = sum(one.cores_on)
                machine.take_placement(
                    job, Placement(one.nodes, one.cores_on, one.cores_on, rest, mask, total)
                )
                gate.start_counting(job, float(one.start))
                job.started = float(one.start)
                job.planned_end = one.start + (job.walltime or 0.0)
                plan.add(job)
            elif one.submit <= now and (one.start is None or one.start >= now):
                if one.end is not None and one.start is None and one.end <= now:
                    continue
                waiting.append(one)
        queue = []
        for one in sorted(waiting, key=lambda one: (-one.priority(now), one.job.number)):
            job = one.job
            refusal = gate.refusal(job, now) or machine.refusal(job)
            if refusal is not None:
                self.never[job.number] = refusal
            else:
                job.backfilling = job.running = job.walltime or 0.0
                queue.append(job)
        queue = [job for job in queue if not self.is_stopped(job, now)]
        gated.begin_pass(queue, float(now))
        chosen = backfilling.choose(queue, plan, float(now))
        gated.end_pass()
        return [by_number[job.number] for job in chosen], backfilling, by_number

    def _rest(self, job: Job, one: Recorded) -> list[list[int]] | None:
        asked = self.machine.request_of(job)
        fit = self.machine.fit
        if not asked.request.of_rest:
            return None
        return fit._rest_taken(  # noqa: SLF001 - as for a job that starts
            asked.request, self.machine.room, [*zip(one.nodes, one.cores_on, strict=True)], None
        )


@dataclass(slots=True)
class Figures:
    starts: int
    near: int
    held: float
    waited: float
    late: list[Recorded]
    early: list[tuple[int, Recorded]]

    def summary(self) -> str:
        late = ", ".join(f"{one.job.id} at {one.start}" for one in self.late)
        early = ", ".join(f"{one.job.id} by {gap} s" for gap, one in self.early[:10])
        return (
            f"{self.near / self.starts:.1%} of {self.starts} starts within {NEAR} s, "
            f"{self.held / self.waited:.1%} of the waiting held; late: {late}; early: {early}"
        )


def figures(folder: Path) -> Figures:
    """Go through a whole recording."""
    walk = Walk(folder)
    last = max(one.end or 0 for one in walk.jobs.values())
    for now in range(last + 1):
        for one in walk.at(now)[0]:
            one.asked_at.add(now)
        for one in walk.at(now, seen=1)[0]:
            one.asked_late_at.add(now)
    ran = [one for one in walk.jobs.values() if one.start is not None and one.nodes]
    near, held, late, early = 0, 0.0, [], []
    for one in ran:
        assert one.start is not None
        before = sorted(d for d in one.asked_at & one.asked_late_at if d < one.start - NEAR)
        if before:
            held += before[-1] + 1 - one.submit
            early.append((one.start - before[0], one))
        if any(date >= one.start - NEAR for date in one.asked_at | one.asked_late_at):
            near += 1
        else:
            late.append(one)
    waited = sum(one.start - one.submit for one in ran if one.start is not None)
    early.sort(key=lambda pair: -pair[0])
    return Figures(len(ran), near, held, waited, late, early)
