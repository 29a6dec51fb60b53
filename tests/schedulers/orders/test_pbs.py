"""The order of OpenPBS beside what its rules say, computed apart for random queues."""

import math
import random
from functools import cmp_to_key
from typing import Any

import pytest

from predictors import OptionError
from schedulers import Job, make_policy
from schedulers.contract.playing import Spec, play
from schedulers.orders.pbs import Pbs
from schedulers.orders.pbs_formula import read_formula
from schedulers.site.reader import site_of
from tests.suites import each_case

DAY = 86400.0
SHARES = {"chem": 60, "phys": 40, "none": 0}
USERS = {"ann": ("chem", 10), "al": ("chem", 30), "bob": ("phys", 5), "nil": ("none", 1)}
QUEUES = {"low": 10, "mid": 50, "mate": 50, "high": 90}


def site(**openpbs: Any) -> dict[str, Any]:  # noqa: ANN401 - of a site's file
    return {
        "partitions": [{"name": name, "priority_tier": own} for name, own in QUEUES.items()],
        "associations": [
            *({"account": name, "shares": shares} for name, shares in SHARES.items()),
            *(
                {"account": group, "user": user, "shares": shares}
                for user, (group, shares) in USERS.items()
            ),
        ],
        "openpbs": openpbs,
    }


def order_of(content: dict[str, Any]) -> Pbs:
    order = Pbs()
    order.on_site(site_of(content))
    return order


def random_jobs(rng: random.Random, count: int) -> list[Job]:
    jobs = []
    for number in range(count):
        fields = {
            "user": rng.choice([*USERS, "zoe"]),
            "queue": rng.choice([*QUEUES]),
            "mem": rng.choice([1, 2]),
            "job_priority": rng.choice([0, 0, 5]),
        }
        walltime = rng.choice([60.0, 600.0])
        size = rng.choice([1, 2, 8])
        jobs.append(Job(f"j{number}", 50.0 * number, size, walltime, fields=fields, number=number))
    return jobs


def names(jobs: list[Job]) -> list[str]:
    return [job.id for job in jobs]


def by_key(order: Pbs, jobs: list[Job], now: float) -> list[str]:
    return names(sorted(jobs, key=lambda job: order.key(job, now)))


class Usage:
    """The usage of each group and user, summed over all jobs for each date."""

    def __init__(self, decay_time: float, factor: float) -> None:
        self.decay_time, self.factor = decay_time, factor
        self.ran: list[tuple[str, float, float, float]] = []

    def of(self, users: set[str], now: float) -> float:
        total, begin = 1.0, 0.0
        while True:
            end = min(now, begin + self.decay_time)
            for user, rate, start, stop in self.ran:
                if user in users:
                    total += rate * max(0.0, min(stop, end) - max(start, begin))
            if now <= begin + self.decay_time:
                return total
            total, begin = max(1.0, total * self.factor), end

    def path(self, user: str, now: float) -> list[tuple[str, float, float]]:
        """Return the group and the user, each with its part of all shares and its usage."""
        group, own = USERS.get(user, ("unknown", 1))
        all_shares = sum(SHARES.values()) + 20
        of_group = (SHARES.get(group, 20)) / all_shares
        mates = {name for name, (where, _) in USERS.items() if where == group} or {"zoe"}
        within = sum(USERS[name][1] for name in mates) if group != "unknown" else 1
        return [
            (group, of_group, self.of(mates, now)),
            (user, of_group * own / within, self.of({user}, now)),
        ]


@each_case("by", ["queue", "turns", "all"])
@each_case("seed", range(3))
def test_the_order_follows_the_configured_rules(by: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - seeded jobs
    order = order_of(
        site(
            by_queue=by == "queue", round_robin=by == "turns", fair_share=True, unknown_shares=20,
            fairshare_usage_res="ncpus * walltime", fairshare_decay_time=900.0,
            fairshare_decay_factor=0.25, help_starving_jobs=True, max_starve=5500.0,
            job_sort_formula="job_priority * 2 + (1 if walltime < 100 else 0)",
            job_sort_key=["ncpus HIGH", "mem LOW"], fairshare_enforce_no_shares=False,
        )
    )  # fmt: skip
    jobs, usage = random_jobs(rng, 120), Usage(900.0, 0.25)
    # the first forty run for a while
    for job in jobs[:40]:
        order.started(job, job.submit_time)
    for job in jobs[:40]:
        end = 2000.0 + 70.0 * job.number
        user = (job.fields or {})["user"]
        usage.ran.append((user, float(job.processors), job.submit_time, min(end, 4500.0)))
    for job in jobs[:36]:
        order.ended(job, 2000.0 + 70.0 * job.number)
    waiting = jobs[40:]
    for job in waiting:
        order.submitted(job, 6000.0)
    usage.ran = [
        (user, rate, start, 2000.0 + 70.0 * place if place < 36 else math.inf)
        for place, (user, rate, start, _) in enumerate(usage.ran)
    ]
    for now in (6500.0, 8000.0):
        assert by_key(order, waiting, now) == names(expected(waiting, usage, by, now)), now


def expected(jobs: list[Job], usage: Usage, by: str, now: float) -> list[Job]:
    starving = [job for job in jobs if now - job.submit_time > 5500.0]
    rest = [job for job in jobs if job not in starving]
    rest.sort(key=cmp_to_key(lambda one, other: compared(one, other, usage, now)))
    if by == "all":
        return starving + rest
    queues = {
        name: [job for job in rest if (job.fields or {})["queue"] == name]
        for name in ("high", "mid", "mate", "low")
    }
    if by == "queue":
        return starving + [job for queue in queues.values() for job in queue]
    turns = [*queues["high"]]
    for place in range(len(jobs)):
        turns += queues["mid"][place : place + 1] + queues["mate"][place : place + 1]
    return starving + turns + queues["low"]


def compared(one: Job, other: Job, usage: Usage, now: float) -> int:
    values = []
    for job in (one, other):
        fields = job.fields or {}
        value = 2 * fields["job_priority"] + (job.walltime == 60.0)
        values.append((-value, fields["user"], (-job.processors, fields["mem"], job.number)))
    (value, user, keys), (other_value, other_user, other_keys) = values
    if value != other_value:
        return -1 if value < other_value else 1
    steps = zip(usage.path(user, now), usage.path(other_user, now), strict=True)
    for (name, shares, used), (other_name, other_shares, other_used) in steps:
        if name == other_name:
            continue
        if not shares or not other_shares:
            if shares or other_shares:
                return -1 if shares else 1
            break
        if not math.isclose(used / shares, other_used / other_shares, rel_tol=1e-9):
            return -1 if used / shares < other_used / other_shares else 1
    return -1 if keys < other_keys else 1


@each_case(
    ("told", "first"),
    [
        ({"fair_share": True}, "some"),
        ({"fair_share": True, "fairshare_enforce_no_shares": False}, "none"),
        ({"fair_share": False}, "none"),
    ],
)
def test_jobs_without_shares_come_last_if_enforced(told: dict[str, bool], first: str) -> None:
    # shares count in the formula in any case; the larger priority is before them
    order = order_of(site(job_sort_formula="job_priority * 1000 + fairshare_perc", **told))
    jobs = [
        Job("some", 0.0, 1, 60.0, fields={"user": "ann", "job_priority": 0}, number=1),
        Job("none", 0.0, 1, 60.0, fields={"user": "nil", "job_priority": 1}, number=2),
    ]
    for job in jobs:
        order.submitted(job, 0.0)
    assert by_key(order, jobs, 0.0)[0] == first


@each_case(
    ("per", "most", "times"),
    [
        # "a" runs; "b" fills what is left, "c" and "d" of the same user gain nothing
        ("user", 2, {"b": 100.0, "c": 0.0, "d": 0.0, "e": 100.0}),
        # with those before them all stay within
        ("user", 4, {"b": 100.0, "c": 100.0, "d": 100.0, "e": 100.0}),
        # what stops everybody together takes nothing from anybody
        ("all", 1, {"b": 100.0, "c": 100.0, "d": 100.0, "e": 100.0}),
    ],
)
def test_only_as_many_jobs_of_a_user_are_eligible_as_can_run(
    per: str, most: int, times: dict[str, float]
) -> None:
    content = site(eligible_time_enable=True, job_sort_formula="eligible_time")
    order = order_of({**content, "limits": [{"of": "jobs", "per": per, "most": most}]})
    users = {"a": "ann", "b": "ann", "c": "ann", "d": "ann", "e": "bob"}
    waiting = {
        name: Job(name, 0.0, 1, 60.0, fields={"user_id": user}, number=number)
        for number, (name, user) in enumerate(users.items())
    }
    for job in waiting.values():
        order.submitted(job, 0.0)
    by_key(order, [*waiting.values()], 0.0)
    order.started(waiting["a"], 0.0)
    by_key(order, [waiting[name] for name in times], 0.0)
    by_key(order, [waiting[name] for name in times], 100.0)
    assert order.eligible is not None
    assert order.eligible.at(100.0) == times


def test_eligible_time_and_shares_count_in_the_formula() -> None:
    order = order_of(
        site(
            by_queue=False, eligible_time_enable=True, unknown_shares=0,
            job_sort_formula="eligible_time + 100 * fairshare_perc + queue_priority * 10",
        )
    )  # fmt: skip
    first = Job("first", 0.0, 1, 60.0, fields={"user": "bob", "queue": "low"}, number=1)
    second = Job("second", 30.0, 1, 60.0, fields={"user": "al", "queue": "low"}, number=2)
    third = Job("third", 500.0, 1, 60.0, fields={"user": "nil", "queue": "high"}, number=3)
    waiting = [first, second, third]
    for job in waiting:
        order.submitted(job, 500.0)
    # 500 + 40 + 100, 470 + 45 + 100, 0 + 0 + 900
    assert by_key(order, waiting, 500.0) == ["third", "first", "second"]


def test_fairshare_factor_falls_with_usage() -> None:
    order = order_of(site(by_queue=False, job_sort_formula="fairshare_factor"))
    waiting = [
        Job(user, 0.0, 1, 60.0, fields={"user": user}, number=number)
        for number, user in enumerate(("ann", "bob"))
    ]
    for job in waiting:
        order.submitted(job, 0.0)
    assert by_key(order, waiting, 0.0) == ["bob", "ann"]
    order.started(Job("r", 0.0, 8, 60.0, fields={"user": "bob"}), 0.0)
    assert by_key(order, waiting, 600.0) == ["ann", "bob"]


def test_the_sort_key_determines_the_schedule() -> None:
    content = {"openpbs": {"job_sort_key": ["walltime LOW"]}}
    specs = [Spec("a", 0, 4, 50, 60), Spec("long", 1, 4, 50, 90), Spec("short", 2, 4, 50, 60)]
    options = {"order": "pbs", "backfilling": "none", "site": content}
    assert play(make_policy("policy", options), specs, 4).starts == {
        "a": 0,
        "short": 50,
        "long": 100,
    }


@each_case(
    ("text", "value"),
    [
        ("10 * ncpus ** 2 - -1", 161.0),
        ("math.sqrt(ncpus) if walltime >= 60 and not mem else 7", 2.0),
        ("ncpus / mem", 0.0),
        ("round(walltime / 7, 1) % 5", 3.6),
        ("log(mem)", 0.0),
    ],
)
def test_a_formula_is_computed_as_in_python_and_is_0_on_errors(text: str, value: float) -> None:
    formula = read_formula(text, ("ncpus", "walltime", "mem"), "job_sort_formula")
    values = {"ncpus": 4.0, "walltime": 60.0, "mem": 0.0}
    assert formula.value(values) == pytest.approx(value)


@each_case(
    ("openpbs", "message"),
    [
        ({"job_sort_formula": "ncpu * 2"}, "unknown name 'ncpu': did you mean 'ncpus'"),
        ({"job_sort_formula": "ncpus *"}, "job_sort_formula is 'ncpus \\*', which is not a for"),
        ({"job_sort_formula": "open('x')"}, "unknown function 'open'"),
        ({"job_sort_formula": "ncpus.real"}, "'ncpus.real' is not supported"),
        ({"job_sort_formula": "'a' * 9"}, "is not supported arithmetic"),
        ({"job_sort_key": ["ncpus"]}, "job_sort_key 'ncpus' must end in HIGH or LOW"),
        ({"job_sort_key": ["cpus LOW"]}, "the unknown name 'cpus': did you mean 'ncpus'"),
        ({"fairshare_usage_res": "cpu"}, "fairshare_usage_res is 'cpu': unknown name"),
    ],
)
def test_an_invalid_formula_or_key_is_refused(openpbs: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as error:
        order_of(site(**openpbs))
    assert "\n" not in str(error.value)
