"""Read column maps in TOML, and check them before any row is read."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from workload_tools.errors import LogError
from workload_tools.expressions.over_columns import kind_of, parse
from workload_tools.expressions.syntax import ExpressionError
from workload_tools.hints import did_you_mean
from workload_tools.printable import in_json
from workload_tools.strict import StrictError, Text, read_toml, several, structured
from workload_tools.table.language.dates import ISO
from workload_tools.table.language.quantities import (
    DURATION_UNITS,
    MEMORY_UNITS,
    SECONDS,
    PatternError,
    pattern_of,
)
from workload_tools.table.map.table_map import (
    DATES,
    DURATIONS,
    FIELDS,
    MEMORY,
    OUTCOMES,
    SIZES,
    WHITESPACE,
    Drop,
    FieldMap,
    Join,
    SameJob,
    TableMap,
)
from workload_tools.time_zone import UnknownZoneError, zone_named

_Words: TypeAlias = tuple[str | int | float, ...] | str | int | float
_Count: TypeAlias = Annotated[int, Meta(gt=0, lt=1 << 40)]


class _Table(Struct, forbid_unknown_fields=True):
    delimiter: str | None = None
    decimal: Literal[".", ","] = "."
    header: tuple[Text, ...] = ()
    comment: Text | None = None
    files: tuple[Text, ...] = ()
    missing: _Words = ()
    quotes: bool = True


class _Machine(Struct, forbid_unknown_fields=True):
    time_zone: Text | None = None
    nodes: _Count | None = None
    cores: _Count | None = None
    gpus: _Count | None = None
    processors: _Count | None = None


class _Field(Struct, forbid_unknown_fields=True):
    sources: Annotated[tuple[Text, ...], Meta(min_length=1)] | str = field(name="from")
    unit: Text | None = None
    format: Text | None = None
    time_zone: Text | None = None
    missing: _Words = ()
    pattern: Text | None = None
    per: Literal["node", "processor"] | None = None
    optional: bool = False


class _States(Struct, forbid_unknown_fields=True):
    completed: _Words = ()
    failed: _Words = ()
    cancelled: _Words = ()
    timeout: _Words = ()
    running: _Words = ()
    waiting: _Words = ()


class _Drop(Struct, forbid_unknown_fields=True):
    where: Text
    reason: Text | None = None


class _LeftOut(Struct, forbid_unknown_fields=True):
    where: Text
    what: Text


class _Join(Struct, forbid_unknown_fields=True):
    name: Text
    file: Text
    on: Text
    to: Text | None = None
    required: bool = False


class _Map(Struct, forbid_unknown_fields=True):
    title: Text = ""
    recognise: tuple[Text, ...] = ()
    same_job: SameJob = "id and submit_time"
    origin: tuple[Text, ...] = ()
    table: _Table = field(default_factory=_Table)
    machine: _Machine = field(default_factory=_Machine)
    columns: dict[str, Any] = {}
    size: dict[str, Any] = {}
    states: _States = field(default_factory=_States)
    drop: tuple[_Drop, ...] = ()
    left_out: tuple[_LeftOut, ...] = ()
    join: tuple[_Join, ...] = ()


class MapError(ValueError):
    """A map is invalid. The message names the key and the allowed values."""


_ERRORS = (StrictError, MapError, ExpressionError, UnknownZoneError)


def read_map(path: str | Path) -> TableMap:
    """Read a map from a file.

    Raises
    ------
    LogError
        The file cannot be read, is not TOML, or is not a valid map.
    """
    path = Path(path)
    try:
        return _table_map(read_toml(path, _Map), path)
    except _ERRORS as error:
        raise LogError(path, str(error)) from error


def map_of(content: Mapping[str, Any], path: Path) -> TableMap:
    """Make a map from the decoded content of a map file.

    Raises
    ------
    LogError
        The map is invalid.

    Examples
    --------
    >>> columns = {"submit_time": "submitted", "run_time": "elapsed", "processors": "cpus"}
    >>> map_of({"columns": columns}, Path("mine.toml")).fields["run_time"].sources
    ('elapsed',)
    """
    try:
        return _table_map(structured(content, _Map), path)
    except _ERRORS as error:
        raise LogError(path, str(error)) from error


def _table_map(said: _Map, path: Path) -> TableMap:
    if said.machine.time_zone is not None:
        zone_named(said.machine.time_zone)
    sizes = {name: getattr(said.machine, name) for name in (*SIZES, "processors")}
    table_map = TableMap(
        path=path,
        fields=_fields(said.columns, FIELDS, "columns"),
        sizes=_fields(said.size, SIZES, "size"),
        machine={name: size for name, size in sizes.items() if size is not None},
        states=_states(said.states),
        drops=tuple(
            Drop(_condition(one.where, "drop"), one.reason or one.where) for one in said.drop
        ),
        left_out=tuple(Drop(_condition(one.where, "left_out"), one.what) for one in said.left_out),
        joins=tuple(
            Join(one.name, one.file, one.on, one.to or one.on, one.required) for one in said.join
        ),
        recognise=said.recognise,
        title=said.title,
        origin=said.origin,
        same_job=said.same_job,
        time_zone=said.machine.time_zone,
        delimiter=_delimiter(said.table.delimiter),
        decimal=said.table.decimal,
        header=said.table.header,
        comment=said.table.comment,
        files=said.table.files,
        missing=_words(said.table.missing),
        quotes=said.table.quotes,
    )
    _require_all(table_map)
    return table_map


def _require_all(table_map: TableMap) -> None:
    """Raise an error if a map lacks a required field, or contradicts itself."""
    fields = table_map.fields
    if "submit_time" not in fields:
        raise MapError("[columns] lacks submit_time; name the column of submission times")
    if "run_time" not in fields and not {"start_time", "end_time"} <= fields.keys():
        raise MapError("[columns] lacks run_time; give run_time, or start_time and end_time")
    if "processors" in fields and table_map.sizes:
        raise MapError("the map has both processors in [columns] and [size]; give only one of them")
    if "processors" not in fields and not table_map.sizes:
        raise MapError("[columns] lacks processors; name the column of jobs' sizes")
    names = [join.name for join in table_map.joins]
    if len(set(names)) < len(names):
        raise MapError("two tables to join have the same name")
    if len(set(table_map.header)) < len(table_map.header):
        raise MapError("header in [table] names a column twice")


def _fields(table: Mapping[str, Any], keys: Sequence[str], where: str) -> dict[str, FieldMap]:
    for key in table:
        if key not in keys:
            raise MapError(f"{where} has no key '{key}': {did_you_mean(key, keys)}")
    return {name: _field(name, value, f"{where}.{name}") for name, value in table.items()}


def _field(name: str, value: object, where: str) -> FieldMap:
    if not isinstance(value, str | list | dict):
        raise MapError(
            f"{where} is {in_json(value)}; it must be a column name, or a table with 'from'"
        )
    table = value if isinstance(value, dict) else {"from": value}
    said = structured(table, _Field, where)
    sources = several(said.sources, f"{where}.from")
    _check_sources(name, sources, where)
    if said.time_zone is not None:
        zone_named(said.time_zone)
    _allowed(name, table, where)
    return FieldMap(
        name=name,
        sources=sources,
        unit=_unit(name, said.unit, where),
        format=_format(said.format, where),
        time_zone=said.time_zone,
        missing=_words(said.missing),
        pattern=_pattern(said.pattern, f"{where}.pattern"),
        per=said.per,
        optional=said.optional,
    )


def _check_sources(name: str, sources: tuple[str, ...], where: str) -> None:
    for source in sources:
        try:
            kind = kind_of(parse(source))
        except ExpressionError:
            # the text may be the name of a column with spaces; only the table's header shows this
            continue
        if kind == "truth":
            raise MapError(f"{where} is a condition, but {name} needs a value")


def _allowed(name: str, said: Mapping[str, Any], where: str) -> None:
    """Raise an error if a field has a key that is not allowed for this kind of field."""
    for key, fields, what in (
        ("unit", (*DATES, *DURATIONS, *MEMORY), "a duration, a date or memory"),
        ("format", DATES, "a date"),
        ("time_zone", DATES, "a date"),
        ("per", MEMORY, "memory"),
    ):
        if key in said and name not in fields:
            raise MapError(f"{where}.{key}: only {what} can have this key")


def _unit(name: str, unit: str | None, where: str) -> str | None:
    if name in MEMORY and unit is None:
        raise MapError(f"{where} lacks 'unit': one of {', '.join(MEMORY_UNITS)}")
    known = MEMORY_UNITS if name in MEMORY else tuple(SECONDS) if name in DATES else DURATION_UNITS
    if unit is not None and unit not in known:
        raise MapError(f"{where}.unit is '{unit}': {did_you_mean(unit, known)}")
    return unit


WITH_YEAR = frozenset("YyGcxDF")
"""Letters of the `strptime` directives that contain the year."""


def _format(form: str | None, where: str) -> str | None:
    """Return a date format; raise an error if it lacks the year or contains a part twice."""
    if form is None or form == ISO:
        return form
    if WITH_YEAR.isdisjoint(re.findall("%(.)", form)):
        raise MapError(f"{where}.format is '{form}'; add the year: %Y, or %y for two digits")
    try:
        # the ValueError only says that an empty text is not a date
        with suppress(ValueError):
            datetime.strptime("", form)  # noqa: DTZ007 - only the format counts
    except re.error:
        raise MapError(f"{where}.format is '{form}', which repeats a part of the date") from None
    return form


def _pattern(text: str | None, where: str) -> str | None:
    if text is not None:
        try:
            pattern_of(text)
        except PatternError as error:
            raise MapError(f"{where} {error}") from None
    return text


def _states(said: _States) -> dict[str, str]:
    states: dict[str, str] = {}
    for outcome in OUTCOMES:
        for value in _words(getattr(said, outcome)):
            if value in states:
                raise MapError(f"[states] contains '{value}' twice")
            states[value] = outcome
    return states


def _condition(text: str, table: str) -> str:
    if kind_of(parse(text)) != "truth":
        raise MapError(f"{table}.where '{text}' is not a condition")
    return text


def _delimiter(text: str | None) -> str | None:
    if (
        text is not None
        and text != WHITESPACE
        and (len(text) != 1 or not text.isascii() or text in "\r\n\"'")
    ):
        raise MapError(
            f"table.delimiter is '{text}'; it must be one character, such as ',', or '{WHITESPACE}'"
        )
    return text


def _words(value: _Words) -> tuple[str, ...]:
    """Return texts and numbers as the texts that a table would contain."""
    values = value if isinstance(value, tuple) else (value,)
    return tuple(f"{one:.15g}" if isinstance(one, float) else str(one) for one in values)
