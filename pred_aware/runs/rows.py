"""Files of a run that is in memory: their rows, made when they are read."""

from collections.abc import Callable, Iterator
from functools import cached_property

from pred_aware.runs.outcome import Outcome
from pred_aware.simulator.tracing import JobColumns


class Later:
    """Rows of which the text is made when it is asked for."""

    def __init__(self, text: Callable[[], Iterator[str]]) -> None:
        self.text = text


class ScheduleRow(Later):
    """The schedule file, of which the size of the machine is known without its text."""

    def __init__(self, processors: int, text: Callable[[], Iterator[str]]) -> None:
        super().__init__(text)
        self.known = {"nb_computing_machines": float(processors), "scheduling_time": 0.0}


class JobRows:
    """The rows of the jobs file."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    @cached_property
    def columns(self) -> list[JobColumns]:
        """What became of the jobs, as the simulator keeps it."""
        return [*self.outcome.columns()]

    def text(self) -> Iterator[str]:
        """Return the rows."""
        return (piece for columns in self.outcome.columns() for piece in columns.text())
