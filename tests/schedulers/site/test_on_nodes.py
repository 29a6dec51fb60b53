"""Nodes behind the gate of a site: memory, outages, reservations and partitions in a policy."""

from typing import Any

import pytest

from predictors.registry import nearest
from tests.schedulers.site.on_site import job, ran, starts
from tests.suites import each_case

TWO = {"nodes": [{"name": "n", "count": 2, "cores": 2, "memory": 8}]}
POLICIES = ["easy", "easy_sjbf", "conservative", "recommended", "filler"]


@each_case("policy", POLICIES)
def test_memory_of_a_node_is_not_given_twice(policy: str) -> None:
    jobs = [job(n, 0, 1, 50, mem=6.0) for n in (1, 2, 3)]
    assert starts(TWO, jobs, policy) == {1: 0.0, 2: 0.0, 3: 50.0}


@each_case("policy", POLICIES)
def test_limits_of_nodes_count_the_jobs_nodes(policy: str) -> None:
    site = {**TWO, "limits": [{"of": "nodes", "per": "user", "most": 2}]}
    # the second is spread over two nodes, and the third asks for no more than there is room for
    jobs = [
        job(1, 0, 1, 20, user_id="bob"),
        job(2, 0, 2, 50, user_id="ann", tasks_per_node=1),
        job(3, 0, 1, 50, user_id="ann"),
        job(4, 0, 1, 50, user_id="eve"),
        job(5, 0, 3, 50, user_id="ann"),
    ]
    assert starts(site, jobs, policy) == {1: 0.0, 2: 0.0, 4: 0.0, 3: 50.0, 5: 100.0}


@each_case("policy", POLICIES)
def test_jobs_get_whole_cores_of_several_processors(policy: str) -> None:
    site = {"nodes": [{"name": "n", "count": 1, "cores": 2, "threads": 2}]}
    sizes = [1, 1, 1, 3, 2]
    run = ran(site, [job(n, 0, size, 50) for n, size in enumerate(sizes, 1)], policy)
    begun = {int(name): start for name, start in run.jobs["starting_time"].items()}
    # the third waits though two processors are idle, and so does the fourth beside it; what is
    # left of its core is for the last
    assert begun == {1: 0.0, 2: 0.0, 3: 50.0, 5: 50.0, 4: 100.0}
    assert run.jobs["allocated_resources"].astype(str).to_dict() == {
        "1": "0", "2": "2", "3": "0", "5": "2-3", "4": "0-2",
    }  # fmt: skip


@each_case("policy", POLICIES)
def test_waiting_jobs_start_after_an_outage(policy: str) -> None:
    site = {**TWO, "outages": [{"nodes": "n2", "begin": 10.0, "end": 90.0}]}
    jobs = [job(1, 0, 1, 20, node=1), job(2, 20, 4, 5, node=2), job(3, 30, 2, 5, node=1)]
    assert starts(site, jobs, policy) == {1: 0.0, 3: 30.0, 2: 90.0}


@each_case("policy", POLICIES)
def test_no_job_runs_into_a_reservation(policy: str) -> None:
    kept = {"name": "x", "nodes": "n2", "begin": 60.0, "end": 90.0, "users": "eve"}
    jobs = [
        job(1, 0, 2, 20, walltime=100, node=1),
        job(2, 0, 2, 20, walltime=100, node=1),
        job(3, 25, 2, 20, walltime=100, node=1, user_id="eve", reservation="x"),
    ]
    assert starts({**TWO, "reservations": [kept]}, jobs, policy) == {1: 0.0, 2: 20.0, 3: 60.0}


@each_case("impossible", ["rejected", "waits"])
@each_case("policy", POLICIES)
def test_a_job_never_starts_after_its_reservation_ends(policy: str, impossible: str) -> None:
    kept = {"name": "x", "nodes": "n2", "begin": 20.0, "end": 60.0, "users": "eve"}
    eves = {"user_id": "eve", "reservation": "x"}
    jobs = [
        job(1, 0, 2, 30, walltime=30, **eves),
        job(2, 0, 2, 30, walltime=30, **eves),
        job(3, 0, 4, 10, walltime=10, **eves),
        job(4, 61, 1, 10, **eves),
        job(5, 61, 4, 10),
    ]
    run = ran({**TWO, "reservations": [kept], "impossible": impossible}, jobs, policy)
    assert run.jobs["starting_time"].dropna().to_dict() == {"1": 20.0, "2": 50.0, "5": 80.0}
    told = "asks for reservation 'x', which is over"
    assert run.rejections == {
        f"would wait for ever: it {told}" if impossible == "waits" else told: 2
    }


def test_jobs_run_on_their_partitions_nodes_with_its_walltime() -> None:
    site = {
        **TWO,
        "partitions": [
            {"name": "a", "nodes": "n1", "default": True, "default_walltime": "0:00:30"},
            {"name": "b", "nodes": ["n1", "n2"], "max_walltime": 40, "accounts": "lab"},
        ],
    }
    jobs = [
        job(1, 0, 2, 20, walltime=None),
        job(2, 0, 2, 20, partition="a", walltime=100),
        job(3, 0, 2, 20, partition="a,b", walltime=30, project="lab"),
        job(4, 0, 2, 20, partition="b", walltime=50, project="lab"),
        job(5, 0, 2, 20, partition="b", walltime=30, project="other"),
    ]
    run = ran(site, jobs)
    assert run.jobs["starting_time"].dropna().to_dict() == {"1": 0.0, "3": 0.0, "2": 20.0}
    assert sorted(run.rejections) == [
        "asks for 50 s; partition 'b' allows at most 40",
        "has account 'other', which may not use partition 'b'",
    ]


NAMED = [
    {"name": "short", "nodes": ["n1"], "max_processors": 2},
    {"name": "long", "nodes": ["n2"], "default": True},
]
ON_NODES = {**TWO, "partitions": NAMED}
COUNTED = {"partitions": [{**one, "nodes": ()} for one in NAMED]}


def test_a_jobs_partition_is_the_named_one_else_its_queue_else_the_default() -> None:
    asked = [{"partition": "short", "queue": "long"}, {"queue": "short"}, {"queue": "night"}, {}]
    jobs = [job(n, 0, 1, 50, **one) for n, one in enumerate(asked, 1)]
    run = ran(ON_NODES, [*jobs, job(5, 0, 1, 50, partition="short , long")])
    places = run.jobs["allocated_resources"].astype(str).tolist()
    assert places[:4] == ["0", "1", "2", "3"]
    # neither has room before
    assert run.jobs["starting_time"].tolist() == [0.0, 0.0, 0.0, 0.0, 50.0]


@pytest.mark.parametrize("site", [ON_NODES, COUNTED], ids=["nodes", "counted"])
def test_an_unknown_partition_refuses_a_job_despite_other_partitions(
    site: dict[str, Any],
) -> None:
    jobs = [job(1, 0, 1, 5, partition="short,unknown"), job(2, 0, 1, 5, partition="shrot")]
    run = ran({**site, "impossible": "waits"}, [*jobs, job(3, 0, 1, 5, partition="long,short")])
    assert run.jobs["starting_time"].dropna().to_dict() == {"3": 0.0}
    told = "asks for partition '{}', which the site does not have: {}"
    names = ("short", "long")
    assert {*run.rejections} == {
        told.format(name, nearest(name, names)) for name in ("unknown", "shrot")
    }


@pytest.mark.parametrize("site", [ON_NODES, COUNTED], ids=["nodes", "counted"])
def test_partitions_that_do_not_accept_a_job_are_left_out(
    site: dict[str, Any],
) -> None:
    limit = {"of": "jobs", "per": "partition", "by": {"short": 0}}
    run = ran({**site, "limits": [limit]}, [job(1, 0, 4, 5, partition="short,long")])
    # it is too large for the one, whose limit is not for it then, and for the other's node
    if site is COUNTED:
        assert run.jobs["starting_time"].tolist() == [0.0]
    else:
        assert [*run.rejections] == ["asks for 4 processors; partition 'long' has 2"]


def test_equal_nodes_without_special_requests_are_only_counted() -> None:
    jobs = [job(n, 0, 3, 50) for n in (1, 2)] + [job(3, 0, 1, 90, walltime=90)]
    counted, on_nodes = ran({}, jobs), ran({"nodes": [{**TWO["nodes"][0]}]}, jobs)
    assert counted.jobs.equals(on_nodes.jobs)


@pytest.mark.parametrize(
    ("impossible", "words"), [("rejected", "asks for"), ("waits", "would wait for ever: it asks")]
)
def test_a_request_above_every_node_is_reported_with_the_sites_nodes(
    impossible: str, words: str
) -> None:
    run = ran({**TWO, "impossible": impossible}, [job(1, 0, 1, 5, mem=9.0), job(2, 0, 1, 5)])
    assert run.jobs["starting_time"].dropna().to_dict() == {"2": 0.0}
    assert next(iter(run.rejections)).startswith(words)
