"""Guess units, formats and states for a first column map."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workload_tools.table.language.cells import NOTHING_MORE, Numbers
from workload_tools.table.language.dates import DateReader
from workload_tools.table.language.quantities import CLOCK, SECONDS, SUFFIX
from workload_tools.table.map.table_map import NAMES, STATUS, outcome_of
from workload_tools.table.suggest.column_names import (
    PATTERNS,
    counted_in,
    each_in,
    memory_unit_in,
    plain,
    unit_in,
)
from workload_tools.table.suggest.sample import SampledColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(slots=True)
class Suggestion:
    """The choices and doubts from which a first map is written."""

    columns: list[SampledColumn]
    """The sampled columns of the table."""
    chosen: dict[str, SampledColumn] = field(default_factory=dict)
    """The chosen column of each field."""
    doubts: dict[str, list[str]] = field(default_factory=dict)
    """Texts about uncertain guesses, by field."""
    times: dict[str, SampledColumn] = field(default_factory=dict)
    """For each size that is per part of a job (such as a task), the column of numbers of parts."""

    def source(self, name: str, column: SampledColumn) -> str:
        """Return a field's column, or its product with the column of numbers of parts."""
        if name not in self.times:
            return column.name
        return " * ".join(
            f"`{one.name}`" if not re.fullmatch(_WORD, one.name) else one.name
            for one in (column, self.times[name])
        )

    def doubt(self, name: str, why: str) -> None:
        """Add a doubt about a field."""
        self.doubts.setdefault(name, []).append(why)


def quoted(text: str) -> str:
    """Return a text as a quoted TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def shown(text: str) -> str:
    """Return a text for a comment: printable, and at most 60 characters."""
    return "'" + "".join(c if c.isprintable() else "?" for c in text[:60]) + "'"


_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_SAME = 0.02
_NEARLY_ALL = 0.8
_MOST_OF_PARTS = 0.5


def of_date(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    """Return the format and the unit of a date as keys of the map."""
    found = column.dates()
    assert found is not None
    form, unit, others = found
    if others:
        suggestion.doubt(name, f"the format may also be {' or '.join(others)}")
    extra = [] if form is None else [f"format = {quoted(form)}"]
    return extra + ([] if unit == "seconds" else [f"unit = {quoted(unit)}"])


def of_duration(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    """Return the unit of a duration as a key of the map; nothing if the unit is seconds."""
    numbers = column.numbers()
    if numbers is None:
        return [f"unit = {quoted(CLOCK)}"]
    named = unit_in(column.name)
    seen = _unit_seen(suggestion, name, numbers)
    if named is not None and seen not in (None, named):
        suggestion.doubt(name, f"the name says {named}, the numbers look like {seen}")
    unit = named or seen
    if unit is None:
        suggestion.doubt(name, "in seconds?")
    return [] if unit in (None, "seconds") else [f"unit = {quoted(unit)}"]


def _unit_seen(suggestion: Suggestion, name: str, numbers: Numbers) -> str | None:
    """Infer the unit of a duration from the dates, or of a walltime from the run times."""
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
    """Return the unit of memory as a key of the map, and ``per`` if it is per node or processor."""
    part = re.search(r"_per_(nodes?|hosts?)?", plain(column.name))
    per = [] if part is None else [f"per = {quoted('node' if part[1] else 'processor')}"]
    if column.numbers() is None:
        return [f"unit = {quoted(SUFFIX)}", *per]
    unit = memory_unit_in(column.name)
    if unit is None:
        suggestion.doubt(name, "in MiB?" if per else "in MiB? of the whole job?")
    return [f"unit = {quoted(unit or 'MiB')}", *per]


_WORDS = {
    "completed": "completed|complete|done|pass(ed)?|ok|success(ful)?|finished|cd|normal",
    "failed": "fail(ed)?|error|node_fail|out_of_memory|oom|boot_fail|f|nf",
    "cancelled": "cancel.*|killed|deleted|removed|aborted|ca",
    "timeout": "timeout|time_?out|to|deadline|walltime",
    "running": "running|run|r|started",
    "waiting": "pending|queued|waiting|pd|q|held",
}
_MOST_STATES = 40


def status_name(name: str, column: SampledColumn) -> str:
    """Return ``status`` if a column of states contains SWF status numbers, else the name."""
    swf = set(column.values()) <= {"0", "1", "2", "3", "4", "5"}
    if name == "state" and swf and "exit" not in plain(column.name):
        return "status"
    return name


def move_durations(suggestion: Suggestion) -> None:
    """If the dates show that a column contains waits or run times, use it for this field."""
    chosen = suggestion.chosen
    ends = {"wait_time": ("submit_time", "start_time"), "run_time": ("start_time", "end_time")}
    for name in [one for one in chosen if one in NAMES]:
        numbers = chosen[name].numbers()
        if numbers is None:
            continue
        for duration, (first, last) in ends.items():
            if not {first, last} <= chosen.keys():
                continue
            between = _seconds_of_dates(chosen[last]) - _seconds_of_dates(chosen[first])
            there = np.isfinite(between) & np.isfinite(numbers)
            # if all differences are 0, a column of zeros would match by chance
            if not (between[there] > 0.0).any():
                continue
            if _are_the_same(numbers, between, there):
                column = chosen.pop(name)
                if duration not in chosen:
                    chosen[duration] = column
                    suggestion.doubt(duration, f"named like {name}, but contains durations")
                break


def _are_the_same(numbers: Numbers, seconds: Numbers, there: "NDArray[np.bool_]") -> bool:
    """Return True if nearly all numbers equal durations in seconds, minutes or hours."""
    longer = np.median(seconds[there & (seconds > 0.0)])
    return any(
        (np.abs(seconds - numbers * scale)[there] <= scale).mean() >= _NEARLY_ALL
        for scale in (1.0, 60.0, 3600.0)
        # for short durations, any numbers would match after rounding to hours
        if scale == 1.0 or longer > 5.0 * scale
    )


def doubt_times(suggestion: Suggestion) -> None:
    """Remove walltimes that equal the run times, and note starts or ends that are too early."""
    chosen = suggestion.chosen
    run_times = _run_times(suggestion)
    for name in ("walltime", "soft_walltime"):
        numbers = None
        if name in chosen and run_times is not None:
            numbers = chosen[name].numbers()
            numbers = chosen[name].durations() if numbers is None else numbers
        if numbers is None or run_times is None:
            continue
        there = np.isfinite(numbers) & np.isfinite(run_times)
        if (run_times[there] > 0.0).any() and _are_the_same(numbers, run_times, there):
            column = chosen.pop(name)
            place = chosen.setdefault("run_time", column)
            what = "it is" if place is column else f"{shown(column.name)} is"
            suggestion.doubt(
                "run_time", f"{what} called {name}, but equals the run times: not a request"
            )
    for first, last in (("submit_time", "start_time"), ("start_time", "end_time")):
        if {first, last} <= chosen.keys():
            between = _seconds_of_dates(chosen[last]) - _seconds_of_dates(chosen[first])
            there = np.isfinite(between)
            if there.any() and (between[there] < 0.0).mean() >= _MOST_OF_PARTS:
                suggestion.doubt(last, f"its dates are mostly before {first}")


def find_sizes_of_parts(suggestion: Suggestion) -> None:
    """If sizes are given per worker, task or node, multiply them by the number of these parts."""
    chosen = suggestion.chosen
    counts: dict[str, tuple[SampledColumn, Numbers]] = {}
    for column in suggestion.columns:
        part = counted_in(column.name)
        numbers = column.numbers() if part is not None and column.there else None
        if part is not None and numbers is not None:
            counts.setdefault(part, (column, numbers))
    for size in ("nodes", "cores", "gpus"):
        if size in chosen:
            _compare_with_counts(suggestion, size, counts)
            continue
        for column in suggestion.columns:
            found = each_in(column.name)
            if found is None or not column.there or column.numbers() is None:
                continue
            named, part = found
            if any(re.fullmatch(one, named) for one in PATTERNS[size]):
                chosen[size] = column
                if part in counts:
                    suggestion.times[size] = counts[part][0]
                else:
                    suggestion.doubt(size, f"per {part}, but no column has the number of {part}s")
                break


def _compare_with_counts(
    suggestion: Suggestion, size: str, counts: dict[str, tuple[SampledColumn, Numbers]]
) -> None:
    """Detect sizes per part: most jobs' sizes are smaller than their numbers of parts."""
    column = suggestion.chosen[size]
    numbers = column.numbers()
    assert numbers is not None
    for part, (counting, count) in counts.items():
        there = (count > 1.0) & (numbers > 0.0)
        if counting is column or not there.any():
            continue
        if (numbers < count)[there].mean() > _MOST_OF_PARTS:
            suggestion.times[size] = counting
            suggestion.doubt(
                size, f"mostly below {shown(counting.name)}, so treated as a size per {part}"
            )
            return
        if part not in ("node", "task") and (numbers % count)[there].any():
            suggestion.doubt(size, f"of the whole job, or per {part}?")


def states_of(suggestion: Suggestion) -> list[str]:
    """Return the lines of the map about states; none if the states are Slurm's."""
    column = suggestion.chosen.get("state")
    if column is None or status_name("state", column) == "status":
        return []
    values = [value for value, _ in column.values().most_common()]
    if all(outcome_of(value, {}).known for value in values):
        return []
    meant: dict[str, list[str]] = {}
    unknown = []
    for value in values[:_MOST_STATES]:
        called = plain(value)
        found = next((one for one, words in _WORDS.items() if re.fullmatch(words, called)), None)
        if found is None and outcome_of(value, {}).known:
            found = next((o for o, s in STATUS.items() if s == outcome_of(value, {}).status), None)
        if found is None and value.isdecimal():
            found = "completed" if value == "0" else "failed"
        if found is None and re.fullmatch("[0-9]+:[0-9]+", value):
            # Slurm's exit code and signal
            found = "completed" if value == "0:0" else "failed"
        if found is None:
            unknown.append(value)
        else:
            meant.setdefault(found, []).append(value)
    lines = ["", "[states]"]
    lines += [f"{outcome} = [{', '.join(map(quoted, found))}]" for outcome, found in meant.items()]
    if unknown:
        lines.append(f"# not sure: the meaning of {', '.join(map(shown, unknown))}")
    return lines
