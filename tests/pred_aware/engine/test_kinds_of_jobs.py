"""A site's partitions, rules and nodes are asked each for the jobs that differ to it."""

from typing import Any

from pred_aware import Workload
from pred_aware.engine.coverage import arrangement_of
from pred_aware.engine.kinds_of_jobs import KindsOfJobs
from pred_aware.execution.in_arrays import asked_of_site
from pred_aware.log.workload import arrays_of
from schedulers import make_policy

PER_USER = {"of": "jobs", "per": "user", "most": 1}


def kinds_of(site: dict[str, Any], jobs: list[dict[str, Any]]) -> KindsOfJobs:
    told = [
        {"id": number, "subtime": number, "res": 1, "walltime": 9, "profile": "D", **job}
        for number, job in enumerate(jobs)
    ]
    profiles = {"D": {"type": "delay", "delay": 5}}
    workload = Workload.of({"nb_res": 8, "jobs": told, "profiles": profiles})
    options = {"call_margin": None, "ties": "submission", "site": site}
    arrangement, arrays = arrangement_of(make_policy("policy", options)), arrays_of(workload)
    assert arrangement is not None
    assert arrangement.gate is not None
    assert arrays is not None
    asked = asked_of_site(workload, arrangement.asks or ())
    assert asked is not None
    return KindsOfJobs(
        arrangement.gate, arrangement.machine, asked,
        submit=arrays.submit, processors=arrays.processors, walltime=arrays.walltime,
    )  # fmt: skip


def test_a_limit_of_users_is_asked_once_for_all_jobs_of_a_user() -> None:
    jobs = [
        {"user_id": user, "partition": f"p{one}", "res": size}
        for user in (1, 2)
        for one in range(3)
        for size in (1, 2)
    ]
    partitions = [{"name": f"p{one}"} for one in range(3)]
    kinds = kinds_of({"partitions": partitions, "limits": [PER_USER]}, jobs)
    assert len(kinds.kinds) == len({kinds.kinds[one].alike for one in kinds.of_job}) == 2
    assert kinds.of_job.tolist() == [0] * 6 + [1] * 6


def test_nodes_are_asked_once_for_all_users() -> None:
    nodes = [{"name": "n", "count": 2, "cores": 4}]
    jobs = [{"user_id": one, "node": one % 2 + 1, "res": 2} for one in range(9)]
    kinds = kinds_of({"nodes": nodes, "limits": [PER_USER]}, jobs)
    assert (len(kinds.kinds), len(kinds.asked_of_nodes)) == (9, 2)


def test_who_is_in_no_partition_is_told_so_and_does_not_speak_for_others() -> None:
    partitions = [{"name": "small", "max_processors": 1}, {"name": "large"}]
    site = {"partitions": partitions, "limits": [{**PER_USER, "of": "processors", "most": 4}]}
    jobs = [{"user_id": 1, "partition": name, "res": 2} for name in ("small", "large", "none")]
    kinds = kinds_of(site, jobs)
    assert kinds.nowhere.tolist() == [True, False, True]
    assert "at most 1" in kinds.reason(0)
    assert "which the site does not have" in kinds.reason(2)
    assert kinds.kinds[kinds.of_job[1]].alike is not None


def test_true_is_no_number_to_a_rule() -> None:
    partitions = [{"name": "a"}, {"name": "b"}]
    jobs = [{"user_id": True, "partition": "a"}, {"user_id": 1, "partition": "b"}]
    kinds = kinds_of({"partitions": partitions, "limits": [PER_USER]}, jobs)
    first, second = (kinds.kinds[one].alike for one in kinds.of_job)
    assert first is not second
