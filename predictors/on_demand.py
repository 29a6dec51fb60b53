"""Packages that import a module when one of its names is asked for."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose names are in these modules.

    So who needs one of its modules does not pay for the others.

    Examples
    --------
    >>> on_demand("predictors", {"clamp": "predictors.estimate"})("clamp").__module__
    'predictors.estimate'
    """

    def named(name: str) -> Any:  # noqa: ANN401 - functions and classes
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(modules[name]), name)

    return named
