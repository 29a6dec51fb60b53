"""Calling a compiled function many times with the same arrays."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])


def for_these(function: Function, *arguments: object) -> Function:
    """Return what a compiled function is for values of these types, and of no others.

    The function itself looks at the types of all its arrays at each call, which takes microseconds.
    Where nothing is compiled, it is that.
    """
    compiled: Any = function
    if not hasattr(compiled, "compile"):
        return function
    return cast("Function", compiled.compile(tuple(map(compiled.typeof_pyval, arguments))))
