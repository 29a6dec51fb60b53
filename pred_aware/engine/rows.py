"""Files of a run in arrays: their rows, made when they are read."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from pred_aware.engine.outcome import Outcome
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
        from pred_aware.engine.job_text import CHUNKS_OF_A_TEXT, texts_of_jobs

        texts = texts_of_jobs(self.outcome)
        if texts is None:
            yield from self._in_python(self.columns)
            return
        for number, text in enumerate(texts):
            if text is not None:
                yield text
                continue
            first = number * CHUNKS_OF_A_TEXT
            yield from self._in_python(self.columns[first : first + CHUNKS_OF_A_TEXT])

    @staticmethod
    def _in_python(chunks: Iterable[JobColumns]) -> Iterator[str]:
        return (piece for columns in chunks for piece in columns.text())
