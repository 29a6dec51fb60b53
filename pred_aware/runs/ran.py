"""A run as figures and pictures see it."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pandas as pd


class Ran(Protocol):
    """What became of the jobs of a run; `pred_aware.Run` is one."""

    name: str
    """What the run is called."""

    @property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran and count, with Batsim's columns of numbers, times in seconds."""
        ...

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, those that only fill the machine too."""
        ...

    @property
    def processors(self) -> int:
        """Size of the machine."""
        ...

    @property
    def scheduling_time(self) -> float | None:
        """Seconds spent in the scheduler; ``None`` where nobody measured it."""
        ...
