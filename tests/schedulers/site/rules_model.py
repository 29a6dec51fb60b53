"""The rules of a site, computed from the content of its file for each question."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

Asked = dict[str, Any]
"""A job as a workload has it."""

HALF_HOUR = 1800.0
ROUNDING = 1e-6
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_IN_WORKLOADS = {"user": "user_id"}


@dataclass
class Ran:
    """A job that started, and what it had; dates in seconds."""

    job: Asked
    start: float
    end: float
    on: dict[int, int] = field(default_factory=dict)
    """Its processors on each node."""


def listed(told: Any) -> list[Any]:  # noqa: ANN401 - of a file
    return [told] if isinstance(told, str) else list(told)


class Rules:
    """What a site says of jobs by themselves, and beside those that run."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content
        self.partitions = {one["name"]: one for one in content.get("partitions", ())}
        self.cycle = float(content.get("cycle", 0.0))

    def of(self, name: str) -> list[Any]:
        return list(self.content.get(name, ()))

    # what a job asks for
    def told(self, job: Asked) -> list[str] | None:
        """Name the partitions that it wants; `None`: anywhere."""
        if not self.partitions:
            return None
        if "partition" in job:
            return [name.strip() for name in job["partition"].split(",")]
        if job.get("queue") in self.partitions:
            return [job["queue"]]
        default = [name for name, one in self.partitions.items() if one.get("default")]
        return default or None

    def taking(self, job: Asked) -> list[str]:
        """Name those of them that take it."""
        return [
            name
            for name in self.told(job) or ()
            if (one := self.partitions.get(name))
            and job.get("node", 1) <= one.get("max_nodes", math.inf)
            and job["res"] <= one.get("max_processors", math.inf)
            and job.get("walltime", 0.0) <= one.get("max_walltime", math.inf)
            and (not one.get("accounts") or job.get("project") in listed(one["accounts"]))
            and (not one.get("qos") or job.get("qos") in listed(one["qos"]))
        ]

    def walltime(self, job: Asked) -> float:
        partitions = self.taking(job)
        default = self.partitions[partitions[0]].get("default_walltime") if partitions else None
        told = job.get("walltime", default)
        return math.inf if told is None else float(told)

    def since(self, job: Asked) -> float:
        """Return from when on it can run by itself."""
        told = job.get("eligible_time") if self.content.get("eligible", True) else None
        return float(job["subtime"] if told is None else max(told, job["subtime"]))

    def key(self, job: Asked, name: str) -> str:
        if name == "partition" and self.told(job) is not None:
            return self.taking(job)[0]
        return str(job.get(_IN_WORKLOADS.get(name, name), ""))

    def is_for(self, rule: Mapping[str, Any], job: Asked) -> bool:
        only = rule.get("only", {})
        return all(self.key(job, name) in listed(wanted) for name, wanted in only.items())

    def stopped_by(self, limit: Mapping[str, Any], job: Asked) -> bool:
        """Say whether a limit is for a job, and does not leave it out."""
        left_out = limit.get("exempt", {})
        if any(self.key(job, name) in listed(those) for name, those in left_out.items()):
            return False
        return self.is_for(limit, job)

    # limits
    def keys(self, limit: Mapping[str, Any], job: Asked) -> tuple[str, ...]:
        names = [name for name in listed(limit.get("per", "all")) if name not in ("all", "job")]
        return tuple(self.key(job, name) for name in names)

    def most(self, limit: Mapping[str, Any], job: Asked) -> float:
        own = limit.get("by", {}).get(":".join(self.keys(limit, job)))
        return float(limit.get("most", math.inf) if own is None else own)

    def amount(self, limit: Mapping[str, Any], job: Asked, left: float) -> float:
        """Return what it has of what a limit counts, with so many seconds left."""
        cores = max((one["cores"] for one in self.of("nodes")), default=math.inf)
        nodes = job.get("node", max(1, math.ceil(job["res"] / cores)))
        memory = job.get("mem", 0)
        if "memory_per_node" in job:
            memory = job["memory_per_node"] * job.get("node", 1)
        amounts = {
            "jobs": 1, "processors": job["res"], "nodes": nodes, "memory": memory,
            "gpus": job.get("gpu", 0), "processor_minutes": job["res"] * left / 60.0,
            "walltime": self.walltime(job), "submitted": 1,
            "licences": _licences(job).get(limit.get("licence"), 0),
        }  # fmt: skip
        return float(amounts[limit["of"]])

    def counted(self, limit: Mapping[str, Any], job: Asked, other: Asked) -> bool:
        """Say whether another job counts for a job that a limit is for."""
        counts = limit.get("counts") == "all" or self.is_for(limit, other)
        if limit.get("per") == "job":
            return False
        return counts and self.keys(limit, other) == self.keys(limit, job)

    def above(self, limit: Mapping[str, Any]) -> str:
        return str(limit.get("above") or self.content.get("above", "waits"))

    def _limit_stops(
        self, limit: Mapping[str, Any], job: Asked, now: float, running: Iterable[Ran]
    ) -> bool:
        if not limit.get("begin", -math.inf) <= now < limit.get("end", math.inf):
            return False
        if not self.stopped_by(limit, job):
            return False
        amount = self.amount(limit, job, self.walltime(job))
        most = self.most(limit, job) * (1 + 1e-12) + 1e-9
        if limit.get("per") == "job":
            return amount > most and self.above(limit) != "alone"
        used = [
            len(one.on)
            if limit["of"] == "nodes" and one.on
            else self.amount(limit, one.job, max(0.0, one.start + self.walltime(one.job) - now))
            for one in running
            if self.counted(limit, job, one.job)
        ]
        if amount == 0 or sum(used) + amount <= most:
            return False
        return not (self.above(limit) == "alone" and not any(used))

    def last(self, job: Asked) -> float:
        """Return from when on a limit without end or a reservation keep it from ever starting."""
        dates = [
            float(one["end"])
            for one in self.of("reservations")
            if one["name"] == job.get("reservation")
        ]
        for limit in self.of("limits"):
            is_endless = "end" not in limit and limit["of"] != "submitted"
            holds = is_endless and self.above(limit) != "alone" and self.stopped_by(limit, job)
            if holds and self.amount(limit, job, self.walltime(job)) > self.most(limit, job):
                dates.append(float(limit.get("begin", -math.inf)))
        return min(dates, default=math.inf)

    def never(self, job: Asked) -> bool:
        """Return True if it can never start on any idle machine, apart from its nodes."""
        if self.told(job) is not None and not self.taking(job):
            return True
        if self.last(job) <= job["subtime"]:
            return True
        windows = [one for one in self.of("windows") if self._is_of(one, job)]
        first = math.ceil(job["subtime"] / HALF_HOUR)
        return bool(windows) and all(
            any(self._closed(one, job, place * HALF_HOUR) for one in windows)
            for place in range(first, first + 15 * 48)
        )

    # windows
    def _is_of(self, window: Mapping[str, Any], job: Asked) -> bool:
        longest = window.get("at_most", math.inf)
        within = window.get("longer_than", 0.0) < self.walltime(job) <= longest
        return within and self.is_for(window, job)

    def _closed(self, window: Mapping[str, Any], job: Asked, now: float) -> bool:
        zone = self.content.get("time_zone", "UTC")
        start = float(self.content["start"])
        days = window.get("days", "Mon-Sun")
        if "closed" in window:
            return is_closed(window["closed"], days, start + now, zone)
        return start + now + self.walltime(job) > next_end(
            window["ended_by"], days, start + now, zone
        )

    def _turns(self, now: float) -> bool:
        """Say whether hours begin or end at a date."""
        zone = self.content.get("time_zone", "UTC")
        date = float(self.content["start"]) + now
        return any(
            asked(hours, one.get("days", "Mon-Sun"), date, zone)
            != asked(hours, one.get("days", "Mon-Sun"), date - 1.0, zone)
            for one in self.of("windows")
            for name, asked in (("closed", is_closed), ("ended_by", next_end))
            if (hours := one.get(name))
        )

    # all of it
    def stops(self, job: Asked, now: float, running: Sequence[Ran]) -> str | None:
        """Say which rule keeps a waiting job from starting beside those that run."""
        if now < self.since(job) - ROUNDING:
            return "not eligible"
        for one in self.of("freezes"):
            whose = listed(one.get("partitions", ()))
            if one["begin"] <= now < one["end"] and (
                not whose or self.key(job, "partition") in whose
            ):
                return "freeze"
        for one in self.of("windows"):
            if self._is_of(one, job) and self._closed(one, job, now):
                return f"window {one}"
        for one in self.of("limits"):
            if one["of"] != "submitted" and self._limit_stops(one, job, now, running):
                return f"limit {one}"
        if "array_limit" in job:
            tasks = sum(one.job.get("array") == job["array"] for one in running)
            if tasks >= job["array_limit"]:
                return "throttle of its array"
        return None

    def capacity(self, now: float, partition: str | None = None) -> float:
        steps = [one for one in self.of("capacity") if one.get("partition") == partition]
        past = [one for one in steps if one["begin"] <= now]
        return float(max(past, key=lambda one: one["begin"])["processors"]) if past else math.inf

    def dates(self, until: float) -> list[float]:
        """Return the dates at which something may change by itself."""
        tables = ("limits", "freezes", "capacity", "outages", "reservations")
        found = {
            float(one[end])
            for name in tables
            for one in self.of(name)
            for end in ("begin", "end")
            if end in one
        }
        if self.of("windows"):
            places = range(int(until / HALF_HOUR) + 2)
            found |= {place * HALF_HOUR for place in places if self._turns(place * HALF_HOUR)}
        return sorted(found)


def _licences(job: Asked) -> dict[str | None, float]:
    parts = [part.partition(":") for part in job.get("licences", "").split(",") if part]
    return {name: float(number or 1) for name, _, number in parts}


@cache
def _days(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        day, stop = _DAYS.index(first), _DAYS.index(last or first)
        while day != stop:
            found.add(day)
            day = (day + 1) % 7
        found.add(stop)
    return frozenset(found)


@cache
def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _minutes(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


@cache
def is_closed(hours: str, days: str, date: float, zone: str) -> bool:
    first, last = map(_minutes, hours.split("-"))
    local = datetime.fromtimestamp(date, _zone(zone))
    minute, today = local.hour * 60 + local.minute, local.weekday()
    if first < last:
        return today in _days(days) and first <= minute < last
    began_yesterday = (today - 1) % 7 in _days(days) and minute < last
    return began_yesterday or (today in _days(days) and minute >= first)


@cache
def next_end(time: str, days: str, date: float, zone: str) -> float:
    today = datetime.fromtimestamp(date, _zone(zone)).date()
    for ahead in range(9):
        day = today + timedelta(days=ahead)
        if day.weekday() in _days(days):
            extra, minute = divmod(_minutes(time), 1440)
            day += timedelta(days=extra)
            wall = datetime(
                day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=_zone(zone)
            )
            if wall.timestamp() > date:
                return wall.timestamp()
    raise AssertionError(time)
