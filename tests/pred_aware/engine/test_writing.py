"""Numbers and processors as the compiled loops write them."""

from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

from schedulers.machine.lowest_free import LowestFree

if find_spec("numba") is None:
    pytest.skip("numba is not installed", allow_module_level=True)

import numba

from pred_aware.engine.kernel.allocating import Free, allocate_all
from pred_aware.engine.kernel.values import Placed
from pred_aware.engine.kernel.writing import _number
from tests.suites import each_case

number_at = numba.njit(lambda number, out: _number(number, out, 0), _nrt=False)


def written(number: float) -> str | None:
    out = np.zeros(40, np.uint8)
    end = number_at(number, out)
    return None if end < 0 else out[:end].tobytes().decode()


def numbers() -> list[float]:
    rng = np.random.default_rng(1)
    random = [10.0 ** rng.uniform(0, 15, 3000), rng.integers(0, 1 << 40, 500) / 2.0**7]
    near = [rng.integers(1, 10**7, 500) + side * 5e-7 for side in (1.0, -1.0)]
    found = np.concatenate([*random, *near, [0.0, 1.0, 0.5, 0.0078125, 0.0234375, 2.0**53 - 1]])
    return [*found.tolist(), *np.nextafter(found, 1e99)[found >= 1.0].tolist(), 0.999999500]


def test_a_number_is_written_as_python_does_or_not_at_all() -> None:
    texts = [(number, written(number)) for number in numbers()]
    assert [pair for pair in texts if pair[1] not in (None, f"{pair[0]:f},")] == []
    assert sum(text is None for _, text in texts) <= 2


@each_case("number", [-1.0, float("nan"), float("inf"), 2.0**53, 0.1, 1e-9])
def test_what_has_too_many_bits_is_left_to_python(number: float) -> None:
    assert written(number) is None


@each_case("seed", range(5))
def test_jobs_get_the_processors_that_the_rule_gives_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rule, processors = LowestFree(60), 60
    sizes, changes = rng.integers(1, 20, 400), []
    given = []
    running: list[int] = []
    free = processors
    for job, size in enumerate(sizes.tolist()):
        while free < size:
            over = running.pop(int(rng.integers(len(running))))
            changes.append(~over)
            rule.release(given[over])
            free += int(sizes[over])
        given.append(rule.allocate(size))
        changes.append(job)
        running.append(job)
        free -= size
    placed = _room(4000)
    idle = Free(np.zeros(61, np.int64), np.zeros(61, np.int64))
    idle.last[0] = processors - 1
    assert allocate_all(np.array(changes), sizes, idle, 1, placed)
    found = [*zip(placed.first.tolist(), placed.last.tolist(), strict=True)]
    borders = [*placed.begin.tolist(), placed.end[-1]]
    assert [tuple(found[begin:end]) for begin, end in pairwise(borders)] == given


def test_too_little_room_for_intervals_is_told() -> None:
    idle = Free(np.zeros(9, np.int64), np.full(9, 7))
    assert not allocate_all(np.array([0, 1]), np.array([1, 1]), idle, 1, _room(1))


def _room(intervals: int) -> Placed:
    return Placed(*(np.zeros(length, np.int64) for length in (intervals, intervals, 400, 400)))
