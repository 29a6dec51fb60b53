"""Writes site files, optionally with a comment on each key."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from textwrap import wrap
from typing import Any

import msgspec
from msgspec import UNSET, inspect

from schedulers.site.site import Site
from workload_tools.strict import field_docs

WIDTH = 98
"""The width of comment lines."""


def text_of(site: Site, *, comments: bool = False) -> str:
    """Return the text of a site's file. `read_site` reads an equal site from this text.

    With `comments`, the text explains each key, including keys that the site does not use.

    Examples
    --------
    >>> from schedulers.site.site import Limit
    >>> print(text_of(Site(limits=(Limit(of="jobs", per="user", most=10.0),))), end="")
    [[limits]]
    of = "jobs"
    per = "user"
    most = 10
    """
    writer = _TableWriter(comments=comments)
    lines = [*writer.about(Site), *writer.keys(site, Site)]
    for field, kind, several in _tables(Site):
        found = getattr(site, field)
        entries = found if several else () if found is None else (found,)
        head = f"[[{field}]]" if several else f"[{field}]"
        for entry in entries:
            lines += ["", *writer.about(kind), head, *writer.keys(entry, kind)]
        if not entries and comments:
            lines += ["", *writer.about(kind), f"# {head}", *writer.keys(None, kind)]
    while lines and not lines[0]:
        del lines[0]
    return "".join(f"{line}\n" for line in lines)


class _TableWriter:
    """Writes tables, and explains the keys of each kind of table once."""

    def __init__(self, *, comments: bool) -> None:
        self._comments = comments
        self._known: set[type] = set()

    def about(self, kind: type) -> list[str]:
        """Return the explanation of a kind of table for its first table, else nothing."""
        if not self._comments or kind in self._known:
            return []
        return [*_comment(kind.__doc__ or ""), *([""] if kind is Site else [])]

    def keys(self, table: Any, kind: type) -> Iterator[str]:  # noqa: ANN401 - a struct
        """Yield the lines of a table's keys, or of all possible keys if there is no table."""
        first = self._comments and kind not in self._known
        self._known.add(kind)
        docs = field_docs(kind) if first else {}
        for field in _fields(kind):
            if _table_of(field) is not None:
                continue
            name = field.name
            value = UNSET if table is None else getattr(table, name)
            default = _default(field)
            if value is not UNSET and value != default:
                shown = f"{name} = {toml_value(value)}"
            elif not first:
                continue
            elif default is None:
                shown = f"# {name} ="
            else:
                shown = f"# {name} = {toml_value(default)}"
            yield from _comment(docs.get(name, ""), _words(field)) if first else ()
            yield shown


def _fields(kind: type) -> tuple[inspect.Field, ...]:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return found.fields


def _default(field: inspect.Field) -> Any:  # noqa: ANN401 - of a key
    """Return the default of a key, or ``None`` for a required key."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return None if field.default is msgspec.NODEFAULT else field.default


def _tables(kind: type) -> Iterator[tuple[str, type, bool]]:
    """Yield each field that is a table, its kind, and whether several such tables are allowed."""
    for field in _fields(kind):
        inside = _table_of(field)
        if inside is not None:
            yield field.name, inside, hasattr(field.type, "item_type")


def _table_of(field: inspect.Field) -> type | None:
    """Return the struct of a field that holds one or several structs, or ``None``."""
    several = getattr(field.type, "item_type", None)
    kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (several,)
    return next((one.cls for one in kinds if isinstance(one, inspect.StructType)), None)


def _words(field: inspect.Field) -> str:
    """Return the list of accepted values in words, if a field accepts only certain values."""
    kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
    words = [word for one in kinds if isinstance(one, inspect.LiteralType) for word in one.values]
    return f"One of {', '.join(map(str, words))}." if words else ""


def _comment(*texts: str) -> list[str]:
    plain = " ".join(" ".join(texts).split())
    plain = re.sub(r"`+([^`]*)`+", r"\1", plain).replace("None: ", "left out: ")
    return wrap(plain[:1].upper() + plain[1:], WIDTH, initial_indent="# ", subsequent_indent="# ")


def toml_value(value: Any) -> str:  # noqa: ANN401 - text, number, date, list or table of these
    """Return a value as TOML."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_value(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)  # noqa: PLR2004 - digits of a double
    # JSON of these values is valid TOML, except for one character
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
