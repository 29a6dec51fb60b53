"""Compiling Python functions of arrays with numba."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.runtime import rtsys

from predictors.compile_cache import CompiledCode, cached_in
from predictors.sources import CODE

Function = TypeVar("Function", bound=Callable[..., object])


class _ByContent(UserProvidedCacheLocator):  # type: ignore[misc]
    """A place in a folder that is named by the content of the sources, wherever they are."""

    @classmethod
    def get_suitable_cache_subpath(cls, source: str) -> str:
        """Name the package, in place of its path: two installations share what is compiled."""
        return Path(source).parent.name


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_ByContent,)


class _KeptCode(FunctionCache):  # type: ignore[misc]
    """The code of a function that is kept for the next process."""

    _impl_class = _Kept

    def load_overload(self, signature: object, target: object) -> Any:  # noqa: ANN401 - numba's own
        """Load it without what allocates: nothing here does, and 20 MiB are compiled for that."""
        before, rtsys._init = rtsys._init, True  # noqa: SLF001 - looked at where it is made
        try:
            return super().load_overload(signature, target)
        finally:
            rtsys._init = before  # noqa: SLF001


def kept(function: Function, code: CompiledCode, **options: object) -> Function:
    """Compile a function when it is first called, and keep it for the next process."""
    made: Any = numba.njit(error_model="numpy", forceinline=True, _nrt=False, **options)(function)
    if made is not function and code.folder is not None:
        with cached_in(code.folder):
            # what `cache=True` sets
            made._cache = _KeptCode(function)  # noqa: SLF001
    return cast("Function", made)


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep it for the next process.

    Floating point as Python has it: nothing is reordered or joined, but a division by 0 is infinite
    in place of an error.
    """
    return kept(function, CODE)
