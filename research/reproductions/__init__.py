"""The papers' claims, and whether they hold on the logs that are at hand.

In a script or a notebook: ``from reproductions import reproduce``; research/docs/papers.md has an
example.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reproductions.reproduction import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions and classes
    # the command line imports this package for the help alone
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from reproductions import reproduction

    return getattr(reproduction, name)
