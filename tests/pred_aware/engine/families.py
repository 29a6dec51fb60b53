"""The families of simulations that the engine covers, and seeds of random cases of each."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from predictors.loops import LOOPS
from predictors.rules.neighbours import Neighbours
from tests.pred_aware.engine import calendar_cases as calendar
from tests.pred_aware.engine import test_predicting as predicting
from tests.pred_aware.engine import test_same_as_batsched as batsched
from tests.pred_aware.engine import test_same_as_openpbs as openpbs
from tests.pred_aware.engine import test_same_as_slurm as slurm
from tests.pred_aware.engine import test_same_on_nodes as nodes
from tests.pred_aware.engine import test_same_on_sites as sites
from tests.pred_aware.engine import test_same_priorities as priorities
from tests.pred_aware.engine import test_same_results as own
from tests.predictors.regression import test_single_tree as single_tree


@dataclass(frozen=True)
class Family:
    """Names what differs between the two runs of a random case."""

    differences: Callable[[int], object]
    few: Iterable[int]
    """Seeds of quick cases."""
    more: Iterable[int]
    """Seeds of cases for the slow tests, uncompiled; others have thousands of passes."""
    compiled: Callable[[], Iterable[int]] | None = None
    """Seeds for the slow tests, compiled. The other families take minutes to compile."""


def unbounded(differences: Callable[..., object]) -> Callable[[int], object]:
    """Leave out bounds and trust, which are compiled by themselves."""
    return partial(differences, bounded=False)


def nearest_unlike(seed: int) -> object:
    """Return where the loop and numpy find other neighbours among few distinct points."""
    from predictors.rules.nearest import find

    rng = random.Random(seed)  # noqa: S311 - a case, not a secret
    points = Neighbours(12, 2)
    for _ in range(30):
        points.add([rng.randint(0, 3), rng.randint(0, 3)], rng.randint(0, 2), value=rng.random())
        asked = [float(rng.randint(0, 3)), float(rng.randint(0, 3))]
        found = []
        for LOOPS.finds_nearest in (None, find):
            found.append(points.nearest(asked, 1, k=4, epsilon=0.05, most=0.5))
        LOOPS.finds_nearest = None
        if found[0] != found[1]:
            return found
    return None


FAMILIES = {
    "nearest": Family(nearest_unlike, range(4), range(50)),
    "own": Family(own.differences, (2, 3, 6), range(20)),
    "own, compiled": Family(unbounded(own.differences), (), (), lambda: range(150)),
    "batsched": Family(batsched.differences, range(4), range(10), lambda: range(200)),
    "openpbs": Family(openpbs.differences, range(4), range(16)),
    "openpbs, compiled": Family(
        unbounded(openpbs.differences), (), (),
        lambda: [n for n in range(100, 500, 6) if not openpbs.case(n)[2]["site"].get("partitions")],
    ),
    "slurm": Family(
        slurm.differences, (5, 6, 7, 10),
        (*range(4, 8), *range(9, 12), 13, *range(15, 18), *range(19, 22)),
        lambda: (8, 100, 106, 112, 118, 124, 130, 136, 142, 148, 154, 160),
    ),
    "slurm on nodes": Family(
        slurm.differences_on_nodes, range(1, 6), (*range(13), *range(14, 26), 135)
    ),
    "calendar": Family(calendar.differences, (5, 14), (5, 14, 32)),
    "nodes": Family(nodes.differences, (1, 2, 3, 4, 5, 7), (*range(6), 7, *range(9, 32))),
    "sites": Family(
        sites.differences, range(4), range(22),
        lambda: [n for n in range(600, 800) if not sites.takes_another_minute(n)],
    ),
    "sites as slurm": Family(
        partial(sites.differences, as_slurm=True), range(4), (*range(4), *range(8, 12))
    ),
    "priorities": Family(
        priorities.differences, (1, 2, 5, 7),
        (0, 1, 2, *range(4, 8), *range(9, 13), *range(14, 18)),
    ),
    "priorities, compiled": Family(
        unbounded(priorities.differences), (), (), lambda: (8, *range(100, 500, 6))
    ),
    "single tree": Family(single_tree.unlike, range(8), range(50)),
    "predicted": Family(predicting.differences, (1, 2, 4, 6), (1, 2, 4, *range(6, 12))),
}  # fmt: skip


def unlike(kind: str) -> dict[str, object]:
    """Run the cases of a kind, which is a field of `Family`, of all families uncompiled."""
    return {
        f"{name}, seed {seed}": found
        for name, family in FAMILIES.items()
        for seed in getattr(family, kind)
        if (found := family.differences(seed))
    }
