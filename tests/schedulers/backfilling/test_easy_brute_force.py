"""EASY against a model that is slow, keeps no state and is plainly what the definition says.

FCFS. At each date with a submission or an end, the heads start while they fit. The first that does
not reserves the earliest estimated end at which enough processors will be free; what is left then
is extra. A candidate starts if it fits now and either ends by the reservation or takes no more than
what is left of extra. The estimate of a job that outlives it becomes its walltime.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedulers import make_policy
from schedulers.contract.playing import Spec, play
from tests.schedulers.machine.definition import Definition, length

PROCESSORS = 8
Estimator = Callable[[Spec, list[Spec]], float]


def by_walltime(spec: Spec, ended: list[Spec]) -> float:  # noqa: ARG001 - an estimator
    return length(spec)


def by_run_time(spec: Spec, ended: list[Spec]) -> float:  # noqa: ARG001 - an estimator
    return spec.duration


def by_last_two(spec: Spec, ended: list[Spec]) -> float:
    last = [other.duration for other in ended if other.user == spec.user][-2:]
    return min(sum(last) / 2, length(spec)) if len(last) == 2 else length(spec)


class BruteForce(Definition[None]):
    """Plays jobs to the end, and remembers nothing of a pass through the queue."""

    def __init__(self, estimator: Estimator, *, shortest: bool) -> None:
        super().__init__(rule=BruteForce.one_pass)
        self.estimates: dict[str, float] = {}
        self.ended: list[Spec] = []
        self.estimator = estimator
        self.shortest = shortest

    def planned_end(self, spec: Spec, now: float) -> float:
        planned = self.starts[spec.id] + self.estimates[spec.id]
        return planned if planned > now else self.starts[spec.id] + length(spec)

    def idle(self, spec: Spec, now: float) -> list[None]:
        fits = spec.size <= PROCESSORS - sum(one.size for one in self.running)
        return [None] if fits else []

    def free_at(self, date: float, now: float) -> int:
        """Count the free processors after all ends planned up to a date."""
        staying = [spec.size for spec in self.running if self.planned_end(spec, now) > date]
        return PROCESSORS - sum(staying)

    def one_pass(self, now: float) -> None:
        self.ended += self.just_ended
        self.estimates |= {spec.id: self.estimator(spec, self.ended) for spec in self.new}
        self.start_heads(now)
        if not self.queue:
            return
        head, *candidates = self.queue
        ends = [self.planned_end(spec, now) for spec in self.running]
        reserved = min(end for end in ends if self.free_at(end, now) >= head.size)
        extra = self.free_at(reserved, now) - head.size
        if self.shortest:
            candidates.sort(key=lambda spec: self.estimates[spec.id])
        for spec in candidates:
            if not self.idle(spec, now):
                continue
            if now + self.estimates[spec.id] > reserved:
                if spec.size > extra:
                    continue
                extra -= spec.size
            self.start(spec, None, now)


@st.composite
def workloads(draw: st.DrawFn) -> list[Spec]:
    job = st.tuples(
        st.integers(0, 12), st.integers(1, PROCESSORS), st.integers(1, 40), st.integers(1, 60),
        st.sampled_from("ab"),
    )  # fmt: skip
    specs, date = [], 0
    for number, (gap, size, run, walltime, user) in enumerate(
        draw(st.lists(job, min_size=1, max_size=30))
    ):
        date += gap
        specs.append(Spec(f"w0!{number}", date, size, run, walltime, user))
    return specs


CASES: dict[str, tuple[Estimator, dict[str, Any], bool]] = {
    "easy": (by_walltime, {}, False),
    "easy_actual": (by_run_time, {"predictor": "actual"}, False),
    "easy_last_two": (by_last_two, {"predictor": "last_two"}, False),
    "easy_sjbf": (by_walltime, {}, True),
    "easy_plus_plus_walltime": (by_last_two, {"predictor": "last_two"}, True),
}


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=40, deadline=None)
@given(specs=workloads())
def test_every_start_equals_that_of_brute_force(case: str, specs: list[Spec]) -> None:
    estimator, options, shortest = CASES[case]
    candidates = "shortest" if shortest else "queue"
    options = options | {
        "backfilling": {"name": "easy", "candidates": candidates},
        "call_margin": 0.0,
    }
    played = play(make_policy("policy", options), specs, PROCESSORS)
    assert played.starts == BruteForce(estimator, shortest=shortest).play(specs)
