"""Random sites of up to a hundred nodes, with partitions that overlap, and jobs for them."""

import random
from typing import Any

from tests.schedulers.site.random_runs import site_and_jobs
from tests.schedulers.site.rules_model import Asked

LEFT_TO_PYTHON = ("reservations",)


def covered_site(seed: int) -> tuple[dict[str, Any], list[Asked]]:
    """Make a small site with rules, without what the engine leaves to Python, and jobs."""
    site, jobs = site_and_jobs(seed, nodes=True)
    for name in LEFT_TO_PYTHON:
        site.pop(name, None)
    for job in jobs:
        job.pop("reservation", None)
    return site, jobs


def large_site(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Make a large site without rules, and jobs."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    nodes = [_node_class(rng, name) for name in "xyz"[: rng.randint(1, 3)]]
    names = [f"{one['name']}{number + 1}" for one in nodes for number in range(one["count"])]
    site: dict[str, Any] = {"nodes": nodes}
    if rng.random() < 0.7:
        site["partitions"] = [_partition(rng, f"p{one}", names) for one in range(rng.randint(1, 6))]
    partitions = [one["name"] for one in site.get("partitions", [])]
    gpus = sorted({kind for one in nodes for kind in one.get("gpus", ())})
    _add_dates(rng, site, names)
    size = sum(one["count"] * one["cores"] * one.get("threads", 1) for one in nodes)
    span = rng.choice((1, 50, 400))
    return site, [
        _job(rng, number, size, span, partitions=partitions, gpus=gpus)
        for number in range(rng.randint(1, 80))
    ]


def _node_class(rng: random.Random, name: str) -> dict[str, Any]:
    one: dict[str, Any] = {"name": name, "count": rng.randint(1, 45), "cores": rng.randint(1, 8)}
    if rng.random() < 0.3:
        one["memory"] = rng.randint(2, 16)
    if rng.random() < 0.2:
        one["threads"] = 2
    if rng.random() < 0.4:
        one["gpus"] = {kind: rng.randint(1, 4) for kind in rng.sample("abc", rng.randint(1, 3))}
    one["features"] = [name for name in ("fast", "big") if rng.random() < 0.5]
    one["weight"] = rng.randint(0, 2)
    one["whole"] = rng.random() < 0.15
    return one


def _partition(rng: random.Random, name: str, nodes: list[str]) -> dict[str, Any]:
    one: dict[str, Any] = {"name": name, "default": name == "p0" and rng.random() < 0.3}
    if rng.random() < 0.8:
        first = rng.randrange(len(nodes))
        one["nodes"] = nodes[first : first + rng.randint(1, len(nodes))]
    if rng.random() < 0.15:
        one["whole"] = True
    return one


def _add_dates(rng: random.Random, site: dict[str, Any], names: list[str]) -> None:
    """Let nodes, and processors of all or of a partition, be away for some time."""
    if rng.random() < 0.3:
        site["outages"] = []
        for _ in range(rng.randint(1, 6)):
            nodes, begin = rng.sample(names, rng.randint(1, len(names))), rng.randint(0, 400)
            end = begin + rng.randint(1, 200)
            site["outages"].append({"nodes": nodes, "begin": begin, "end": end})
    if rng.random() < 0.3:
        partition = rng.choice([{}, *site.get("partitions", ())])
        most = len(partition.get("nodes", names))
        whose = {"partition": partition["name"]} if partition else {}
        begins = sorted(rng.sample(range(400), rng.randint(1, 5)))
        steps = [{"begin": one, "processors": rng.randint(0, most), **whose} for one in begins]
        # in the end all are there
        cores = {one["name"]: one["cores"] * one.get("threads", 1) for one in site["nodes"]}
        there = sum(cores[name[0]] for name in partition.get("nodes", names))
        site["capacity"] = [*steps, {"begin": 400, "processors": there, **whose}]


def _job(
    rng: random.Random, number: int, size: int, span: int, *, partitions: list[str], gpus: list[str]
) -> dict[str, Any]:
    length = rng.randint(1, 30) * rng.choice((1, 10))
    most = size if rng.random() < 0.2 else max(1, size // rng.choice((2, 5, 20)))
    job: dict[str, Any] = {
        "id": number, "subtime": rng.randint(0, span), "res": rng.randint(1, most),
        "walltime": length if rng.random() < 0.3 else rng.randint(1, 300), "profile": str(length),
        "user_id": rng.randint(0, 3),
    }  # fmt: skip
    if partitions and rng.random() < 0.7:
        job["partition"] = ",".join(rng.sample(partitions, rng.randint(1, min(3, len(partitions)))))
    if rng.random() < 0.4:
        job["node"] = rng.randint(1, max(1, min(job["res"], 12)))
    if rng.random() < 0.3:
        job["tasks"] = max(1, job["res"] // rng.randint(1, 4))
    if rng.random() < 0.2:
        job["tasks_per_node"] = rng.randint(1, 6)
    if rng.random() < 0.1:
        job["exclusive"] = True
    if rng.random() < 0.1:
        job["features"] = rng.choice(("fast", "big", "fast&big", "fast|big"))
    if rng.random() < 0.2:
        job[rng.choice(("mem", "memory_per_node"))] = rng.randint(1, 12)
    if gpus and rng.random() < 0.4:
        job[rng.choice(("gpu", "gpu", "gpus_per_node"))] = rng.randint(1, 3) * rng.choice((1, 1, 4))
        if rng.random() < 0.4:
            job["gpu_type"] = rng.choice(gpus)
    return job
