"""The queues that Slurm's own backfill was given, and the plans that it made of them."""

import csv
import json
import re
from pathlib import Path
from typing import Any, TypeVar

from schedulers.core.constants import NEVER
from schedulers.core.job import Job, Plan
from schedulers.machine.node_layout import Choice
from schedulers.machine.node_room import Placement
from schedulers.machine.nodes import Nodes
from schedulers.site.node_sets import node_set
from schedulers.site.reader import site_of
from schedulers.site.site import Site
from schedulers.slurm.backfilling import SlurmBackfilling
from schedulers.slurm.planner import Planner
from schedulers.slurm.table import Licences

CASES = (
    "cores_block", "cores_planned_part", "cores_running", "cores_single", "hole_mid_r001_s000",
    "hole_mid_r060_s000", "hole_mid_r300_s000", "hole_now_r001_s043", "hole_now_r060_s000",
    "hole_now_r060_s001", "hole_now_r060_s043", "hole_now_r300_s000", "lic_nobf", "lic_one",
    "lic_running", "maxtest_5_space40", "parts_overlap", "random200_r001_s000",
    "random200_r060_s000", "random200_r060_s023", "running_close_ends", "running_r001_s000",
    "running_r060_s000", "running_r300_s120", "running_reserve_r060_s037", "ties", "ties_order",
    "whole_mixed", "window_30", "window_30_over",
)  # fmt: skip

P = TypeVar("P", bound=Planner)
Row = dict[str, str]
Told = dict[str, tuple[float, tuple[int, ...]]]
"""When each job starts, in seconds from the pass, and on which nodes, counted from 0."""


def rows(path: Path) -> list[Row]:
    with path.open(newline="") as file:
        return [*csv.DictReader(file)]


def site_of_case(folder: Path) -> Site:
    """Return the machine and the parameters of a case."""
    conf = (folder / "slurm.conf").read_text()
    told = re.findall(r"NodeName=node\[01-(\d+)\] .*CoresPerSocket=(\d+)", conf)
    (count, cores), *others = told
    assert not others
    partitions = [
        {
            "name": name, "whole": sharing == "EXCLUSIVE", "priority_tier": int(tier),
            "nodes": f"node[{nodes}]",
        }
        for name, nodes, sharing, tier in re.findall(
            r"PartitionName=(\w+) Nodes=node\[(\S+)\] OverSubscribe=(\w+) PriorityTier=(\d+)", conf
        )
    ]  # fmt: skip
    parameters = re.search(r"SchedulerParameters=(\S+)", conf)
    assert parameters is not None
    slurm: dict[str, Any] = {}
    for one in parameters[1].split(","):
        name, _, value = one.partition("=")
        slurm[name] = int(value) if value else True
    licences = re.search(r"^Licenses=(\S+)", conf, re.MULTILINE)
    limits = [
        {"of": "licences", "licence": name, "most": float(most)}
        for name, most in (one.split(":") for one in (licences[1].split(",") if licences else ()))
    ]
    started = json.loads((folder / "pass.json").read_text())["pass_start_epoch"]
    return site_of(
        {
            "start": float(started), "partitions": partitions, "slurm": slurm, "limits": limits,
            "nodes": [{"name": "node", "count": int(count), "cores": int(cores)}],
        }
    )  # fmt: skip


class NotedPlanner(Planner):
    """Notes the first start of each job, and the nodes that are kept for it."""

    noted: Told

    def plan(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        keeps: bool,  # noqa: FBT001
        licences: Licences | None,
    ) -> float:
        start = super().plan(job, choice, limit, keeps, licences)
        if self.now < start < self.noted.get(job.id, (NEVER, ()))[0]:
            nodes = self.cluster.placement.nodes if self.added is self.cluster.found else ()
            self.noted[job.id] = start, nodes
        return start


def like(planner: Planner, kind: type[P]) -> P:
    """Return a planner of another kind as one is that has planned nothing yet."""
    return kind(
        planner.cluster, planner.calendar, planner.settings,
        licences=planner.table.licences, is_limited=planner.is_limited,
    )  # fmt: skip


def planned(folder: Path) -> Told:
    """Return what our backfill makes of a case."""
    site = site_of_case(folder)
    machine = Nodes(site, float)
    machine.begin(machine.layout.processors)
    backfilling = SlurmBackfilling()
    backfilling.on_site(site)
    backfilling.begin(machine)
    of = {row["id"]: row for row in rows(folder / "plan.csv")}
    plan = Plan()
    jobs = []
    for row in rows(folder / "jobs.csv"):
        job = _job(row)
        if not row["running_end_seconds"]:
            jobs.append((-int(row["priority"]), job.number, job))
            continue
        cores = tuple(map(int, of[job.id]["cores_on_each"].split("+")))
        nodes = node_set(_names(of[job.id]["nodes"]), site.nodes, "plan.csv")
        mask = sum(1 << node for node in nodes)
        backfilling.cluster.placement = Placement(nodes, cores, cores, None, mask, sum(cores))
        backfilling.take(job)
        job.planned_end = float(row["running_end_seconds"])
        plan.add(job)
    waiting = [job for _, _, job in sorted(jobs, key=lambda one: one[:2])]
    told: Told = {}
    backfilling.planner = planner = like(backfilling.planner, NotedPlanner)
    planner.noted = told
    for job in backfilling.backfill(waiting, plan, [], 0.0):
        told[job.id] = 0.0, machine.held[job.number].nodes
    return told


def recorded(folder: Path) -> Told:
    """Return what Slurm's backfill has made of a case."""
    site = site_of_case(folder)
    return {
        row["id"]: (
            float(row["planned_start_seconds"]),
            node_set(_names(row["nodes"]), site.nodes, "plan.csv") if row["nodes"] else (),
        )
        for row in rows(folder / "plan.csv")
        if row["state"] in ("started", "planned")
    }


def _names(text: str) -> list[str]:
    return re.findall(r"node(?:\[[^]]+\]|\d+)", text)


def _job(row: Row) -> Job:
    limit = 60.0 * float(row["limit_minutes"]) if row["limit_minutes"] else 1.0
    fields = {"node": int(row["nodes"]), "partition": row["partition"]}
    if row["licences"]:
        fields["licences"] = row["licences"]
    return Job(
        row["id"], 0.0, int(row["tasks"]), limit, fields=fields, number=int(row["id"]),
        backfilling=limit, running=limit, partitions=tuple(row["partition"].split(",")),
    )  # fmt: skip
