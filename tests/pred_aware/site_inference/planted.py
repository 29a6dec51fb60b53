"""Made logs whose recorded waits are those of a site that is known."""

from functools import cache

import msgspec
import numpy as np

from pred_aware import Site, Workload, simulate
from pred_aware.recorded_queue.waits import Similarity
from pred_aware.site_inference.queue_order import order_of
from schedulers.site.site import Freeze, Limit, Window

JOBS, MACHINE, USERS, DAYS, CROWDED = 2400, 64, 12, 60, 18
MONDAY = 1_700_438_400.0
"""A Monday, 0:00 UTC."""
HOUR = 3600.0

THREE_EACH = Site(limits=(Limit(of="jobs", per="user", most=3.0, above="alone"),))
LONG_AT_NIGHT = Site(
    windows=(Window(days="Mon-Fri", closed="08:00-18:00", longer_than=2 * HOUR),)
)  # fmt: skip
DOWN = Site(
    freezes=tuple(
        Freeze(begin=day * 86400.0, end=day * 86400.0 + 14 * HOUR) for day in range(2, DAYS, 4)
    )
)
PROCESSORS_EACH = Site(
    limits=(Limit(of="processors", per="user", most=11.0, above="alone"),)
)  # fmt: skip
SITES = {
    "no rule": None,
    "three each": THREE_EACH,
    "processors each": PROCESSORS_EACH,
    "long at night": LONG_AT_NIGHT,
    "down": DOWN,
}
ORDERS = {"larger first": 1.0, "fair share of users": 16.0}
"""Weights of the orders of sites whose machine is smaller, so that jobs queue."""


def recorded_by(workload: Workload, site: Site | None) -> Workload:
    """Return a workload that has recorded what EASY does on a site."""
    run = simulate(workload, "easy", site=site)
    waits = dict(zip(run.ids_in_workload, run.ran["waiting_time"].tolist(), strict=True))
    content = msgspec.json.decode(workload.raw.content)
    for job in content["jobs"]:
        job["wait_time"] = waits[str(job["id"])]
    return Workload.of(content, "made")


@cache
def stream() -> Workload:
    """Make two months of users who submit bags of jobs, by day more than by night."""
    rng = np.random.default_rng(5)
    jobs: list[dict[str, object]] = []
    while len(jobs) < JOBS:
        day, hour = rng.integers(0, DAYS), np.clip(rng.normal(13.0, 4.0), 0.0, 23.9)
        user, bag = int(rng.integers(0, USERS)), int(rng.integers(1, 14))
        size, length = int(rng.integers(1, 7)), float(rng.choice([0.5, 1.0, 3.0, 5.0]))
        for number in range(bag):
            run = round(length * HOUR * rng.uniform(0.3, 1.0))
            date = float(day * 86400.0 + hour * HOUR + 20.0 * number)
            walltime = length * HOUR
            names = {"user": f"u{user}", "queue": f"q{user % 3}"}
            asked = {"subtime": round(date), "res": size, "walltime": walltime}
            jobs.append({**asked, "profile": str(run), **names})
    jobs = sorted(jobs[:JOBS], key=lambda job: float(str(job["subtime"])))
    profiles = {str(job["profile"]): {"type": "delay", "delay": int(str(job["profile"]))}
                for job in jobs}  # fmt: skip
    numbered = [{"id": place, **job} for place, job in enumerate(jobs)]
    content = {"nb_res": MACHINE, "start_time": MONDAY, "jobs": numbered, "profiles": profiles}
    return Workload.of(content, "made")


@cache
def log_of(site: str) -> Workload:
    """Return what the log of one of `SITES` or `ORDERS` has."""
    if site not in ORDERS:
        return recorded_by(stream(), SITES[site])
    content = {**msgspec.json.decode(stream().raw.content), "nb_res": CROWDED}
    return recorded_by(Workload.of(content, "made"), Site(order=order_of(site, ORDERS[site])))


def like(ratio: float, correlation: float) -> Similarity:
    """Return what was found of a queue."""
    return Similarity(jobs=100, recorded=600.0, ratio=ratio, correlation=correlation, distance=0.1)


def swf_of(site: str) -> str:
    """Return the log of one of `SITES` in the Standard Workload Format."""
    lines = [f"; MaxProcs: {MACHINE}", f"; UnixStartTime: {MONDAY:.0f}"]
    raw = msgspec.json.decode(log_of(site).raw.content)
    for job in raw["jobs"]:
        lasts, size = raw["profiles"][job["profile"]]["delay"], job["res"]
        dates = f"{job['id'] + 1} {job['subtime']} {job['wait_time']:.0f} {lasts}"
        user, queue = int(job["user"][1:]) + 1, int(job["queue"][1:])
        asked = f"{size} {job['walltime']:.0f}"
        lines.append(f"{dates} {size} -1 -1 {asked} -1 1 {user} 1 -1 {queue} -1 -1 -1")
    return "\n".join(lines) + "\n"
