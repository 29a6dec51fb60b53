"""What partitions give to jobs that do not ask, and whose jobs they take."""

from typing import Any

from tests.schedulers.site.on_site import job, ran, starts
from tests.suites import each_case

NODES = [{"name": "n", "count": 2, "cores": 2, "memory": 4}]


def site(**partition: object) -> dict[str, Any]:
    return {"nodes": NODES, "partitions": [{"name": "p", "default": True, **partition}]}


@each_case("asks", [{}, {"mem": 1.0}])
@each_case("default", ["default_memory", "default_memory_per_node"])
def test_a_job_without_requested_memory_gets_its_partitions_default(
    default: str, asks: dict[str, float]
) -> None:
    # a processor is free on each node when the third comes, and 1 GiB
    jobs = [job(1, 0, 1, 10), job(2, 0, 1, 10), job(3, 1, 1, 10, **asks)]
    assert starts(site(), jobs)[3] == 1.0
    assert starts(site(**{default: 3}), jobs) == {1: 0.0, 2: 0.0, 3: 1.0 if asks else 10.0}


def test_predictors_see_the_default_walltime_of_the_partition() -> None:
    run = ran(
        site(default_walltime=30), [job(1, 0, 1, 10, walltime=None)],
        order="sjf", estimates="last_two",
    )  # fmt: skip
    assert (run.content("estimates") or b"").splitlines()[1].startswith(b"1,30.000000,")


def test_a_partition_accepts_only_jobs_of_its_qos() -> None:
    jobs = [job(1, 0, 1, 10, qos="long"), job(2, 0, 1, 10, qos="short"), job(3, 0, 1, 10)]
    run = ran(site(qos=["short"]), jobs)
    assert [*run.jobs["starting_time"].dropna().index] == ["2"]


def test_a_limit_counts_jobs_that_it_never_stops() -> None:
    limit = {"of": "jobs", "most": 1, "exempt": {"qos": "free"}}
    jobs = [job(1, 0, 1, 10, qos="free"), job(2, 1, 1, 10), job(3, 2, 1, 10, qos="free")]
    assert starts({"limits": [limit]}, jobs) == {1: 0.0, 2: 12.0, 3: 2.0}
