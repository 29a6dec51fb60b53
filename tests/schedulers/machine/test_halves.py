"""Every backfilling on a machine that is not counted: two halves that share nothing.

Against models that keep no plan and are plainly what the definitions say, and for what is promised.
"""

import itertools
from collections.abc import Iterator
from typing import Any

from schedulers import make_policy
from schedulers.policy.combined import CombinedPolicy
from tests.schedulers.backfilling import test_bounded as bounded
from tests.schedulers.machine.definition import EACH, OnParts, Rule, length
from tests.schedulers.machine.halves import Halves
from tests.schedulers.model import Played, Spec, play
from tests.schedulers.random_workloads import workloads
from tests.suites import each_case

HALF = 4


def pairs(number: int) -> Iterator[list[Spec]]:
    """Make workloads of up to 16 jobs, each of which fits into a half."""
    made = workloads(2 * number)
    for first, second in zip(made, made, strict=True):
        both = sorted([*first, *second], key=lambda spec: spec.submit)
        yield [spec._replace(id=f"w0!{place}") for place, spec in enumerate(both)]


def played_on_halves(specs: list[Spec], **options: Any) -> tuple[Played, dict[str, float]]:  # noqa: ANN401
    """Play jobs on two halves, and say what start each was first promised, if any."""
    policy = make_policy("policy", {"machine": Halves, "call_margin": 0, **options})
    played = play(policy, specs, 2 * HALF)
    assert policy.journal is not None
    for given in played.processors.values():
        assert min(given) // HALF == max(given) // HALF
    return played, {row[0]: float(row[5]) for row in policy.journal.rows() if row[5]}


class OnHalves(OnParts):
    """Plays jobs on two halves."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule, parts=2, processors=HALF)

    def backfill(self, now: float) -> None:
        """Let the head drain the half that has room first; the other is not reserved."""
        head, *candidates = self.queue
        reserved, drained = min(
            (self.end(running), half)
            for half in self.parts
            for running in self.running
            if self.free_in(half, self.end(running)) >= head.size
        )
        extra = self.free_in(drained, reserved) - head.size
        for spec in candidates:
            if spec.size <= self.free_in(1 - drained, now):
                self.start(spec, 1 - drained, now)
            elif spec.size <= self.free_in(drained, now):
                if now + length(spec) > reserved:
                    if spec.size > extra:
                        continue
                    extra -= spec.size
                self.start(spec, drained, now)


@EACH
def test_every_start_and_half_is_that_of_the_definition(
    backfilling: Any,  # noqa: ANN401 - as in options
    rule: Rule,
) -> None:
    waited = 0
    for specs in pairs(200):
        played, _ = played_on_halves(specs, backfilling=backfilling)
        model = OnHalves(rule)
        assert played.starts == model.play(specs), specs
        assert {name: min(p) // HALF for name, p in played.processors.items()} == model.where, specs
        waited += sum(played.starts[spec.id] > spec.submit for spec in specs)
    assert waited > 400


ORDERS = ("fcfs", "wfp", "sjf")
SHORTEST = {"name": "easy", "candidates": "shortest"}
SEVERAL = {"name": "easy", "reservations": 3}


def test_with_upper_bounds_as_estimates_nobody_starts_later_than_first_promised() -> None:
    promised = 0
    made_of = itertools.product(("walltime", "actual"), ("easy", SHORTEST, "conservative"))
    for specs, (predictor, backfilling) in zip(pairs(300), itertools.cycle(made_of), strict=False):
        played, first = played_on_halves(specs, predictor=predictor, backfilling=backfilling)
        late = {name for name, date in first.items() if played.starts[name] > date}
        assert late == set(), (predictor, backfilling, specs)
        promised += len(first)
    assert promised > 500


def test_whatever_is_put_together_runs_every_job_once_and_in_one_half() -> None:
    backfillings = ("none", "filler", "easy", SHORTEST, SEVERAL, "conservative", "openpbs")
    corrections = ("walltime", "doubling", "tsafrir")
    made_of = itertools.cycle(itertools.product(backfillings, ORDERS, corrections))
    for specs, (backfilling, order, correction) in zip(pairs(250), made_of, strict=False):
        played, _ = played_on_halves(
            specs, order=order, backfilling=backfilling, correction=correction,
            predictor={"name": "constant", "seconds": 5},
        )  # fmt: skip
        assert played.ends.keys() == {spec.id for spec in specs}


def test_the_bound_holds_and_protected_places_only_move_to_earlier_dates() -> None:
    protected = 0
    for (options, wait, _), specs in zip(bounded.cases(), pairs(300), strict=False):
        policy = make_policy("policy", {"machine": Halves, **options})
        assert isinstance(policy, CombinedPolicy)
        watched = bounded.Watched(policy, wait)
        played = play(watched, specs, 2 * HALF)
        for spec in specs:
            waited = played.starts[spec.id] - spec.submit
            assert waited <= bounded.longest_wait(spec, specs, played, wait), (options, spec, specs)
        protected += len(watched.first)
    assert protected > 150


def test_a_job_larger_than_a_half_is_rejected_with_the_machines_reason() -> None:
    played, _ = played_on_halves([Spec("w0!1", 0, HALF + 1, 5), Spec("w0!2", 0, HALF, 5)])
    assert played.refusals == {"w0!1": "asks for 5 processors; the machine has 4"}
    assert played.starts == {"w0!2": 0}


@each_case("backfilling", ["none", "filler", "easy"])
def test_jobs_of_one_processor_start_as_on_a_machine_that_is_counted(backfilling: str) -> None:
    for specs in pairs(80):
        ones = [spec._replace(size=1) for spec in specs]
        counted = play(make_policy("policy", {"backfilling": backfilling}), ones, 2 * HALF)
        assert played_on_halves(ones, backfilling=backfilling)[0].starts == counted.starts
