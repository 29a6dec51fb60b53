"""Compiling Python functions of arrays with numba, as the fits of predictors are, too.

What Python calls itself is compiled as those are; all else here is called by compiled functions
alone, and so without what would take its many arrays apart, which takes most of the time.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

from predictors.compiled import compiled as called_by_python

__all__ = ["called_by_python", "compiled", "compiled_apart"]

Function = TypeVar("Function", bound=Callable[..., object])
_INSIDE = {
    "cache": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def compiled(function: Function) -> Function:
    """Compile a function into each that calls it."""
    return cast("Function", numba.njit(forceinline=True, **_INSIDE)(function))


def compiled_apart(function: Function) -> Function:
    """Compile a function once, and not into each that calls it: a large one.

    A call hands over all arrays one by one.
    """
    return cast("Function", numba.njit(**_INSIDE)(function))
