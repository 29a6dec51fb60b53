"""Compiling Python functions of arrays with numba."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile a function into each that calls it, when one is first called, and keep it.

    Floating point as Python has it: nothing is reordered or joined, but a division by 0 is infinite
    in place of an error.
    """
    return _compiled(function, inline=True)


def compiled_apart(function: Function) -> Function:
    """Compile a function once: for large ones, since a call hands over all arrays one by one."""
    return _compiled(function, inline=False)


def _compiled(function: Function, *, inline: bool) -> Function:
    return cast(
        "Function",
        numba.njit(cache=True, error_model="numpy", forceinline=inline, _nrt=False)(function),
    )
