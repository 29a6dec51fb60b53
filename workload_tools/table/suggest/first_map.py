"""Write a first column map of a table, with comments about uncertain guesses."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from workload_tools.errors import LogError
from workload_tools.table.language.dates import UNIX_DATES
from workload_tools.table.map.table_map import COUNTS, DATES, DURATIONS, MEMORY
from workload_tools.table.suggest.column_names import PATTERNS, plain, unit_in
from workload_tools.table.suggest.guesses import (
    Suggestion,
    doubt_times,
    find_sizes_of_parts,
    move_durations,
    of_date,
    of_duration,
    of_memory,
    quoted,
    shown,
    states_of,
    status_name,
)
from workload_tools.table.suggest.sample import SampledColumn, sampled

_ORDER = (
    *("id", "submit_time", "start_time", "end_time", "run_time", "wait_time", "walltime"),
    *("soft_walltime", "user", "group", "project", "queue", "partition", "qos", "name"),
    *("executable", "array", "memory", "used_memory", "state"),
)
_SIZES = ("nodes", "cores", "gpus")


def suggest(path: Path, others: Iterable[Path] = (), *, delimiter: str | None = None) -> str:
    """Return a first column map for a table, guessed from its column names and first rows.

    Parameters
    ----------
    path
        The table.
    others
        Further tables, whose columns are added to the rows of the table.
    delimiter
        The delimiter of a CSV file; by default it is detected in the first line.

    Returns
    -------
    str
        The map in TOML, with a comment for each uncertain guess.

    Raises
    ------
    LogError
        A file cannot be read or has no rows, the table has only one column, which fits no field, or
        another table has no key in common with the table.
    """
    columns = sampled(path, delimiter=delimiter)
    joins = []
    for other in others:
        more = sampled(other, prefix=f"{plain(other.name.split('.')[0])}.", delimiter=delimiter)
        key, there = _key(columns, more, path, other)
        joins.append((other, key, there))
        columns = [*columns, *(column for column in more if column is not there)]
    suggestion = Suggestion(columns)
    _choose(suggestion)
    if len(columns) == 1 and not suggestion.chosen:
        raise LogError(
            path,
            f"is not a table of jobs: its only column, {shown(columns[0].name)}, fits no field of "
            "a job. If this column contains several cells, give --delimiter. If the log has "
            "another format, such as SWF, it needs no column map",
        )
    move_durations(suggestion)
    doubt_times(suggestion)
    find_sizes_of_parts(suggestion)
    lines = [f"# A first column map of {path.name}: check each line with '# not sure'.", ""]
    if delimiter is not None:
        lines += ["[table]", f"delimiter = {quoted(delimiter)}", ""]
    lines += _machine(suggestion)
    lines += ["[columns]", *_fields(suggestion)]
    lines += _sizes(suggestion)
    lines += states_of(suggestion)
    for other, key, there in joins:
        prefix, _, name = there.name.partition(".")
        lines += ["", "[[join]]", f"name = {quoted(prefix)}", f"file = {quoted(other.name)}"]
        lines += [f"on = {quoted(key.name)}", f"to = {quoted(name)}"]
    used = {column.name for column in (*suggestion.chosen.values(), *suggestion.times.values())}
    unused = [column.name for column in columns if column.name not in used]
    if unused:
        lines += ["", "# not used: " + ", ".join(shown(name) for name in unused)]
    return "\n".join(lines) + "\n"


def _choose(suggestion: Suggestion) -> None:
    """Choose for each field the column whose name fits best and whose cells are suitable."""
    ranked: list[tuple[int, int, str, SampledColumn]] = []
    for order, (name, patterns) in enumerate(PATTERNS.items()):
        for column in suggestion.columns:
            called = plain(column.name)
            rank = next(
                (i for i, pattern in enumerate(patterns) if re.fullmatch(pattern, called)), None
            )
            if rank is not None and column.there and _can_be(name, column):
                ranked.append((rank, order, name, column))
    taken: set[str] = set()
    for _, _, name, column in sorted(ranked, key=lambda entry: entry[:2]):
        if name not in suggestion.chosen and column.name not in taken:
            suggestion.chosen[name] = column
            taken.add(column.name)
        elif column.name not in taken:
            suggestion.doubt(name, f"or {shown(column.name)}")


def _can_be(name: str, column: SampledColumn) -> bool:
    if name in DATES:
        return column.dates() is not None
    if name in DURATIONS:
        numbers = column.numbers()
        if numbers is None:
            return column.durations() is not None
        # Unix dates are not durations, even if the name suggests a duration
        unit = unit_in(column.name) or "seconds"
        return unit != "seconds" or bool(np.nanmedian(numbers) < UNIX_DATES)
    if name in (*COUNTS, "cores"):
        return column.numbers() is not None
    if name in MEMORY:
        return column.numbers() is not None or column.has_suffixes()
    return True


def _machine(suggestion: Suggestion) -> list[str]:
    lines = [
        "[machine]",
        "# nodes = 64    # the machine's size in nodes, cores or gpus; or use --processors",
    ]
    dates = [suggestion.chosen[name] for name in DATES if name in suggestion.chosen]
    if any(not column.has_zone() for column in dates):
        lines.append('time_zone = "UTC"    # not sure: the dates have no zone')
    return [*lines, ""]


def _fields(suggestion: Suggestion) -> list[str]:
    lines = []
    chosen = suggestion.chosen
    for name in _ORDER:
        if name not in chosen:
            needed = name == "submit_time" or (
                name == "run_time" and not {"start_time", "end_time"} <= chosen.keys()
            )
            if needed:
                lines.append(f'# {name} = ""    # not sure: no column looks like this field')
            continue
        column = chosen[name]
        extra: list[str] = []
        if name in DATES:
            extra = of_date(suggestion, name, column)
        elif name in DURATIONS:
            extra = of_duration(suggestion, name, column)
        elif name in MEMORY:
            extra = of_memory(suggestion, name, column)
        lines.append(_line(suggestion, status_name(name, column), column, extra, field_name=name))
    if not any(size in chosen for size in _SIZES):
        lines.append('# processors = ""    # not sure: no column looks like a size')
    elif sum(size in chosen for size in _SIZES) == 1:
        size = next(size for size in _SIZES if size in chosen)
        lines.append(_line(suggestion, "processors", chosen[size], [], field_name=size))
    return lines


def _line(
    suggestion: Suggestion,
    key: str,
    column: SampledColumn,
    extra: list[str],
    *,
    field_name: str,
) -> str:
    source = quoted(suggestion.source(field_name, column))
    value = f"{{ from = {source}, {', '.join(extra)} }}" if extra else source
    doubts = suggestion.doubts.get(field_name, [])
    return f"{key} = {value}" + (f"    # not sure: {'; '.join(doubts)}" if doubts else "")


def _sizes(suggestion: Suggestion) -> list[str]:
    chosen = suggestion.chosen
    known = [size for size in _SIZES if size in chosen]
    if len(known) <= 1:
        return []
    lines = ["", "[size]"]
    lines += [_line(suggestion, size, chosen[size], [], field_name=size) for size in known]
    return lines


def _key(
    columns: list[SampledColumn], more: list[SampledColumn], path: Path, other: Path
) -> tuple[SampledColumn, SampledColumn]:
    """Return the columns of two tables by which the tables can be joined."""
    for there in sorted(
        more, key=lambda column: plain(column.name) not in ("job_id", "jobid", "id")
    ):
        called = plain(there.name)
        if len(set(there.there)) < len(there.there):
            continue
        for here in columns:
            same = plain(here.name) == called or {plain(here.name), called} <= _IDS
            if same and set(here.there) & set(there.there):
                return here, there
    raise LogError(
        other, f"cannot be joined: no column has the same name as in {path.name}, and equal values"
    )


_IDS = frozenset(["id", "job", "job_id", "jobid", "jid", "job_number", "allocation_id"])
