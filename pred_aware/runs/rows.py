"""Files of a run in memory, whose rows are created when they are read."""

from collections.abc import Callable, Iterator
from functools import cached_property

from pred_aware.runs.outcome import Outcome
from pred_aware.simulator.tracing import JobColumns


class LazyRows:
    """Rows whose text is created on demand."""

    def __init__(self, text: Callable[[], Iterator[str]]) -> None:
        self.text = text


class ScheduleRow(LazyRows):
    """The schedule file, whose main values are known without the text."""

    def __init__(self, processors: int, text: Callable[[], Iterator[str]]) -> None:
        super().__init__(text)
        self.known = {"nb_computing_machines": float(processors), "scheduling_time": 0.0}


class JobRows:
    """The rows of the jobs file."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    @cached_property
    def columns(self) -> list[JobColumns]:
        """The results of the jobs in the simulator's form."""
        return [*self.outcome.columns()]

    def text(self) -> Iterator[str]:
        """Yield the rows."""
        return (piece for columns in self.outcome.columns() for piece in columns.text())
