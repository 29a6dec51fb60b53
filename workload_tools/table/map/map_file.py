"""Maps of tables: files in TOML, checked before a row is read."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workload_tools.errors import LogError
from workload_tools.expressions.over_columns import kind_of, parse
from workload_tools.expressions.syntax import ExpressionError
from workload_tools.table.language.patterns import PatternError, pattern_of
from workload_tools.table.language.units import DURATION_UNITS, MEMORY_UNITS, SECONDS
from workload_tools.table.map.table_map import (
    DATES,
    DURATIONS,
    FIELDS,
    MEMORY,
    OUTCOMES,
    SAME_JOB,
    SIZES,
    WHITESPACE,
    Drop,
    FieldMap,
    Join,
    TableMap,
    UnknownZoneError,
    zone_named,
)

_TOP = (
    *("title", "recognise", "same_job", "origin"),
    *("table", "machine", "columns", "size", "states", "drop", "join"),
)
_TABLE = ("delimiter", "decimal", "header", "comment", "files", "missing", "quotes")
_MACHINE = ("time_zone", "nodes", "cores", "gpus", "processors")
_FIELD = ("from", "unit", "format", "time_zone", "missing", "pattern", "per", "optional")
_DROP = ("where", "reason")
_JOIN = ("name", "file", "on", "to", "required")
_PER = ("node", "processor")
_LARGEST_MAP = 1 << 20


class MapError(ValueError):
    """What a map says can't be: the message says where in the map, and what could be there."""


def read_map(path: str | Path) -> TableMap:
    """Read a map.

    Raises
    ------
    LogError
        The file can't be read, is no TOML, or says what no map can say.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LogError(path, f"can't be read: {error.strerror or error}") from error
    if len(content) > _LARGEST_MAP:
        raise LogError(path, "is larger than 1 MB: a map of a table has a line a column")
    try:
        return map_of(tomllib.loads(content.decode()), path)
    except UnicodeDecodeError as error:
        raise LogError(path, f"is no text in UTF-8: {error.reason}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise LogError(path, f"is no TOML: {error}") from error


def map_of(content: Mapping[str, Any], path: Path) -> TableMap:
    """Make a map of what its file says.

    Raises
    ------
    LogError
        It says what no map can say.

    Examples
    --------
    >>> columns = {"submit_time": "submitted", "run_time": "elapsed", "processors": "cpus"}
    >>> map_of({"columns": columns}, Path("mine.toml")).fields["run_time"].sources
    ('elapsed',)
    """
    try:
        return _checked(content, path)
    except (MapError, ExpressionError, UnknownZoneError) as error:
        raise LogError(path, str(error)) from error


def _checked(content: Mapping[str, Any], path: Path) -> TableMap:
    _known(content, _TOP, "")
    table = _table(content, "table")
    machine = _table(content, "machine")
    _known(table, _TABLE, "table")
    _known(machine, _MACHINE, "machine")
    columns = _table(content, "columns")
    _known(columns, FIELDS, "columns")
    sizes = _table(content, "size")
    _known(sizes, SIZES, "size")
    same_job = _one_of(content.get("same_job", SAME_JOB[0]), SAME_JOB, "same_job")
    decimal = _one_of(table.get("decimal", "."), (".", ","), "table.decimal")
    zone = _text(machine.get("time_zone"), "machine.time_zone")
    if zone is not None:
        zone_named(zone)
    fields = {name: _field(name, value, "columns") for name, value in columns.items()}
    made = TableMap(
        path=path,
        fields=fields,
        sizes={name: _field(name, value, "size") for name, value in sizes.items()},
        machine={
            name: _count(value, f"machine.{name}")
            for name, value in machine.items()
            if name != "time_zone"
        },
        states=_states(_table(content, "states")),
        drops=tuple(_drop(one) for one in _tables(content, "drop")),
        joins=tuple(_join(one) for one in _tables(content, "join")),
        recognise=_texts(content.get("recognise", ()), "recognise"),
        title=_text(content.get("title"), "title") or "",
        origin=_texts(content.get("origin", ()), "origin"),
        same_job=same_job,
        time_zone=zone,
        delimiter=_delimiter(table.get("delimiter")),
        decimal=decimal,
        header=_texts(table.get("header", ()), "table.header"),
        comment=_text(table.get("comment"), "table.comment"),
        files=_texts(table.get("files", ()), "table.files"),
        missing=_words(table.get("missing", ()), "table.missing"),
        quotes=_truth(table.get("quotes", True), "table.quotes"),
    )
    _require_all(made)
    return made


def _require_all(made: TableMap) -> None:
    """Refuse a map from which no job can be made."""
    fields = made.fields
    if "submit_time" not in fields:
        raise MapError("columns lacks submit_time: which column has the date of submission?")
    if "run_time" not in fields and not {"start_time", "end_time"} <= fields.keys():
        raise MapError("columns lacks run_time, or start_time and end_time of which it follows")
    if "processors" in fields and made.sizes:
        raise MapError("columns.processors and the table size say the same: leave out one")
    if "processors" not in fields and not made.sizes:
        raise MapError("columns lacks processors: which column has a job's size?")
    names = [join.name for join in made.joins]
    if len(set(names)) < len(names):
        raise MapError("two tables to join have one name")
    if len(set(made.header)) < len(made.header):
        raise MapError("table.header names a column twice")


def _known(table: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    for key in table:
        if key not in keys:
            close = difflib.get_close_matches(key, list(keys), n=1)
            hint = f"did you mean '{close[0]}'? " if close else ""
            place = f"{where} has" if where else "the map has"
            raise MapError(f"{place} an unknown key '{key}': {hint}known: {', '.join(keys)}")


def _table(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = content.get(name, {})
    if not isinstance(value, dict):
        raise MapError(f"'{name}' is {value!r}; it must be a table, [{name}]")
    return value


def _tables(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = content.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise MapError(f"'{name}' must be one or more tables, each under [[{name}]]")
    return value


def _field(name: str, value: object, where: str) -> FieldMap:
    where = f"{where}.{name}"
    said = {"from": value} if isinstance(value, str | list) else value
    if not isinstance(said, dict):
        raise MapError(f"{where} is {value!r}; it must name a column, or be a table with 'from'")
    _known(said, _FIELD, where)
    sources = said.get("from", [])
    sources = _texts([sources] if isinstance(sources, str) else sources, f"{where}.from")
    if not sources:
        raise MapError(f"{where} lacks 'from': which column?")
    _check_sources(name, sources, where)
    zone = _text(said.get("time_zone"), f"{where}.time_zone")
    if zone is not None:
        zone_named(zone)
    _allowed(name, said, where)
    return FieldMap(
        name=name,
        sources=sources,
        unit=_unit(name, said.get("unit"), where),
        format=_text(said.get("format"), f"{where}.format"),
        time_zone=zone,
        missing=_words(said.get("missing", ()), f"{where}.missing"),
        pattern=_pattern(said.get("pattern"), f"{where}.pattern"),
        per=None if "per" not in said else _one_of(said["per"], _PER, f"{where}.per"),
        optional=_truth(said.get("optional", False), f"{where}.optional"),
    )


def _check_sources(name: str, sources: tuple[str, ...], where: str) -> None:
    for source in sources:
        try:
            kind = kind_of(parse(source))
        except ExpressionError:
            # it may be the name of a column with spaces, which only the table tells
            continue
        if kind == "truth":
            raise MapError(f"{where} is a condition; a {name} is none")


def _allowed(name: str, said: Mapping[str, Any], where: str) -> None:
    """Refuse what a field of that kind can't have."""
    for key, fields, what in (
        ("unit", (*DATES, *DURATIONS, *MEMORY), "a duration, a date or memory"),
        ("format", DATES, "a date"),
        ("time_zone", DATES, "a date"),
        ("per", MEMORY, "memory"),
    ):
        if key in said and name not in fields:
            raise MapError(f"{where}.{key}: only {what} has one")


def _unit(name: str, value: object, where: str) -> str | None:
    if name in MEMORY:
        if value is None:
            raise MapError(f"{where} lacks 'unit': one of {', '.join(MEMORY_UNITS)}")
        return _one_of(value, MEMORY_UNITS, f"{where}.unit")
    if value is None:
        return None
    units = tuple(SECONDS) if name in DATES else DURATION_UNITS
    return _one_of(value, units, f"{where}.unit")


def _pattern(value: object, where: str) -> str | None:
    text = _text(value, where)
    if text is not None:
        try:
            pattern_of(text)
        except PatternError as error:
            raise MapError(f"{where} {error}") from None
    return text


def _states(table: Mapping[str, Any]) -> dict[str, str]:
    _known(table, OUTCOMES, "states")
    states: dict[str, str] = {}
    for outcome, values in table.items():
        for value in _words(values, f"states.{outcome}"):
            if value in states:
                raise MapError(f"states has '{value}' twice")
            states[value] = outcome
    return states


def _drop(table: Mapping[str, Any]) -> Drop:
    _known(table, _DROP, "drop")
    where = _text(table.get("where"), "drop.where")
    if where is None:
        raise MapError("a drop lacks 'where': which rows?")
    if kind_of(parse(where)) != "truth":
        raise MapError(f"drop.where '{where}' is no condition")
    return Drop(where, _text(table.get("reason"), "drop.reason") or where)


def _join(table: Mapping[str, Any]) -> Join:
    _known(table, _JOIN, "join")
    said = {key: _text(table.get(key), f"join.{key}") for key in ("name", "file", "on", "to")}
    name, file, on = said["name"], said["file"], said["on"]
    if name is None or file is None or on is None:
        raise MapError("a join needs 'name', 'file' and 'on'")
    return Join(name, file, on, said["to"] or on, _truth(table.get("required", False), "join"))


def _delimiter(value: object) -> str | None:
    # a tab is a text of its own here
    text = "\t" if value == "\t" else _text(value, "table.delimiter")
    if (
        text is not None
        and text != WHITESPACE
        and (len(text) != 1 or not text.isascii() or text in "\r\n\"'")
    ):
        raise MapError(
            f"table.delimiter is '{text}'; it must be one sign, such as ',', or '{WHITESPACE}'"
        )
    return text


def _text(value: object, where: str) -> str | None:
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise MapError(f"{where} is {value!r}; it must be a text")
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise MapError(f"{where} is {value!r}; it must be a list of texts")
    return tuple(_text(one, where) or "" for one in value)


def _words(value: object, where: str) -> tuple[str, ...]:
    """Return texts and numbers as the texts that stand in a table."""
    values = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(one, str | int | float) for one in values):
        raise MapError(f"{where} is {value!r}; it must be a list of texts or numbers")
    return tuple(f"{one:.15g}" if isinstance(one, float) else str(one) for one in values)


def _one_of(value: object, words: tuple[str, ...], where: str) -> str:
    if value not in words:
        close = difflib.get_close_matches(str(value), words, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        raise MapError(f"{where} is {value!r}: {hint}it must be one of {', '.join(words)}")
    return str(value)


def _truth(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise MapError(f"{where} is {value!r}; it must be true or false")
    return value


def _count(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << 40:
        raise MapError(f"{where} is {value!r}; it must be a whole number above 0")
    return value
