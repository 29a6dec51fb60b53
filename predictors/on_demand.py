"""Lazy imports: a package imports a module when a name of this module is first used."""

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def on_demand(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that imports its names under `TYPE_CHECKING`.

    A program that uses one module then does not wait for the import of other modules. The names are
    listed only once, where type checkers read them.

    Examples
    --------
    >>> on_demand("predictors")("clamp").__module__
    'predictors.estimate'
    """

    def named(name: str) -> Any:  # noqa: ANN401 - functions and classes
        # the import system also requests names such as `__path__`
        if name.startswith("__") or name not in (modules := _modules(package)):
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(modules[name]), name)

    return named


@cache
def _modules(package: str) -> dict[str, str]:
    """Return, for each name that a package imports under `TYPE_CHECKING`, the name's module."""
    tree = ast.parse(Path(sys.modules[package].__file__ or "").read_bytes())
    under = [one for node in tree.body if isinstance(node, ast.If) for one in node.body]
    imports = [one for one in under if isinstance(one, ast.ImportFrom)]
    return {alias.name: one.module or "" for one in imports for alias in one.names}
