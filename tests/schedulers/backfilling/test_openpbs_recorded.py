"""The calendar of OpenPBS beside the cycles of a real one, `openpbs_recorded.json`."""

import json
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from schedulers import Job
from schedulers.backfilling.openpbs import OpenPbsCalendar
from schedulers.core.counting import Counting
from schedulers.core.job import Plan
from schedulers.site.reader import site_of

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("openpbs_recorded.json").read_text(encoding="utf-8")
)
SITE = site_of({"processors": RECORDED["processors"], "start": RECORDED["unix_start"]})


def jobs() -> dict[int, tuple[Job, float, float]]:
    """Return the jobs with their starts and ends, by their numbers."""
    return {
        number: (
            Job(
                str(number), submit, size, walltime,
                backfilling=walltime, running=walltime, number=number,
            ),
            start, end,
        )
        for number, size, walltime, submit, start, end in RECORDED["jobs"]["rows"]
    }  # fmt: skip


def cycle(
    now: float, running: set[int], waiting: list[int]
) -> tuple[set[int], dict[int, float]] | None:
    """Return the starting jobs and the planned starts of top jobs; None if they cannot all run."""
    known = jobs()
    machine, plan = Counting(), Plan()
    machine.begin(RECORDED["processors"])
    for number in running:
        job, start, _ = known[number]
        job.started, job.planned_end = start, start + job.running
        if not machine.take(job):
            return None
        plan.add(job)
    calendar = OpenPbsCalendar(backfill_depth=3)
    calendar.on_site(SITE)
    calendar.begin(machine)
    queue = [known[number][0] for number in waiting]
    started = {job.number for job in calendar.choose([*queue], plan, now)}
    promised = {job.number: job.last_promise for job in queue if job.number not in started}
    return started, {number: date for number, date in promised.items() if date >= now}


def is_like(
    one: tuple[set[int], dict[int, float]] | None, really: set[int], planned: dict[int, float]
) -> bool:
    # a cycle that goes over a full second tells later dates
    return (
        one is not None
        and one[0] == really
        and one[1].keys() == planned.keys()
        and all(abs(date - planned[number]) <= 1 for number, date in one[1].items())
    )


def test_starts_and_plans_equal_those_of_a_real_openpbs() -> None:
    known, begun, alike, tops = jobs(), set[int](), 0, 0
    cycles = RECORDED["cycles"]["rows"]
    for now, last, really, planned in cycles:
        waiting = [number for number in known if number <= last and number not in begun]
        there = {number for number in begun if known[number][2] >= now}
        # whether an end in the cycle's own second came before it, the record does not tell
        ending = [number for number in there if known[number][2] == now]
        seen = chain.from_iterable(combinations(ending, n) for n in range(len(ending) + 1))
        tried = [cycle(now, there - {*ended}, waiting) for ended in seen]
        alike += any(is_like(one, set(really), dict(planned)) for one in tried)
        tops += len(planned)
        begun |= {*really}
    assert (len(begun), len(cycles), tops) == (130, 256, 732)
    assert alike == len(cycles)
