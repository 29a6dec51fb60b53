"""Compiling Python functions of arrays with numba, as the fits of predictors are, too.

What Python calls itself is compiled as those are, with all that it calls. That is called by
compiled functions alone: it becomes a part of what calls it, and is optimised, made machine code of
and kept there. numba would do all of that for each function by itself as well, which took three
quarters of the time to compile.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import llvmlite.binding as llvm
import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from predictors.compile_cache import CompiledCode
from predictors.compiled import kept

__all__ = ["called_by_python", "compiled", "compiled_apart"]

if "scipy.linalg" not in sys.modules:
    # numba looks whether scipy could multiply matrices: a tenth of a second and 16 MiB for nothing
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath
    finally:
        del sys.modules["scipy.linalg"]

Function = TypeVar("Function", bound=Callable[..., object])
_INSIDE = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that is linked into others only."""

    def _optimize_final_module(self) -> None:
        """Leave that to what it is linked into."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Say that it is nowhere in memory."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "_Part":
        """Stand for where it would be in memory."""
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        """Forget what is for functions that raise errors."""


class _PartApart(_Part):
    """Likewise, but not put into each place that calls it."""

    def add_llvm_module(self, module: Any) -> None:  # noqa: ANN401 - llvmlite's own
        for function in module.functions:
            if not function.is_declaration:
                function.add_function_attribute("noinline")
        super().add_llvm_module(module)


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, with all that is linked into it."""

    def _get_module_for_linking(self) -> Any:  # noqa: ANN401 - llvmlite's own
        """Tell only what there is: nobody links it, and to have it all beside takes 9 MiB."""
        module = self._final_module
        there = [one for some in (module.functions, module.global_variables) for one in some]
        names = [one.name for one in there if not one.is_declaration]
        return llvm.parse_assembly("".join(f'@"{name}" = global i8 0\n' for name in names))


class _OfPart(Compiler):  # type: ignore[misc]
    library: type[JITCodeLibrary] = _Part

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:  # noqa: ANN401 - numba's own
        super().__init__(typing, target, library or self.library(target.codegen(), "part"), *others)


class _OfPartApart(_OfPart):
    library = _PartApart


class _OfWhole(_OfPart):
    library = _Whole

    def __init__(self, *given: Any) -> None:  # noqa: ANN401 - numba's own
        super().__init__(*given)
        self.state.library.enable_object_caching()


def called_by_python(code: CompiledCode) -> Callable[[Function], Function]:
    """Compile a function that Python calls, and keep it for the next process."""
    return lambda function: kept(function, code, pipeline_class=_OfWhole)


def compiled(function: Function) -> Function:
    """Compile a function into each that calls it."""
    return _part(function, numba.njit(forceinline=True, pipeline_class=_OfPart, **_INSIDE))


def compiled_apart(function: Function) -> Function:
    """Compile a function once, and not into each that calls it: a large one."""
    return _part(function, numba.njit(forceinline=False, pipeline_class=_OfPartApart, **_INSIDE))


def _part(function: Function, decorate: Any) -> Function:  # noqa: ANN401 - numba's own
    """Compile a function once for all arguments of the same types.

    numba would do so for each constant by itself that it is called with.
    """
    made: Any = decorate(function)
    if made is not function:
        template = made.get_call_template

        def of_types(given: Any, named: Any) -> Any:  # noqa: ANN401
            of_named = {name: numba.types.unliteral(one) for name, one in named.items()}
            return template(tuple(map(numba.types.unliteral, given)), of_named)

        made.get_call_template = of_types
    return cast("Function", made)
