"""Limits as Slurm counts them, and what a job that they stop keeps from others."""

from typing import Any

import pytest

from pred_aware.simulator.errors import DeadlockError
from tests.schedulers.site.on_site import job, ran, starts
from tests.suites import each_case

EACH_SECOND = {"bf_interval": 1, "bf_resolution": 1}


def test_a_limit_filled_in_a_pass_takes_no_nodes_from_earlier_jobs() -> None:
    site = {"limits": [{"of": "jobs", "per": "user", "most": 1}], "slurm": EACH_SECOND}
    jobs = [
        job(1, 0, 2, 100, walltime=100, user_id="eve"),
        # planned at 100 on all processors; when ann's other job starts, she may have no more
        job(2, 1, 4, 10, walltime=10, user_id="ann"),
        job(3, 1, 1, 50, walltime=50, user_id="ann"),
        job(4, 1, 1, 200, walltime=200, user_id="bob"),
    ]
    found = starts(site, jobs, "slurm")
    assert (found[3], found[4]) == (1.0, 2.0)


@pytest.mark.parametrize("kind", ["bf_max_job_user", "bf_max_job_assoc"])
def test_backfill_considers_a_limited_number_of_jobs_per_user(kind: str) -> None:
    jobs = [
        job(1, 0, 3, 100, walltime=100, user_id="eve"),
        # waits for all processors; of its user backfill looks at no other job
        job(2, 1, 4, 10, walltime=10, user_id="ann"),
        job(3, 1, 1, 20, walltime=20, user_id="ann"),
        job(4, 1, 1, 50, walltime=50, user_id="bob"),
    ]
    site = {"slurm": {**EACH_SECOND, "sched_interval": 1000, kind: 1}}
    found = starts(site, jobs, "policy", options={"backfilling": "slurm"})
    assert (found[2], found[3], found[4]) == (100.0, 110.0, 1.0)


@pytest.mark.parametrize(("processors", "start"), [(2, 0.0), (3, 50.0)])
def test_a_limit_of_gpus_counts_those_on_all_nodes_of_a_job(processors: int, start: float) -> None:
    # one of each node, whatever number of nodes it is; the first job has one of the two
    site = {
        "nodes": [{"name": "n", "count": 2, "cores": 2, "gpus": {"a": 2}}],
        "limits": [{"of": "gpus", "most": 2}],
        "slurm": EACH_SECOND,
    }
    jobs = [
        job(1, 0, 1, 50, gpus_per_node=1),
        job(2, 0, processors, 10, gpus_per_node=1),
        job(3, 0, 1, 10),
    ]
    assert starts(site, jobs, "slurm")[2] == start


@each_case("policy", ["easy", "slurm"])
@each_case(
    ("slurm", "start"),
    [({"priority_calc_period": 40.0}, 40.0), ({"priority_type": "basic"}, 110.0)],
)
def test_processor_minutes_decrease_when_priorities_are_computed(
    policy: str, slurm: dict[str, Any], start: float
) -> None:
    site = {
        "limits": [{"of": "processor_minutes", "per": "user", "most": 4}],
        "slurm": EACH_SECOND | slurm,
    }
    # the first has 4 processor minutes by its walltime, after 40 s 2.7, and others wait for 1
    jobs = [
        job(1, 0, 2, 110, walltime=120, user_id="ann"),
        job(2, 0, 1, 200, walltime=60, user_id="ann"),
    ]
    assert starts(site, jobs, policy)[2] == start


def test_a_job_that_needs_more_nodes_than_its_partition_allows_is_rejected() -> None:
    site = {
        "nodes": [
            {"name": name, "count": 1, "cores": cores} for name, cores in (("a", 1), ("b", 3))
        ],
        "partitions": [{"name": "small", "max_nodes": 1}],
        "slurm": {"priority_weight_age": 1},
    }
    jobs = [job(1, 0, 4, 10, partition="small"), job(2, 0, 3, 10, partition="small")]
    # its priority changes while it waits, so that it would be looked at for ever
    run = ran(site, jobs, "policy", options={"backfilling": "slurm", "order": "multifactor"})
    assert list(run.jobs.index) == ["2"]
    assert (run.provenance or {})["rejected"] == {
        "asks for 4 processors; partition 'small' has 4, on at most 1 nodes": 1
    }


def test_a_job_that_a_limit_never_allows_is_not_tested_for_ever() -> None:
    # three processors are on one node of b, but those of a, which come first, are two nodes
    site = {
        "nodes": [
            {"name": "a", "count": 2, "cores": 2},
            {"name": "b", "count": 1, "cores": 4, "weight": 1},
        ],
        "limits": [{"of": "nodes", "per": "user", "most": 1}],
        "slurm": {"priority_weight_age": 1, "priority_max_age": 600},
    }
    jobs = [job(1, 0, 3, 10, user_id="ann"), job(2, 0, 2, 10, user_id="bob")]
    with pytest.raises(DeadlockError, match=r"starts nor rejects w0!1 \(3 processors\)"):
        ran(site, jobs, "policy", options={"backfilling": "slurm", "order": "multifactor"})
