"""Named tuples that compiled functions take by their address."""

from typing import NamedTuple

import pytest

pytest.importorskip("numba", reason="numba is not installed: pip install 'pred-aware[fast]'")

import numba
import numpy as np
from numpy.typing import NDArray

from pred_aware.engine.records import for_these


class Inner(NamedTuple):
    rows: NDArray[np.int32]
    factor: float
    absent: None
    flag: bool
    least: int


class Outer(NamedTuple):
    dates: NDArray[np.float64]
    inner: Inner
    empty: NDArray[np.int64]
    cube: NDArray[np.int64]
    often: int


def _read(outer: Outer, extra: Inner | None, times: int) -> float:
    inner = outer.inner
    if extra is not None:
        return -1.0
    outer.dates[-1] += times
    total = outer.dates[-1] * inner.factor + inner.rows[1, 2] + outer.often
    total += inner.rows.shape[0] * 1000 + inner.rows.shape[1] * 100 + len(outer.empty) * 10
    total += outer.cube[1, 2, 3] + outer.cube[1][2][3] + outer.cube.size
    if inner.absent is None and inner.flag:
        total += inner.least
    return total


def _outer() -> Outer:
    inner = Inner(np.arange(12, dtype=np.int32).reshape(3, 4), 0.5, None, True, -7)
    cube = np.arange(24).reshape(2, 3, 4)
    return Outer(np.array([1.0, 2.0]), inner, np.zeros(0, np.int64), cube, 2**40)


def test_compiled_functions_read_what_python_does() -> None:
    outer, other = _outer(), _outer()
    call = for_these(numba.njit(_read), outer, None, 3)
    assert [call(), call()] == [_read(other, None, 3), _read(other, None, 3)]
    assert outer.dates[-1] == other.dates[-1] == 8.0


def test_what_is_not_there_is_of_another_type() -> None:
    assert for_these(numba.njit(_read), _outer(), _outer().inner, 1)() == -1.0


def test_without_compiling_they_are_called_with_the_tuples() -> None:
    assert for_these(_read, _outer(), None, 3)() == _read(_outer(), None, 3)


def test_arrays_that_do_not_lie_in_one_piece_are_refused() -> None:
    outer = _outer()._replace(dates=np.zeros((4, 2))[:, 0])
    with pytest.raises(TypeError, match="one piece"):
        for_these(numba.njit(_read), outer, None, 1)
