"""Find out, on your own job log, what run time prediction would change."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pred_aware.execution.run import Result, simulate
    from pred_aware.runs.run import read_run

__all__ = ["Result", "__version__", "read_run", "simulate"]

__version__ = "0.1.0"

_MODULES = {
    "Result": "pred_aware.execution.run",
    "read_run": "pred_aware.runs.run",
    "simulate": "pred_aware.execution.run",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions and classes
    # the command line, which asks only for the version, shall not pay for the rest
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)
