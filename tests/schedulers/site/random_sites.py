"""Small random sites with all that they can say, and workloads for them."""

import random
from datetime import UTC, datetime
from typing import Any

from tests.schedulers.site.rules_model import Asked

HOUR = 3600.0
USERS = ("ann", "bob", "eve")
QUEUES = ("day", "night")
LABS = ("lab", "hall")
QOS = ("low", "high")
STARTS = (datetime(2026, 1, 5, 7, tzinfo=UTC), datetime(2026, 3, 28, 21, tzinfo=UTC))
"""A Monday, and the evening before the clocks go forward."""
_FIELDS = {"user": USERS, "queue": QUEUES, "project": LABS, "qos": QOS}


def random_site(rng: random.Random, *, nodes: bool, hours: bool) -> dict[str, Any]:
    """Make the content of a site; where it has `hours` it has windows, and jobs are long."""
    scale = HOUR if hours else 1.0
    site: dict[str, Any] = {}
    names: list[str] = []
    if nodes:
        site["nodes"] = [_node_class(rng, name) for name in "xyz"[: rng.randint(1, 3)]]
        for one in site["nodes"]:
            names += [f"{one['name']}{number}" for number in range(1, one["count"] + 1)]
    if rng.random() < 0.4:
        site["partitions"] = _partitions(rng, names, scale)
    if rng.random() < 0.8:
        site["limits"] = [_limit(rng, site, scale) for _ in range(rng.randint(1, 3))]
    if hours:
        site["start"] = rng.choice(STARTS).timestamp()
        site["time_zone"] = rng.choice(("UTC", "Europe/Paris"))
        site["windows"] = [_window(rng) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.25:
        whose = [one["name"] for one in site.get("partitions", [])][:1]
        begin = rng.randint(0, 60) * scale
        freeze: dict[str, Any] = {"begin": begin, "end": begin + rng.randint(1, 40) * scale}
        site["freezes"] = [{**freeze, "partitions": whose} if rng.random() < 0.5 else freeze]
    if rng.random() < 0.25:
        begin = rng.randint(0, 40) * scale
        site["capacity"] = [
            {"begin": begin, "processors": rng.randint(0, min(3, processors_of(site)))},
            {"begin": begin + rng.randint(5, 60) * scale, "processors": processors_of(site)},
        ]
    if nodes:
        _add_dates_of_nodes(rng, site, names)
    if rng.random() < 0.15:
        site["cycle"] = rng.choice((7.0, 10.0)) * (60.0 if hours else 1.0)
    if rng.random() < 0.3:
        site["above"] = rng.choice(("waits", "rejected", "alone"))
    if rng.random() < 0.1:
        site["eligible"] = False
    return site


def leave_out(rng: random.Random, site: dict[str, Any]) -> None:
    """Leave some jobs out of limits, and some QOS out of partitions."""
    for limit in site.get("limits", ()):
        if rng.random() < 0.5:
            names = rng.sample([*_FIELDS], rng.randint(1, 2))
            limit["exempt"] = {name: rng.choice(_FIELDS[name]) for name in names}
    for one in site.get("partitions", ()):
        if rng.random() < 0.3:
            one["qos"] = "low"


def processors_of(site: dict[str, Any], otherwise: int = 4) -> int:
    return sum(one["count"] * one["cores"] for one in site.get("nodes", [])) or otherwise


def _node_class(rng: random.Random, name: str) -> dict[str, Any]:
    one: dict[str, Any] = {"name": name, "count": rng.randint(1, 2), "cores": rng.randint(1, 4)}
    if rng.random() < 0.6:
        one["memory"] = rng.randint(2, 8)
    if rng.random() < 0.4:
        one["gpus"] = {kind: rng.randint(1, 2) for kind in rng.sample("ab", rng.randint(1, 2))}
    one["features"] = [name for name in ("fast", "big") if rng.random() < 0.5]
    one["weight"] = rng.randint(0, 2)
    one["whole"] = rng.random() < 0.15
    return one


def _partitions(rng: random.Random, names: list[str], scale: float) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name in ("p", "q")[: rng.randint(1, 2)]:
        one: dict[str, Any] = {"name": name}
        if names and rng.random() < 0.7:
            one["nodes"] = sorted(rng.sample(names, rng.randint(1, len(names))))
        if names and rng.random() < 0.2:
            one["whole"] = True
        if rng.random() < 0.2:
            one["max_walltime"] = 60.0 * scale
        if not names and rng.random() < 0.3:
            one["max_processors"] = rng.randint(2, 4)
        if rng.random() < 0.2:
            one["accounts"] = "lab"
        if rng.random() < 0.3:
            one["default_walltime"] = 30.0 * scale
        found.append(one)
    if rng.random() < 0.5:
        found[0]["default"] = True
    return found


def _limit(rng: random.Random, site: dict[str, Any], scale: float) -> dict[str, Any]:
    of = rng.choice(
        ("jobs", "jobs", "jobs", "processors", "processors", "nodes", "memory", "gpus",
         "processor_minutes", "walltime", "submitted", "licences")
    )  # fmt: skip
    limit: dict[str, Any] = {"of": of}
    fields = [*_FIELDS, *(["partition"] if "partitions" in site else [])]
    limit["per"] = rng.choice(("all", rng.choice(fields), rng.sample(fields, 2)))
    if of == "walltime" or rng.random() < 0.05:
        limit["per"] = "job"
    if of == "licences":
        limit["licence"] = "matlab"
    highest = {"processor_minutes": 4.0 * scale, "walltime": 60.0 * scale, "memory": 8.0}
    limit["most"] = round(rng.uniform(0.2, 1.0) * highest.get(of, 4.0), 1)
    if of not in highest:
        limit["most"] = rng.randint(1, 4)
    if limit["per"] in [*_FIELDS] and rng.random() < 0.3:
        limit["by"] = {rng.choice(_FIELDS[limit["per"]]): limit["most"] + rng.choice((-1, 1))}
        if min(limit["by"].values()) < 0 or rng.random() < 0.3:
            del limit["most"]
            limit["by"] = {next(iter(limit["by"])): 1}
    if rng.random() < 0.3:
        name = rng.choice([*_FIELDS])
        limit["only"] = {name: rng.choice(_FIELDS[name])}
        if rng.random() < 0.5:
            limit["counts"] = "all"
    if rng.random() < 0.25:
        limit["begin"] = rng.randint(0, 30) * scale
    if rng.random() < 0.25:
        limit["end"] = rng.randint(31, 90) * scale
    return limit


def _window(rng: random.Random) -> dict[str, Any]:
    one: dict[str, Any] = {"days": rng.choice(("Mon-Sun", "Mon-Fri", "Sat,Sun", "Sun-Tue"))}
    if rng.random() < 0.6:
        one["closed"] = rng.choice(("07:30-09:00", "08:00-17:00", "22:00-06:00", "00:00-24:00"))
    else:
        one["ended_by"] = rng.choice(("08:00", "17:30", "24:00"))
    if rng.random() < 0.5:
        one["longer_than"] = HOUR * rng.choice((1, 20))
    elif rng.random() < 0.3:
        one["at_most"] = HOUR * rng.choice((20, 30))
    if rng.random() < 0.3:
        one["only"] = {"queue": rng.choice(QUEUES)}
    return one


def _add_dates_of_nodes(rng: random.Random, site: dict[str, Any], names: list[str]) -> None:
    def some() -> dict[str, Any]:
        begin = float(rng.randint(0, 60))
        chosen = sorted(rng.sample(names, rng.randint(1, len(names))))
        return {"nodes": chosen, "begin": begin, "end": begin + rng.randint(5, 60)}

    if rng.random() < 0.25:
        site["outages"] = [some()]
    if rng.random() < 0.25:
        site["reservations"] = [{"name": "r", **some()}]
        if rng.random() < 0.7:
            site["reservations"][0]["users"] = "ann"
    if site.get("partitions") and rng.random() < 0.1:
        begin = float(rng.randint(0, 40))
        first = site["partitions"][0]
        cores = {f"{one['name']}{n + 1}": one["cores"] for one in site["nodes"] for n in range(2)}
        most = sum(cores[name] for name in first.get("nodes", names))
        site["capacity"] = [
            {"begin": begin, "processors": 1, "partition": first["name"]},
            {"begin": begin + 50, "processors": most, "partition": first["name"]},
        ]


def random_jobs(
    rng: random.Random, site: dict[str, Any], *, nodes: bool, hours: bool
) -> list[Asked]:
    """Make jobs that the site accepts in most cases."""
    scale = HOUR if hours else 1.0
    date, jobs = 0.0, []
    gap = rng.choice((0, 4, 15))
    most = processors_of(site)
    for number in range(1, rng.randint(4, 14)):
        date += rng.randint(0, gap) * scale
        walltime = rng.choice((rng.randint(1, 20), rng.randint(1, 60))) * scale
        # no two ends at one date by chance, but for some
        run = max(1, round(walltime * rng.choice((1, 1.2, rng.random(), rng.random()))))
        job: Asked = {
            "id": number, "subtime": date, "res": rng.randint(1, min(most, 4)),
            "walltime": walltime, "profile": f"{run}",
            "user_id": rng.choice(USERS), "queue": rng.choice(QUEUES),
        }  # fmt: skip
        _add_fields(rng, job, site, scale)
        if nodes:
            _add_asked_of_nodes(rng, job, site)
        jobs.append(job)
    return jobs


def _add_fields(rng: random.Random, job: Asked, site: dict[str, Any], scale: float) -> None:
    for name, values in (("project", LABS), ("qos", QOS)):
        if rng.random() < 0.7:
            job[name] = rng.choice(values)
    if rng.random() < 0.15:
        job["eligible_time"] = job["subtime"] + rng.randint(0, 30) * scale
    if rng.random() < 0.15:
        job["licences"] = rng.choice(("matlab", "matlab:2", "ansys:1,matlab:1"))
    if rng.random() < 0.15:
        job |= {"array": "7", "array_limit": 2}
    known = [one["name"] for one in site.get("partitions", [])]
    if known and rng.random() < 0.6:
        job["partition"] = ",".join(rng.sample(known, rng.randint(1, len(known))))
    if rng.random() < 0.5:
        job["mem"] = float(rng.randint(1, 4))
    if rng.random() < 0.2:
        job["node"] = rng.randint(1, min(2, job["res"]))
    if rng.random() < 0.2:
        job["gpu"] = rng.randint(1, 2) * job.get("node", 1)


def _add_asked_of_nodes(rng: random.Random, job: Asked, site: dict[str, Any]) -> None:
    if rng.random() < 0.2:
        job["tasks_per_node"] = rng.randint(1, 3)
    if rng.random() < 0.2 and job["res"] % 2 == 0:
        job["tasks"] = job["res"] // 2
    if rng.random() < 0.15:
        job["memory_per_node"] = float(rng.randint(1, 4))
    if rng.random() < 0.15:
        job["exclusive"] = True
    if rng.random() < 0.15:
        job["features"] = rng.choice(("fast", "big", "fast&big", "fast|big"))
    if "gpu" in job and rng.random() < 0.4:
        job["gpu_type"] = rng.choice("ab")
    if "reservations" in site and rng.random() < 0.3:
        job["reservation"] = "r"
