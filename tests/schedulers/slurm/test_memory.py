"""A pass that goes on from the plan of the last one starts and promises as one that plans anew."""

import random
from typing import Any

import pytest

import pred_aware as pa
from schedulers.core.job import Job
from schedulers.core.machine import Machine
from schedulers.machine.node_layout import Choice
from schedulers.site.reader import site_of
from schedulers.slurm.backfilling import SlurmBackfilling
from schedulers.slurm.cluster import Ending
from schedulers.slurm.planner import Planner, RememberedPlan
from schedulers.slurm.table import Licences
from tests.schedulers.slurm.cases import like

SLURM = {"priority_weight_age": 1000, "priority_max_age": 3600, "priority_calc_period": 60}


def workload() -> pa.Workload:
    """Make jobs of some users, of minutes and of hours."""
    rng, date, jobs = random.Random(1), 0, []  # noqa: S311 - a made workload
    for number in range(30):
        date += rng.choice((0, 7, 40, 200))
        walltime = rng.choice((60, 300, 3600, rng.randint(30, 9000)))
        run = max(1, int(walltime * rng.random()))
        job = {"id": str(number), "subtime": date, "res": rng.randint(1, 12), "profile": f"{run}"}
        jobs.append({**job, "walltime": walltime, "user_id": f"u{number % 3}"})
    runs = {str(job["profile"]) for job in jobs}
    profiles = {run: {"type": "delay", "delay": int(run)} for run in sorted(runs)}
    return pa.Workload.of({"nb_res": 16, "jobs": jobs, "profiles": profiles})


class CountingPlanner(Planner):
    """Counts how often a job is planned anew, and may forget each pass."""

    remembers = True
    looks = 0

    def begin(self, ends: list[Ending], now: float) -> None:
        if not self.remembers:
            self.forget()
        super().begin(ends, now)
        self.shares = self.shares and self.remembers

    def look(
        self,
        job: Job,
        choice: Choice,
        limit: float,
        keeps: bool,  # noqa: FBT001
        licences: Licences | None,
    ) -> RememberedPlan:
        self.looks += 1
        return super().look(job, choice, limit, keeps, licences)


def simulated(slurm: dict[str, Any], nodes: list[int]) -> str:
    classes = [{"name": "ab"[place], "count": 2, "cores": each} for place, each in enumerate(nodes)]
    site = site_of({"nodes": classes, "slurm": {**SLURM, **slurm}} if nodes else {"slurm": slurm})
    run = pa.simulate(workload(), "slurm", site=site, platform=pa.Platform.of(16))
    return run.jobs.to_csv()


@pytest.mark.parametrize(
    ("nodes", "slurm"),
    [
        ([], {"version": "22.05.8"}),
        ([2, 6], {"version": "26.11"}),
        ([], {"bf_window": 60, "bf_resolution": 300, "bf_running_job_reserve": True}),
        ([2, 6], {
            "version": "22.05.8", "bf_node_space_size": 12, "bf_max_job_test": 7, "bf_interval": 10,
        }),
        ([2, 6], {
            "bf_min_age_reserve": 200, "bf_max_job_user": 2, "bf_max_job_start": 1, "bf_window": 90,
        }),
    ],
)  # fmt: skip
def test_remembered_plans_change_no_schedule(
    monkeypatch: pytest.MonkeyPatch, slurm: dict[str, Any], nodes: list[int]
) -> None:
    planners: list[CountingPlanner] = []
    begin = SlurmBackfilling.begin

    def begins(self: SlurmBackfilling, machine: Machine) -> None:
        begin(self, machine)
        self.planner = like(self.planner, CountingPlanner)
        planners.append(self.planner)

    monkeypatch.setattr(SlurmBackfilling, "begin", begins)
    found = [simulated(slurm, nodes)]
    monkeypatch.setattr(CountingPlanner, "remembers", False)
    found.append(simulated(slurm, nodes))
    assert found[0] == found[1]
    assert 0 < planners[0].looks < planners[1].looks
