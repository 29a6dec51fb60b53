"""The jobs of a log in columns: each is made when somebody asks for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import eq
from typing import Any, ClassVar, TypeAlias, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from workload_tools.identifiers import is_number
from workload_tools.job import Job

Places: TypeAlias = slice | NDArray[np.intp] | NDArray[np.bool_]

_NO_COUNT = -(2**63)
_MOST = 2**63
_JOBS_AT_ONCE = 4096
_REQUIRED = ("id", "submit_time", "processors", "run_time")
_DATES = ("submit_time", "eligible_time")
_DEFAULTS: Mapping[str, Any] = {
    field.name: None if field.default is msgspec.NODEFAULT else field.default
    for field in msgspec.structs.fields(Job)
}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """What jobs have in a field: numbers, or whatever it is.

    Examples
    --------
    >>> Column.of(["7", None])
    Column(kind=<class 'str'>, values=array([ 7, -1]))
    """

    kind: type
    """What the values stand for.

    ``float``: themselves, and NaN for None. ``int``: the same, and the least integer for None.
    ``str``: texts that are whole numbers as Python writes them, and -1 for None. ``object``:
    themselves.
    """
    values: NDArray[Any]
    """Of shape (jobs,)."""

    @classmethod
    def of(cls, values: Sequence[Any]) -> "Column":
        """Make a column of values."""
        kinds = {*map(type, values)} - {type(None)}
        if kinds == {float}:
            numbers = np.array([np.nan if value is None else value for value in values], np.float64)
            if np.isnan(numbers).sum() == values.count(None):
                return cls(float, numbers)
        elif kinds == {int} and all(value is None or abs(value) < _MOST for value in values):
            return cls(int, _integers([_NO_COUNT if value is None else value for value in values]))
        elif kinds == {str} and all(value is None or is_number(value) for value in values):
            return cls(str, _integers([-1 if value is None else int(value) for value in values]))
        return cls(object, np.fromiter(values, object, len(values)))

    def known(self) -> NDArray[np.bool_]:
        """Say which of the values are not None."""
        known: NDArray[np.bool_]
        if self.kind is float:
            known = ~np.isnan(self.values)
        elif self.kind is object:
            known = np.array([value is not None for value in self.values.tolist()], np.bool_)
        else:
            known = self.values > (_NO_COUNT if self.kind is int else -1)
        return known

    def listed(self) -> list[Any]:
        """Return the values as those of Python."""
        listed: list[Any] = self.values.tolist()
        if self.kind is str:
            texts = {number: str(number) if number >= 0 else None for number in {*listed}}
            return [*map(texts.__getitem__, listed)]
        if self.kind is object or (known := self.known()).all():
            return listed
        return [value if told else None for value, told in zip(listed, known.tolist(), strict=True)]

    def one(self, place: int) -> Any:  # noqa: ANN401 - of the kind
        """Return one of them."""
        value = self.values.item(place)
        if self.kind is float:
            return None if value != value else value  # noqa: PLR0124 - quicker than asking NumPy
        if self.kind is str:
            return str(value) if value >= 0 else None
        return None if self.kind is int and value == _NO_COUNT else value

    def at(self, places: Places) -> "Column":
        """Return some of it."""
        return Column(self.kind, self.values[places])

    def plus(self, seconds: float) -> "Column":
        """Return the numbers that are so much larger."""
        if self.kind is float:
            return Column(float, self.values + seconds)
        return Column.of([None if value is None else value + seconds for value in self.listed()])

    @classmethod
    def joined(cls, columns: Sequence["Column"]) -> "Column":
        """Return columns one behind the other."""
        kinds = {column.kind for column in columns}
        if len(kinds) == 1:
            return cls(kinds.pop(), np.concatenate([column.values for column in columns]))
        return cls.of([value for column in columns for value in column.listed()])


def _integers(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def numbers(values: NDArray[np.float64], known: NDArray[np.bool_]) -> Column | None:
    """Make a column of numbers of which some are known; ``None`` if no one is."""
    if not known.any():
        return None
    return Column(float, values if known.all() else np.where(known, values, np.nan))


def counts(values: NDArray[np.float64], known: NDArray[np.bool_]) -> Column | None:
    """Make a column of whole numbers, likewise."""
    if not known.any():
        return None
    return Column(int, np.where(known, values, float(_NO_COUNT)).astype(np.int64))


def numerals(values: NDArray[np.float64]) -> Column | None:
    """Make a column of texts that are whole numbers; those below 0 are none."""
    known = values >= 0.0
    return Column(str, np.where(known, values, -1.0).astype(np.int64)) if known.any() else None


class JobColumns(Sequence[Job]):
    """Jobs in columns, which behave as a list of them does.

    Parameters
    ----------
    columns
        By field, all of one length: those that every job has, and those that any job has.
    """

    __hash__: ClassVar[None] = None  # type: ignore[assignment] # as of a list

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.columns = columns
        self._length = len(columns["id"].values)

    @classmethod
    def of(cls, jobs: Sequence[Job]) -> "JobColumns":
        """Make columns of jobs."""
        fields = {name: [getattr(job, name) for job in jobs] for name in _DEFAULTS}
        return cls(
            {
                name: Column.of(values)
                for name, values in fields.items()
                if name in _REQUIRED or values.count(_DEFAULTS[name]) < len(values)
            }
        )

    @classmethod
    def joined(cls, lots: "Sequence[Job | JobColumns]") -> "JobColumns":
        """Return jobs one behind the other, of which some are in columns."""
        parts: list[JobColumns] = []
        for single, group in groupby(lots, lambda lot: isinstance(lot, Job)):
            some: list[Any] = [*group]
            parts += [cls.of(some)] if single else some
        return cls(
            {
                name: Column.joined([part.column(name) for part in parts])
                for name in _DEFAULTS
                if any(name in part.columns for part in parts)
            }
        )

    def column(self, name: str) -> Column:
        """Return what jobs have in a field."""
        found = self.columns.get(name)
        return Column.of([_DEFAULTS[name]] * len(self)) if found is None else found

    def listed(self, name: str) -> list[Any]:
        """Return what jobs have in a field, one after the other."""
        found = self.columns.get(name)
        return [_DEFAULTS[name]] * len(self) if found is None else found.listed()

    def at(self, places: Places) -> "JobColumns":
        """Return some of the jobs."""
        return JobColumns({name: column.at(places) for name, column in self.columns.items()})

    def changed(self, columns: Mapping[str, Column]) -> "JobColumns":
        """Return the jobs with other columns in the place of theirs."""
        return JobColumns({**self.columns, **columns})

    def with_given(self, name: str, given: float) -> "JobColumns":
        """Return the jobs with a number in a field where they have none."""
        column = self.column(name)
        if column.kind is float:
            values = np.where(column.known(), column.values, given)
            return self.changed({name: Column(float, values)})
        listed = [given if value is None else value for value in column.listed()]
        return self.changed({name: Column.of(listed)})

    def later(self, seconds: float) -> "JobColumns":
        """Return the jobs with dates so many seconds later; see `workload_tools.job.later`."""
        dates = {name: self.columns[name] for name in _DATES if name in self.columns}
        return self.changed({name: dates[name].plus(seconds) for name in dates})

    def by_submission(self) -> "JobColumns":
        """Return the jobs by submission, those of one second as they are."""
        submitted = self.columns["submit_time"].values
        if (submitted[1:] >= submitted[:-1]).all():
            return self
        return self.at(np.argsort(submitted, kind="stable"))

    def __len__(self) -> int:
        """Return the number of jobs."""
        return self._length

    @overload
    def __getitem__(self, place: int) -> Job: ...
    @overload
    def __getitem__(self, place: slice) -> list[Job]: ...
    def __getitem__(self, place: int | slice) -> Job | list[Job]:
        """Return a job, or some."""
        if isinstance(place, slice):
            return self.at(place).made()
        return Job(**{name: column.one(place) for name, column in self.columns.items()})

    def __iter__(self) -> Iterator[Job]:
        """Yield the jobs, of which some are made at a time."""
        for first in range(0, len(self), _JOBS_AT_ONCE):
            yield from self[first : first + _JOBS_AT_ONCE]

    def made(self) -> list[Job]:
        """Make the jobs."""
        names = [*self.columns]
        rows = zip(*(column.listed() for column in self.columns.values()), strict=True)
        return [Job(**dict(zip(names, row, strict=True))) for row in rows]

    def __eq__(self, other: object) -> bool:
        """Say whether these are the same jobs."""
        if not isinstance(other, JobColumns | list):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __repr__(self) -> str:
        """Write the jobs as a list of them is written."""
        return repr([*self])
