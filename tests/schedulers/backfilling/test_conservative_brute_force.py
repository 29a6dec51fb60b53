"""Conservative backfilling against a model that is slow, and plainly what the definition says.

At its submission a job is given the earliest place in the plan where it fits for its whole
walltime. At every end what is left of the ended job's walltime is freed, and then each waiting job
in order of submission is taken out of the plan and given the earliest place again. A job starts
when its place begins.
"""

import random
from collections.abc import Iterator

from schedulers import make_policy
from schedulers.contract.playing import Spec, play
from tests.schedulers.machine.definition import OnParts, conservative
from tests.schedulers.random_workloads import PROCESSORS, workloads
from tests.suites import each_case


def without_ties(specs: list[Spec], seed: int) -> Iterator[Spec]:
    """Move every time by less than a second, to multiples of 2^-16 s, so that sums are exact."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    for spec in specs:
        moves = [rng.randrange(2**16) / 2**16 for _ in range(3)]
        killed = spec.walltime is not None and spec.run >= spec.walltime
        walltime = (spec.walltime or 0.0) + 1.0 + moves[0]
        run = walltime if killed else spec.run + moves[1]
        yield spec._replace(submit=spec.submit + moves[2], run=run, walltime=walltime)


def by_brute_force(specs: list[Spec]) -> dict[str, float]:
    return OnParts(conservative, parts=1, processors=PROCESSORS).play(specs)


def test_every_start_equals_that_of_brute_force() -> None:
    waited = 0
    for seed, specs in enumerate(workloads(400)):
        moved = sorted(without_ties(specs, seed), key=lambda spec: spec.submit)
        starts = play(make_policy("conservative"), moved, PROCESSORS).starts
        assert starts == by_brute_force(moved), moved
        waited += sum(starts[spec.id] > spec.submit for spec in moved)
    assert waited > 400


def test_starts_equal_brute_force_also_if_events_coincide() -> None:
    for specs in workloads(400):
        starts = play(make_policy("conservative"), specs, PROCESSORS).starts
        assert starts == by_brute_force(specs), specs


@each_case("candidates", ["queue", "shortest", "smallest", "best_fit"])
def test_planned_starts_hold_in_any_order_of_candidates(candidates: str) -> None:
    earlier = 0
    for specs in workloads(150):
        policy = make_policy("conservative", {"candidates": candidates})
        starts = play(policy, specs, PROCESSORS).starts
        assert policy.journal is not None
        promised = {row[0]: float(row[5]) for row in policy.journal.rows()}
        assert all(starts[spec.id] <= promised[spec.id] for spec in specs)
        earlier += sum(starts[spec.id] < promised[spec.id] for spec in specs)
    assert earlier > 25
