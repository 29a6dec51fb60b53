"""The bound on waiting: what it promises, on random workloads."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest

from pred_aware import Workload, simulate
from schedulers import Decision, Request, make_policy
from schedulers.contract.playing import Played, Spec, play
from schedulers.core.backlog import SIX_HOURS, Backlog
from schedulers.core.bounded import Bounded
from schedulers.core.job import Job
from schedulers.core.scheduler import Scheduler
from schedulers.journal import Journal
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case

TOO_SHORT = {"name": "constant", "seconds": 2}
ESTIMATES: tuple[Any, ...] = (TOO_SHORT, "actual", "walltime")
ORDERS = ("fcfs", "sjf", "wfp")
BACKFILLINGS: tuple[Any, ...] = (
    "none", "filler", "easy", {"name": "easy", "candidates": "shortest"},
    {"name": "easy", "reservations": 3}, {"name": "easy", "reservations": 1000},
)  # fmt: skip


@dataclass
class Watched:
    """A policy whose protected jobs are watched: a place may only move to an earlier date."""

    inner: Scheduler
    wait: float
    first: dict[int, float] = field(default_factory=dict)
    journal: Journal | None = None
    needs_fields: bool = True

    def begin(self, processors: int) -> None:
        self.inner.begin(processors)

    def places(self) -> dict[int, float]:
        waiting = self.inner._queue  # noqa: SLF001 - nothing else tells of the places
        return {job.number: job.reserved_at for job in waiting if job.reserved_at >= 0.0}

    def decide(self, request: Request) -> list[Decision]:
        bounded = self.inner._backfilling  # noqa: SLF001
        assert isinstance(bounded, Bounded)
        before = self.places()
        decisions = self.inner.decide(request)
        for number, place in self.places().items():
            assert request.now < place <= before.get(number, place)
            self.first.setdefault(number, place)
        return decisions


def options(rng: random.Random, wait: float) -> dict[str, Any]:
    return {
        "order": rng.choice(ORDERS),
        "backfilling": rng.choice(BACKFILLINGS),
        "predictor": rng.choice(ESTIMATES),
        "correction": rng.choice(["walltime", "tsafrir", "none"]),
        "max_wait": wait,
        "call_margin": 0,
    }


def cases() -> Iterator[tuple[dict[str, Any], float, list[Spec]]]:
    for seed, specs in enumerate(workloads(300)):
        rng = random.Random(seed)  # noqa: S311 - a seeded choice
        wait = rng.choice((0, 5, 20, 60))
        yield options(rng, wait), wait, specs


def longest_wait(spec: Spec, specs: list[Spec], played: Played, wait: float) -> float:
    """The bound as `Bounded` states it: wait + W + S."""
    date = spec.submit + wait
    running = [
        other.walltime or 0.0
        for other in specs
        if played.starts[other.id] < date < played.ends[other.id]
    ]
    before = specs[: specs.index(spec)]
    waiting = [other.walltime or 0.0 for other in before if played.starts[other.id] >= date]
    return wait + max(running, default=0.0) + sum(waiting)


def test_no_job_waits_for_longer_than_the_stated_bound() -> None:
    for made_of, wait, specs in cases():
        played = play(make_policy("policy", made_of), specs, PROCESSORS)
        for spec in specs:
            waited = played.starts[spec.id] - spec.submit
            assert waited <= longest_wait(spec, specs, played, wait), (made_of, spec, specs)


def asked_wait(
    spec: Spec, specs: list[Spec], played: Played, *, share: float, least: float
) -> float:
    """How long a job had waited at the pass that protected it, worked out from what ran when."""

    def worth(date: float) -> float:
        ended = [one for one in specs if played.ends[one.id] <= date]
        asked = sum(one.size * (one.walltime or 0.0) for one in ended)
        return sum(one.size * one.duration for one in ended) / asked if asked else 1.0

    submissions = sorted({one.submit for one in specs})
    for date in sorted({*submissions, *played.ends.values()}):
        length = {
            one.id: one.duration
            if played.ends[one.id] <= date
            else (one.walltime or 0.0) * worth(one.submit)
            for one in specs
        }
        largest = max(
            sum(
                one.size * length[one.id]
                for one in specs
                if one.submit <= before <= played.starts[one.id]
            )
            for before in submissions
            if before <= date
        )
        if date - spec.submit >= max(least, share * largest / PROCESSORS) - 1e-9:
            return date - spec.submit
    return float("inf")


def test_the_stated_bound_holds_with_a_wait_that_grows_with_the_backlog() -> None:
    protected = 0
    for made_of, wait, specs in islice(cases(), 150):
        share = (0.05, 0.2, 0.5)[len(specs) % 3]
        made_of["max_wait"] = {"backlog": share, "wait": wait, "ahead": len(specs) % 4}
        played = play(make_policy("policy", made_of), specs, PROCESSORS)
        for spec in specs:
            waited = played.starts[spec.id] - spec.submit
            asked = asked_wait(spec, specs, played, share=share, least=wait)
            assert waited <= longest_wait(spec, specs, played, asked), (made_of, spec, specs)
            protected += waited > asked
    assert protected > 30


def test_the_wait_follows_the_largest_backlog_as_run_times_become_known() -> None:
    backlog = Backlog(0.5, least=3.0)
    backlog.processors = 5
    first = waiting(Spec("first", 0, 5, 10, 20), 1)
    backlog.look([first], 1.0)
    assert backlog.wait() == 10.0
    backlog.started([first])
    second, third = (waiting(Spec("any", 1, 5, 40, 40), number) for number in (2, 3))
    backlog.look([second], 0.5)
    assert backlog.wait() == 10.0
    backlog.look([second, third], 0.5)
    assert backlog.wait() == 20.0
    backlog.started([second, third])
    # the first was alone in its backlog, so that now the two others make the largest
    backlog.ended(first, 10.0)
    assert backlog.wait() == 20.0
    backlog.ended(third, 8.0)
    assert backlog.wait() == 14.0
    backlog.ended(second, 2.0)
    assert backlog.wait() == 5.0
    assert Backlog(0.5).wait() == SIX_HOURS


def test_the_largest_backlog_equals_that_of_a_plain_list() -> None:
    rng = random.Random(3)  # noqa: S311 - a seeded choice
    backlog, plain = Backlog(1.0, least=0.0), list[dict[int, float]]()
    waiting, running = list[Job](), list[Job]()
    for number in range(1000):
        if rng.random() < 0.6:
            walltime = float(rng.randrange(1, 1000))
            waiting.append(Job("", 0.0, 1, walltime, number=number, backfilling=walltime))
            backlog.look(waiting, 1.0)
            plain.append({job.number: job.walltime for job in waiting})
        elif waiting and rng.random() < 0.6:
            started = waiting.pop(rng.randrange(len(waiting)))
            started.started = 0.0
            running.append(started)
            backlog.started([started])
        elif running:
            ended = running.pop(rng.randrange(len(running)))
            run_time = float(rng.randrange(1, 1000))
            backlog.ended(ended, run_time)
            for one in plain:
                if ended.number in one:
                    one[ended.number] = run_time
        assert backlog.wait() == max([sum(one.values()) for one in plain], default=0.0)


def test_a_job_is_protected_early_if_running_jobs_would_make_it_wait_too_long() -> None:
    """A job of the whole machine comes while another runs to 1000, and short ones fill it up."""
    filling = [Spec(f"short {n}", 99.0 * n, 1, 400, 400) for n in range(1, 40)]
    specs = [Spec("runs", 0, PROCESSORS - 1, 1000, 1000), Spec("whole", 1, PROCESSORS, 10, 10)]
    starts = {}
    for ahead in (0, 1):
        made_of: dict[str, Any] = {
            "order": "sjf", "backfilling": "filler", "max_wait": {"wait": 1200, "ahead": ahead},
        }  # fmt: skip
        played = play(make_policy("policy", made_of), [*specs, *filling], PROCESSORS)
        starts[ahead] = played.starts["whole"]
    assert (starts[0], starts[1]) == (1400.0, 1000.0)


def test_a_job_that_would_delay_a_place_takes_no_room_from_others() -> None:
    """The shortest by its estimate may run into the place of the whole machine, so two starts."""
    specs = [
        Spec("runs", 0, PROCESSORS - 2, 100, 100), Spec("whole", 1, PROCESSORS, 10, 10),
        Spec("into", 10, 1, 1, 200), Spec("two", 10, 2, 2, 50), Spec("one", 10, 1, 3, 50),
    ]  # fmt: skip
    made_of = {"order": "sjf", "backfilling": "filler", "predictor": "actual", "max_wait": 5}
    starts = play(make_policy("policy", made_of), specs, PROCESSORS).starts
    assert [starts[name] for name in ("two", "one", "whole")] == [10.0, 12.0, 100.0]


def test_without_trust_in_the_estimates_the_rule_does_not_look_ahead() -> None:
    def starts(specs: list[Spec], ahead: int, **options: object) -> dict[str, float]:
        bound = {"wait": 10 * len(specs), "ahead": ahead}
        return play(make_policy("policy", {"max_wait": bound, **options}), specs, PROCESSORS).starts

    # estimates that are all the same never gain trust
    untrusted = {"estimates": {"backfilling": TOO_SHORT}, "min_concordance": 0.9}
    different = 0
    for specs in workloads(100):
        assert starts(specs, 1, **untrusted) == starts(specs, 0, **untrusted)
        different += starts(specs, 1) != starts(specs, 0)
    assert different > 10


def waiting(spec: Spec, number: int) -> Job:
    return Job(spec.id, spec.submit, spec.size, spec.walltime, number=number, started=0.0)


def test_a_protected_job_starts_no_later_than_its_first_planned_start() -> None:
    protected = 0
    for made_of, wait, specs in cases():
        policy = make_policy("policy", made_of)
        assert isinstance(policy, Scheduler)
        watched = Watched(policy, wait)
        played = play(watched, specs, PROCESSORS)
        for number, place in watched.first.items():
            assert played.starts[specs[number - 1].id] <= place, (made_of, specs)
        protected += len(watched.first)
    assert protected > 150


def test_without_a_protected_job_the_schedule_is_unchanged() -> None:
    for seed, specs in enumerate(workloads(100)):
        made_of = options(random.Random(seed), 1e6)  # noqa: S311 - a seeded choice
        bounded = play(make_policy("policy", made_of), specs, PROCESSORS)
        del made_of["max_wait"]
        without = play(make_policy("policy", made_of), specs, PROCESSORS)
        assert (bounded.starts, bounded.processors) == (without.starts, without.processors)


def test_a_gap_that_opens_before_a_place_is_closed_at_once() -> None:
    # at 5 "j" is kept from 100 by the places of "k1" and "k2", which then move; with the gap left
    # open "o" would start before it, and "i" wait for 196 s: more than 1 + 100 + 50 + 10 + 10
    specs = [
        Spec("r1", 0, 1, 100, 100), Spec("r2", 0, 1, 5, 140), Spec("r3", 0, 3, 5, 150),
        Spec("j", 1, 5, 50, 50), Spec("k1", 1, 1, 10, 10), Spec("k2", 1, 2, 10, 10),
        Spec("i", 4, 5, 60, 60), Spec("o", 5, 1, 145, 145),
    ]  # fmt: skip
    played = play(make_policy("policy", {"backfilling": "filler", "max_wait": 1}), specs, 5)
    assert played.starts["i"] == 150
    assert longest_wait(specs[6], specs, played, 1) == 171


def test_a_job_that_starts_from_its_protected_place_counts_as_running_for_the_others() -> None:
    # "p" starts at 10 from its place, and "head" reserves the end of "p"
    specs = [
        Spec("a", 0, 4, 10, 10), Spec("p", 1, 3, 50, 50), Spec("head", 9, 2, 5, 5),
        Spec("c", 9, 1, 60, 60),
    ]  # fmt: skip
    policy = make_policy("easy", {"max_wait": 5})
    assert play(policy, specs, 4).starts["c"] == 10
    assert policy.journal is not None
    assert [row[5] for row in policy.journal.rows() if row[0] == "head"] == ["60.000000"]


def stream_of_small_jobs() -> list[Spec]:
    # "small0" runs when "large" comes; then there is always another small job that keeps it out
    small = [Spec(f"small{number}", 9.0 * number, 1, 10, 10) for number in range(20)]
    return sorted([*small, Spec("large", 1, 2, 10, 10)], key=lambda spec: spec.submit)


def test_a_job_is_protected_after_the_given_work_has_overtaken_it() -> None:
    specs = stream_of_small_jobs()
    starts = {
        overtaken: play(
            make_policy("policy", {"backfilling": "filler", "max_wait": {"overtaken": overtaken}}),
            specs,
            2,
        ).starts["large"]
        for overtaken in (10, 30, 1e9)
    }
    # of 10 processor seconds each: after the first (at 9) it gets the place at 19, after the
    # third (at 27) the one at 37; else it waits for all of them
    assert starts == {10: 19, 30: 37, 1e9: 181}


def test_a_job_protected_because_of_work_starts_no_later_than_first_planned() -> None:
    protected = 0
    for seed, specs in enumerate(workloads(300)):
        made_of = options(random.Random(seed), 0)  # noqa: S311 - a seeded choice
        made_of["max_wait"] = {"overtaken": 20}
        policy = make_policy("policy", made_of)
        assert isinstance(policy, Scheduler)
        watched = Watched(policy, 0)
        played = play(watched, specs, PROCESSORS)
        for number, place in watched.first.items():
            assert played.starts[specs[number - 1].id] <= place, (made_of, specs)
        protected += len(watched.first)
    assert protected > 15


FAR_PLACE = [
    Spec("a", 0, 2, 1000, 1000), Spec("large", 420, 4, 300, 300), Spec("early", 420, 1, 154, 1910),
    Spec("beside", 420, 2, 1080, 1080), Spec("b", 430, 1, 1000, 1000), Spec("c", 500, 4, 220, 220),
]  # fmt: skip
"""On 4 processors: "large" is overtaken by "early", and gets the place at its walltime's end, 2330.

"beside" is overtaken by "b", and gets the one at 1000, beside it. Then "early" ends at 574.
"""


def test_an_early_place_does_not_delay_a_job_that_has_waited() -> None:
    bound = {"wait": 400, "overtaken": 1000}
    played = play(
        make_policy("policy", {"backfilling": "filler", "max_wait": bound}), FAR_PLACE, PROCESSORS
    )
    large = FAR_PLACE[1]
    # when "large" has waited for 400 s, "a" and "b" run, and no earlier job waits
    assert longest_wait(large, FAR_PLACE, played, 400) == 400 + 1000
    assert played.starts["large"] == 1430
    assert played.starts["beside"] == 1730


def test_without_a_wait_an_early_place_stays() -> None:
    made_of = {"backfilling": "filler", "max_wait": {"overtaken": 1000}}
    starts = play(make_policy("policy", made_of), FAR_PLACE, PROCESSORS).starts
    assert (starts["beside"], starts["large"]) == (1000, 2080)


SEVERAL_WIDE = [
    Spec(job_id, 0, size, run, walltime)
    for job_id, size, run, walltime in (
        ("3", 3, 3, 60), ("4", 1, 5, 5), ("5", 3, 60, 60), ("8", 2, 20, 20), ("10", 3, 60, 60),
        ("11", 3, 30, 30), ("20", 1, 10, 10), ("24", 2, 20, 20), ("28", 1, 5, 5), ("43", 1, 1, 1),
        ("58", 1, 1, 1),
    )
]  # fmt: skip


@each_case("wait", [10, 20, 30])
@each_case("overtaken", [1, 10, 30])
@each_case("order", ["fcfs", "sjf", "saf", "wfp"])
def test_wide_jobs_that_are_overtaken_at_once_wait_no_longer(
    order: str, overtaken: int, wait: int
) -> None:
    made_of = {"order": order, "backfilling": "none"}
    bound = {"wait": wait, "overtaken": overtaken}
    played = play(make_policy("policy", {**made_of, "max_wait": bound}), SEVERAL_WIDE, 3)
    for spec in SEVERAL_WIDE:
        assert played.starts[spec.id] <= longest_wait(spec, SEVERAL_WIDE, played, wait), spec


def crowds(number: int) -> Iterator[tuple[random.Random, list[Spec]]]:
    """Make workloads for 3 processors in which wide jobs are overtaken and some end early."""
    for seed in range(number):
        rng = random.Random(seed)  # noqa: S311 - a seeded workload
        date, specs = 0, []
        for place in range(rng.randint(8, 14)):
            date += rng.choice((0, 0, 0, 5))
            walltime = rng.choice((1, 5, 10, 20, 30, 60, 100))
            run = walltime if rng.random() < 0.8 else rng.randint(1, walltime)
            size = rng.choice((1, 1, 2, 2, 3, 3))
            specs.append(Spec(f"w0!{place}", date, size, run, walltime))
        yield rng, specs


def test_with_both_limits_no_job_waits_longer_than_the_stated_bound() -> None:
    for rng, specs in crowds(250):
        wait = rng.choice((10, 20, 30))
        made_of = {
            "order": rng.choice(("sjf", "saf")),
            "backfilling": rng.choice(BACKFILLINGS),
            "max_wait": {"wait": wait, "overtaken": rng.choice((1, 10))},
        }
        played = play(make_policy("policy", made_of), specs, 3)
        for spec in specs:
            waited = played.starts[spec.id] - spec.submit
            assert waited <= longest_wait(spec, specs, played, wait), (made_of, spec, specs)


@pytest.mark.parametrize("down", ["n[1-2]", "n[1-4]"])
def test_the_backlog_counts_the_whole_machine_also_while_nodes_are_down(down: str) -> None:
    rng = random.Random(3)  # noqa: S311 - jobs of no secret
    jobs = [
        {"id": n, "subtime": 100 + n, "res": rng.randint(1, 4), "walltime": time, "profile": "D"}
        for n, time in enumerate(rng.choices([40, 90, 400], k=80))
    ]
    workload = Workload.of(
        {"nb_res": 4, "jobs": jobs, "profiles": {"D": {"type": "delay", "delay": 30}}}
    )
    nodes = {"nodes": [{"name": "n", "count": 4, "cores": 1}]}
    # before the first job and after the last
    outages = ({"begin": 0, "end": 50}, {"begin": 10**6, "end": 10**6 + 50})
    runs = [
        simulate(
            workload,
            "easy",
            order="sjf",
            max_wait={"backlog": share, "wait": 1},
            options={"site": {**nodes, "outages": [{"nodes": down, **outage}]}},
        )
        for outage in outages
        for share in (0.1, 0.5)
    ]
    assert [run.jobs_sha256 for run in runs[:2]] == [run.jobs_sha256 for run in runs[2:]]
