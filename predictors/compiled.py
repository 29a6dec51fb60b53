"""Compiling Python functions of arrays with numba."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep it for the next process.

    Floating point as Python has it: nothing is reordered or joined, but a division by 0 is infinite
    in place of an error.
    """
    return cast(
        "Function",
        numba.njit(cache=True, error_model="numpy", forceinline=True, _nrt=False)(function),
    )
