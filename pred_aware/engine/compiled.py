"""Compiling Python functions of arrays with numba, as the fits of predictors are, too."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

from predictors.compiled import compiled

__all__ = ["compiled", "compiled_apart"]

Function = TypeVar("Function", bound=Callable[..., object])


def compiled_apart(function: Function) -> Function:
    """Compile a function once, and not into each that calls it: a large one.

    A call hands over all arrays one by one.
    """
    return cast("Function", numba.njit(cache=True, error_model="numpy", _nrt=False)(function))
