"""Units and forms of a table's cells, guessed for a first map of it."""

import numpy as np

from workload_tools.table.language.cells import NOTHING_MORE, Numbers
from workload_tools.table.language.dates import DateReader
from workload_tools.table.language.units import CLOCK, SECONDS, SUFFIX
from workload_tools.table.suggest.column_names import memory_unit_in, unit_in
from workload_tools.table.suggest.sample import SampledColumn
from workload_tools.table.suggest.suggestion import Suggestion, quoted

_SAME = 0.02
_NEARLY_ALL = 0.8


def of_date(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    """Return what a map says of a date beside its column: format and unit."""
    found = column.dates()
    assert found is not None
    form, unit, others = found
    if others:
        suggestion.doubt(name, f"or the format {' or '.join(others)}")
    extra = [] if form is None else [f"format = {quoted(form)}"]
    return extra + ([] if unit == "seconds" else [f"unit = {quoted(unit)}"])


def of_duration(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    """Return what a map says of a duration beside its column: the unit, unless it is seconds."""
    numbers = column.numbers()
    if numbers is None:
        return [f"unit = {quoted(CLOCK)}"]
    named = unit_in(column.name)
    seen = _unit_seen(suggestion, name, numbers)
    if named is not None and seen not in (None, named):
        suggestion.doubt(name, f"its name says {named}, its numbers look like {seen}")
    unit = named or seen
    if unit is None:
        suggestion.doubt(name, "in seconds?")
    return [] if unit in (None, "seconds") else [f"unit = {quoted(unit)}"]


def _unit_seen(suggestion: Suggestion, name: str, numbers: Numbers) -> str | None:
    """Tell a unit from the dates, or a walltime's from the run times."""
    chosen = suggestion.chosen
    ends = {"run_time": ("start_time", "end_time"), "wait_time": ("submit_time", "start_time")}
    if name in ends and all(one in chosen for one in ends[name]):
        first, last = (_seconds_of_dates(chosen[one]) for one in ends[name])
        there = (last - first > 0.0) & (numbers > 0.0)
        if there.any():
            ratio = float(np.median((last - first)[there] / numbers[there]))
            return next((u for u, s in SECONDS.items() if abs(ratio / s - 1.0) < _SAME), None)
    if name == "walltime":
        run_time = _run_times(suggestion)
        if run_time is not None:
            for unit in ("seconds", "minutes", "hours"):
                there = (run_time > 0.0) & (numbers > 0.0)
                fits = (run_time <= 1.1 * numbers * SECONDS[unit])[there]
                if fits.any() and fits.mean() >= _NEARLY_ALL:
                    return unit
    return None


def _run_times(suggestion: Suggestion) -> Numbers | None:
    chosen = suggestion.chosen
    if {"start_time", "end_time"} <= chosen.keys():
        start, end = (_seconds_of_dates(chosen[one]) for one in ("start_time", "end_time"))
        return end - start
    if "run_time" not in chosen:
        return None
    column = chosen["run_time"]
    numbers = column.numbers()
    if numbers is None:
        return column.durations()
    return numbers * SECONDS[unit_in(column.name) or "seconds"]


def _seconds_of_dates(column: SampledColumn) -> Numbers:
    found = column.dates()
    assert found is not None
    return DateReader(NOTHING_MORE, format=found[0], unit=found[1]).read(column.cells).seconds


def of_memory(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    """Return what a map says of memory beside its column: the unit."""
    if column.numbers() is None:
        return [f"unit = {quoted(SUFFIX)}"]
    unit = memory_unit_in(column.name)
    if unit is None:
        suggestion.doubt(name, "in MiB? of the whole job?")
    return [f"unit = {quoted(unit or 'MiB')}"]
