"""CPU seconds of EASY on large sites, divided by those of a counted machine in the same round.

Usage: python benchmarks/site_cost.py [--rounds N] [--only SITE] [--before PYTHON] LOG [SCHEDULER]

The log is read as it is, but for who submits what and where: its users are four each, and jobs
name partitions at random. Each measurement is `simulate` alone, in a process of its own.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import pred_aware as pa
from schedulers.site.site import Limit, NodeClass, Partition, Site

PARTITIONS = 100
CORES = 2
"""Of a node, as on HPC2N."""


def users(processors: int) -> Site:
    """Make a site with two limits for each user."""
    return Site(processors=processors, limits=_limits(processors))


def _limits(processors: int) -> tuple[Limit, ...]:
    return (
        Limit(of="jobs", per="user", most=20, above="alone"),
        Limit(of="processors", per="user", most=processors // 2, above="alone"),
    )


def everywhere(processors: int) -> Site:
    """Make a site with limits, and with partitions of all its processors."""
    partitions = tuple(Partition(name=f"p{one}") for one in range(PARTITIONS))
    return Site(processors=processors, limits=_limits(processors), partitions=partitions)


def on_nodes(processors: int) -> Site:
    """Make a site with limits, and with partitions of all its nodes."""
    nodes = (NodeClass(name="n", count=processors // CORES, cores=CORES),)
    partitions = tuple(Partition(name=f"p{one}") for one in range(PARTITIONS))
    return Site(nodes=nodes, limits=_limits(processors), partitions=partitions)


def overlapping(processors: int) -> Site:
    """Make a site with limits, and with partitions that overlap on nodes of two classes."""
    count = processors // CORES
    few = count // 3
    nodes = (
        NodeClass(name="old", count=few, cores=CORES, weight=1),
        NodeClass(name="new", count=count - few, cores=CORES, weight=2),
    )
    partitions = tuple(
        Partition(name=f"p{one}", nodes=_range(one, few, count)) for one in range(PARTITIONS)
    )
    return Site(nodes=nodes, limits=_limits(processors), partitions=partitions)


def _range(one: int, few: int, count: int) -> tuple[str, ...]:
    """Return some neighbouring nodes; every tenth partition has all."""
    if one % 10 == 0:
        return ()
    length = count // 4 + one * count // (2 * PARTITIONS)
    first = one * 37 % (count - length + 1)
    old = (first + 1, min(few, first + length))
    new = (max(0, first - few) + 1, first + length - few)
    ranges = ("old", *old), ("new", *new)
    return tuple(f"{name}[{low}-{high}]" for name, low, high in ranges if low <= high)


def one_partition(processors: int) -> Site:
    """Make a site that is a counted machine."""
    return Site(processors=processors, partitions=(Partition(name="p0", default=True),))


SITES: dict[str, Callable[[int], Site]] = {
    "one": one_partition,
    "users": users,
    "partitions": everywhere,
    "nodes": on_nodes,
    "overlapping": overlapping,
}


def workload_for(log: Path, site: str) -> pa.Workload:
    """Read a log, with users and partitions for a site."""
    whole = pa.read_log(log).workload
    content: dict[str, Any] = json.loads(whole.raw.content)
    chance = random.Random(1)  # noqa: S311 - no secret
    for job in content["jobs"]:
        job["user_id"] = 4 * int(job.get("user_id", 0)) + chance.randrange(4)
        named = chance.randrange(PARTITIONS)
        if job["res"] > content["nb_res"] // 4:
            # where there is room for it on nodes, too
            named = 10 * (named // 10)
        job["partition"] = f"p{named}" if site in ("partitions", "nodes", "overlapping") else "p0"
        for name in ("allocated_processors", "queue"):
            job.pop(name, None)
    return pa.Workload.of(content, whole.name)


def inside(log: Path, site: str, scheduler: str) -> dict[str, object]:
    """Simulate once, and return the CPU seconds and what tells schedules apart."""
    workload = workload_for(log, site)
    options: dict[str, Any] = {}
    if site != "counted":
        options["site"] = SITES[site](workload.processors or 0)
    began = process_time()
    run = pa.simulate(workload, scheduler, **options)
    seconds = process_time() - began
    frames = [run.jobs.drop(columns=["scheduling_time"], errors="ignore")]
    if run.stops is not None:
        frames.append(run.stops)
    text = "".join(frame.to_csv() for frame in frames)
    return {
        "seconds": seconds,
        "schedule": hashlib.sha256(text.encode()).hexdigest()[:12],
    }


def measured(python: str, log: Path, site: str, scheduler: str) -> dict[str, Any]:
    """Let a Python simulate once in a process of its own."""
    command = [python, "-P", __file__, "--inside", site, str(log), scheduler]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure each site in turn with the counted machine, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", choices=SITES)
    parser.add_argument("--before", help="the Python of another version, measured as well")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("log", type=Path)
    parser.add_argument("scheduler", nargs="?", default="easy")
    given = parser.parse_args()
    if given.inside:
        print(json.dumps(inside(given.log, given.inside, given.scheduler)))
        return
    pythons = [sys.executable] if given.before is None else [given.before, sys.executable]
    sites = given.only or list(SITES)
    ratios: dict[tuple[str, str], list[float]] = {}
    schedules: dict[str, set[str]] = {site: set() for site in sites}
    for _ in range(given.rounds):
        for python in pythons:
            counted = measured(python, given.log, "counted", given.scheduler)["seconds"]
            for site in sites:
                found = measured(python, given.log, site, given.scheduler)
                ratios.setdefault((site, python), []).append(found["seconds"] / counted)
                schedules[site].add(found["schedule"])
    for site in sites:
        told = ", ".join(f"{median(ratios[site, python]):.2f}" for python in pythons)
        print(f"{site}: {told} times the counted machine; schedule {' '.join(schedules[site])}")


if __name__ == "__main__":
    main()
