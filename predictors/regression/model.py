"""A fitted model, which answers for one row."""

from typing import Any, Protocol, TypeAlias

Array: TypeAlias = Any
"""A numpy array; numpy is imported where it is used only."""


class Fitted(Protocol):
    """A model that was fitted."""

    def predict(self, row: list[float]) -> float:
        """Return the target predicted for a row of finite numbers."""
        ...
