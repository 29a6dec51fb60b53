"""Says which rules of a site a schedule breaks; knows nothing of how it was made."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.schedulers.site.gpu_matching import gpus_suffice
from tests.schedulers.site.rules_model import ROUNDING, Asked, Ran, Rules, listed

AT_THE_END = 1e12
"""When all outages and reservations are over."""


class Checker:
    """Checks schedules on a site.

    Parameters
    ----------
    content
        Of the site's file.
    jobs
        As a workload has them, in the order of their submissions.
    processors
        Of the machine, where the site has no nodes.
    """

    def __init__(
        self, content: Mapping[str, Any], jobs: Sequence[Asked], processors: int = 0
    ) -> None:
        self.rules = Rules(content)
        self.processors = processors
        self.jobs = jobs
        self.nodes: list[dict[str, Any]] = []
        self.names: list[str] = []
        self.node_of: list[int] = []
        for one in content.get("nodes", ()):
            for number in range(1, one["count"] + 1):
                self.node_of += [len(self.nodes)] * one["cores"]
                self.names.append(f"{one['name']}{number}")
                self.nodes.append(one)

    def broken(
        self, ran: Sequence[Ran], processors: Mapping[int, Sequence[int]], *, refusals: bool = True
    ) -> list[str]:
        """Return what is broken in a schedule; jobs that have no start are taken for refused.

        Without `refusals` it does not look whether they had to be, which takes long on many nodes.
        """
        for one in ran:
            one.on = {}
            for place in processors[one.job["id"]] if self.nodes else ():
                node = self.node_of[place]
                one.on[node] = one.on.get(node, 0) + 1
        found = [*self._wrongly_refused(ran)] if refusals else []
        for one in ran:
            beside = [other for other in ran if other.start <= one.start < other.end]
            name = f"job {one.job['id']} at {one.start:g}"
            found += [f"{name}: {what}" for what in self._of_start(one, beside)]
            # what starts at the same date may come later
            before = [
                other
                for other in beside
                if other is not one and (other.start < one.start or self._same_limits(one, other))
            ]
            rule = self.rules.stops(one.job, one.start + ROUNDING / 10, before)
            if rule is not None:
                found.append(f"{name}: {rule}")
            taken = [place for other in beside for place in processors[other.job["id"]]]
            if len(set(taken)) < len(taken):
                found.append(f"{name}: a processor is given twice")
            if len(processors[one.job["id"]]) != one.job["res"]:
                found.append(f"{name}: has {len(processors[one.job['id']])} processors")
        return found

    def left_waiting(self, ran: Sequence[Ran]) -> list[str]:
        """Return the first job that no rule stopped and that had room, but was not started.

        Of a schedule in the order of submission, with a scheduler that looks whenever it can.
        """
        dates = {date for one in ran for date in (one.job["subtime"], one.start, one.end)}
        dates |= {self.rules.since(one.job) for one in ran}
        dates |= {*self.rules.dates(max(dates, default=0.0))}
        order = {job["id"]: place for place, job in enumerate(self.jobs)}
        waits = sorted(ran, key=lambda one: order[one.job["id"]])
        found = []
        for now in sorted(dates):
            running = [one for one in ran if one.start <= now < one.end]
            for one in waits:
                if not one.job["subtime"] <= now < one.start:
                    continue
                if self.rules.stops(one.job, now, running) is None:
                    # which GPUs the others have is not to be seen
                    if "gpu" not in one.job and self.has_room(one.job, now, running):
                        found.append(f"job {one.job['id']} is left waiting at {now:g}")
                    break
        return found

    def _same_limits(self, one: Ran, other: Ran) -> bool:
        """Say whether another that starts at the same date is stopped by all that counts it."""
        limits = self.rules.of("limits")
        return all(self.rules.stopped_by(limit, other.job) for limit in limits)

    def _of_start(self, one: Ran, beside: Sequence[Ran]) -> Iterator[str]:
        job, now, rules = one.job, one.start, self.rules
        length = min(float(job["profile"]), rules.walltime(job))
        if not math.isclose(one.end - now, length, abs_tol=ROUNDING):
            yield f"ran {one.end - now} s, not {length}"
        cycle = rules.cycle
        if cycle and not math.isclose(now / cycle, round(now / cycle), abs_tol=1e-9):
            yield "starts between cycles"
        if not self.nodes:
            if sum(other.job["res"] for other in beside) > rules.capacity(now):
                yield "starts above the capacity"
            return
        ways = self.ways(job)
        if not any(self._is_as_asked(job, one.on, partition) for partition in ways):
            yield f"its nodes {one.on} are not as it asked"
        yield from self._shared(one, beside)
        lost = self.lost(now)
        for node in one.on:
            used = sum(other.on.get(node, 0) for other in beside)
            if used > self.nodes[node]["cores"] - lost.get(node, 0):
                yield f"{self.names[node]} has {lost[node]} processors less"
            if self.is_closed(job, node, now):
                yield f"{self.names[node]} is reserved"
        yield from self._above(beside)

    def _shared(self, one: Ran, beside: Sequence[Ran]) -> Iterator[str]:
        for other in beside:
            for node in one.on.keys() & other.on.keys() if other is not one else ():
                if self.is_whole(one, node) or self.is_whole(other, node):
                    yield f"{self.names[node]} is whole, and shared with {other.job['id']}"

    def _above(self, beside: Sequence[Ran]) -> Iterator[str]:
        for node, one in enumerate(self.nodes):
            used = sum(self.memory(other.job, other.on.get(node, 0)) for other in beside)
            if used > one.get("memory", math.inf) + ROUNDING:
                yield f"{self.names[node]} has {used} GiB in use"
        if not gpus_suffice(self.nodes, beside):
            yield "more GPUs are in use than there are"

    # what a job asks of nodes
    def ways(self, job: Asked) -> list[str | None]:
        return self.rules.taking(job) if self.rules.told(job) is not None else [None]

    def in_partition(self, node: int, partition: str | None) -> bool:
        told = _names(self.rules.partitions[partition].get("nodes")) if partition else None
        return not told or self.names[node] in told or self.nodes[node]["name"] in told

    def is_whole(self, one: Ran, node: int) -> bool:
        if one.job.get("exclusive") or self.nodes[node].get("whole"):
            return True
        # of several partitions it may be in any that has all its nodes
        fitting = [
            name for name in self.ways(one.job) if all(self.in_partition(n, name) for n in one.on)
        ]
        return bool(fitting) and all(
            self.rules.partitions[name].get("whole") for name in fitting if name
        ) and None not in fitting  # fmt: skip

    def memory(self, job: Asked, processors: int) -> float:
        if not processors:
            return 0.0
        each = job.get("mem", 0.0) / job["res"]
        return float(job.get("memory_per_node", each * processors))

    def unit(self, job: Asked) -> int:
        tasks = job.get("tasks", 0)
        return job["res"] // tasks if tasks >= max(1, job.get("node", 0)) else 1

    def _is_as_asked(self, job: Asked, on: Mapping[int, int], partition: str | None) -> bool:
        unit, most, count = self.unit(job), job.get("tasks_per_node", 0), job.get("node", 0)
        if count and count * most * unit < job["res"]:
            most = 0
        if count and len(on) != count:
            return False
        for node, given in on.items():
            one = self.nodes[node]
            if not self.in_partition(node, partition) or not self._has_features(job, node):
                return False
            if given % unit or given > one["cores"] or (most and given > most * unit):
                return False
            if self.memory(job, given) > one.get("memory", math.inf) + ROUNDING:
                return False
        return True

    def _has_features(self, job: Asked, node: int) -> bool:
        if "features" not in job:
            return True
        has = set(self.nodes[node].get("features", ()))
        return any(set(part.split("&")) <= has for part in job["features"].split("|"))

    # dates of nodes
    def lost(self, now: float) -> dict[int, int]:
        """Return how many processors of each node are not to be had."""
        lost: dict[int, int] = {}
        for one in self.rules.of("outages"):
            if one["begin"] <= now < one["end"]:
                for name in one["nodes"]:
                    lost[self.names.index(name)] = self.nodes[self.names.index(name)]["cores"]
        for partition in (None, *self.rules.partitions):
            pool = [n for n in range(len(self.nodes)) if self.in_partition(n, partition)]
            there = sum(self.nodes[node]["cores"] for node in pool)
            away = max(0.0, there - self.rules.capacity(now, partition))
            for node in reversed(pool):
                part = min(int(away), self.nodes[node]["cores"])
                away -= part
                lost[node] = max(lost.get(node, 0), part)
        return {node: count for node, count in lost.items() if count}

    def is_closed(self, job: Asked, node: int, now: float) -> bool:
        end = now + self.rules.walltime(job)
        for one in self.rules.of("reservations"):
            inside = self.names[node] in one["nodes"]
            if job.get("reservation") == one["name"]:
                if not inside or not one["begin"] <= now < one["end"]:
                    return True
            elif inside and now < one["end"] and one["begin"] < end:
                return True
        return False

    # refused jobs
    def may_reserve(self, job: Asked) -> bool:
        known = {one["name"]: one for one in self.rules.of("reservations")}
        one = known.get(job.get("reservation", ""), {})
        return "reservation" not in job or job["user_id"] in listed(one.get("users", ()))

    def has_room(self, job: Asked, now: float, beside: Sequence[Ran]) -> bool:
        """Try all ways to give a job processors beside those that run."""
        if not self.nodes:
            there = min(self.processors, self.rules.capacity(now))
            return job["res"] + sum(one.job["res"] for one in beside) <= there
        lost = self.lost(now)
        free = [
            one["cores"] - lost.get(node, 0) - sum(other.on.get(node, 0) for other in beside)
            for node, one in enumerate(self.nodes)
        ]
        most = [
            0 if self.is_closed(job, node, now) else max(0, left) for node, left in enumerate(free)
        ]
        for way in _ways(most, job["res"]):
            on = {node: given for node, given in enumerate(way) if given}
            one = Ran(job, now, math.inf, on)
            if any(node in lost and self.is_whole(one, node) for node in on):
                continue
            if any(self._is_as_asked(job, on, name) for name in self.ways(job)) and not (
                any(self._shared(one, beside)) or any(self._above([*beside, one]))
            ):
                return True
        return False

    def _wrongly_refused(self, ran: Sequence[Ran]) -> Iterator[str]:
        began = {one.job["id"]: one for one in ran}
        for place, job in enumerate(self.jobs):
            never = self.rules.never(job)
            if not never and self.nodes:
                anywhere = {name: told for name, told in job.items() if name != "reservation"}
                never = not self.may_reserve(job) or not self.has_room(anywhere, AT_THE_END, ())
            is_above = False
            for limit in () if never else self.rules.of("limits"):
                now = job["subtime"]
                in_time = limit.get("begin", 0.0) <= now < limit.get("end", math.inf)
                if limit["of"] == "submitted" and in_time and self.rules.stopped_by(limit, job):
                    if self._some_waited_in_vain(self.jobs[:place], began):
                        never = job["id"] not in began  # it is unknown until when they counted
                    before = [began[o["id"]] for o in self.jobs[:place] if o["id"] in began]
                    there = [o for o in before if self.rules.counted(limit, job, o.job)]
                    is_above |= sum(o.end > now for o in there) + 1 > self.rules.most(limit, job)
            if not (never or is_above or job["id"] in began) and self.rules.last(job) < math.inf:
                continue  # it may have waited till then
            if (never or is_above) is (job["id"] in began):
                yield f"job {job['id']} was {'not ' if never or is_above else ''}to be refused"

    def _some_waited_in_vain(self, jobs: Sequence[Asked], began: Mapping[int, Ran]) -> bool:
        """Say whether jobs that did not begin may have waited until they never could."""
        return any(one["id"] not in began and self.rules.last(one) < math.inf for one in jobs)


def _ways(most: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to make a sum of numbers that are at most some."""
    if not most:
        if not total:
            yield ()
        return
    for first in range(min(most[0], total), -1, -1):
        for rest in _ways(most[1:], total - first):
            yield first, *rest


def _names(told: Any) -> list[str]:  # noqa: ANN401 - of a file
    """Return names, and those of a range such as ``n[3-8]``."""
    found = []
    for name in listed(told or ()):
        match = re.fullmatch(r"(\w+)\[(\d+)-(\d+)\]", name)
        numbers = range(int(match[2]), int(match[3]) + 1) if match else ()
        found += [f"{match[1]}{number}" for number in numbers] if match else [name]
    return found
