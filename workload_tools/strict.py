"""Read option files strictly into structs; error messages name the key and the allowed values."""

import ast
import re
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, inspect

from workload_tools.expected import in_words, wanted
from workload_tools.hints import did_you_mean
from workload_tools.printable import in_json

T = TypeVar("T")

Text: TypeAlias = Annotated[str, Meta(pattern=r"\S")]
"""A text that is not blank."""

# The type is not `tuple[Text, ...] | Text`: msgspec 0.22 frees a pattern in a union with a list
# wrongly when Python exits, and Python then sometimes crashes.
Texts: TypeAlias = tuple[Text, ...] | str
"""A list of texts that are not blank, or a single text. `several` converts either to a tuple."""

_LARGEST = 1 << 20
_PARTS = re.compile(r"(?P<what>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[([0-9]+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_LACKING = re.compile(r"Object missing required field `(.*)`")
_NO_KEY = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_NO_DATE = "Invalid RFC3339 encoded datetime"
_EXPECTED = re.compile(r"Expected `([^`]*)`(?: (.*))?")


_WORDS = (inspect.LiteralType, inspect.NoneType)


class StrictError(ValueError):
    """An option file is invalid. The message names the place and the allowed values."""


def read_toml(path: str | Path, kind: type[T]) -> T:
    """Read a TOML file into a struct.

    Raises
    ------
    StrictError
        The file cannot be read, is not TOML, or does not match the struct.
    """
    try:
        content = Path(path).read_bytes()
        if len(content) > _LARGEST:
            raise StrictError("is larger than 1 MB: this is not an option file")
        return structured(tomllib.loads(content.decode()), kind)
    except OSError as error:
        raise StrictError(f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StrictError(f"is not UTF-8 text: {error.reason}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StrictError(f"is not TOML: {in_words(error)}") from error


def structured(content: object, kind: type[T], where: str = "") -> T:
    """Convert a file's content to a struct, or to another type that `msgspec.convert` supports.

    If users choose the names of tables, the struct declares a `dict[str, Any]`. Pass each value of
    the dict to this function, so that errors name the table.

    Parameters
    ----------
    content
        Decoded JSON or TOML.
    kind
        A struct with `forbid_unknown_fields`, or another type of msgspec. The struct's class
        variable ``RENAMED`` may map old key names to new key names, for error messages.
    where
        The key of the content in its file, for error messages.

    Raises
    ------
    StrictError
        The content does not match the type.

    Examples
    --------
    >>> class Machine(msgspec.Struct, forbid_unknown_fields=True):
    ...     nodes: Annotated[int, Meta(ge=1)]
    >>> structured({"gpus": 3}, Machine, "machine")
    Traceback (most recent call last):
    workload_tools.strict.StrictError: machine has no key 'gpus': known: nodes
    >>> structured({"nodes": 0}, Machine, "machine")
    Traceback (most recent call last):
    workload_tools.strict.StrictError: machine.nodes is 0; it must be a whole number of at least 1
    """
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        parts = _PARTS.fullmatch(str(error))
        assert parts is not None
        # msgspec writes "[...]" for a key of a table without saying which key
        path = (parts["path"] or "").partition("[...]")[0]
        steps = [key or int(place) for key, place in _STEP.findall(path)]
        raise StrictError(
            _error_text(parts["what"], content, kind, steps=steps, where=where)
        ) from None


def several(said: tuple[str, ...] | str, where: str) -> tuple[str, ...]:
    """Return one text or several texts as a tuple.

    Raises
    ------
    StrictError
        The single text is blank.
    """
    return said if isinstance(said, tuple) else (structured(said, Text, where),)


def field_docs(owner: type) -> dict[str, str]:
    """Return the docstring below each field of a class, by field name.

    Examples
    --------
    >>> from workload_tools.log import Machine
    >>> field_docs(Machine)["start_time"].split()[:2]
    ['Unix', 'date']
    """
    parsed = ast.parse(textwrap.dedent(getsource(owner))).body[0]
    assert isinstance(parsed, ast.ClassDef)
    return {
        field.target.id: text.value.value
        for field, text in pairwise(parsed.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _error_text(
    what: str,
    content: Any,  # noqa: ANN401 - of a file
    kind: type,
    *,
    steps: Sequence[str | int],
    where: str,
) -> str:
    """Return the message of a msgspec error in one line."""
    value, place, joint = content, where, "."
    for step in steps:
        value = value[step]
        if isinstance(step, str):
            place, joint = f"{place}{joint}{step}" if place else step, "."
        else:
            name = value.get("name") if isinstance(value, Mapping) else None
            place += f" '{name}'" if isinstance(name, str) and name else f" {step + 1}"
            joint = ": "
    types = _types_at(kind, steps)
    if match := _UNKNOWN.fullmatch(what):
        structs = [one for one in types if isinstance(one, inspect.StructType)]
        known = [field.encode_name for one in structs for field in one.fields]
        has = f"{place} has" if place else "there is"
        renamed = [getattr(one.cls, "RENAMED", {}).get(match[1]) for one in structs]
        hint = next((f"it is now '{new}'" for new in renamed if new), "")
        return f"{has} no key '{match[1]}': {hint or did_you_mean(match[1], known)}"
    if match := _LACKING.fullmatch(what):
        return f"{place} lacks '{match[1]}'" if place else f"'{match[1]}' is missing"
    keys = [
        str(word)
        for one in types
        if isinstance(one, inspect.DictType) and isinstance(one.key_type, inspect.LiteralType)
        for word in one.key_type.values
    ]
    if keys and (match := _NO_KEY.fullmatch(what)):
        return f"{place} has no key '{match[1]}': {did_you_mean(match[1], keys)}"
    if what == _NO_DATE:
        return f"{place} is {in_json(value)}; it must be a date such as 2026-01-31T08:00:00"
    words = [
        str(word) for one in types if isinstance(one, inspect.LiteralType) for word in one.values
    ]
    if words and isinstance(value, str):
        return f"{place} is '{value}': {did_you_mean(value, words)}"
    match = _EXPECTED.match(what)
    musts = list(words)
    if not words or any(not isinstance(one, _WORDS) for one in types):
        musts.append(what if match is None else wanted(*match.groups()))
    return f"{place or 'the file'} is {in_json(value)}; it must be {' or '.join(musts)}"


def _types_at(kind: type, steps: Sequence[str | int]) -> tuple[inspect.Type, ...]:
    """Return the types that are allowed at the end of a path of keys and list positions."""
    types = _alternatives(inspect.type_info(kind))
    for step in steps:
        within: list[inspect.Type] = []
        for one in types:
            if isinstance(one, inspect.StructType):
                within += [field.type for field in one.fields if field.encode_name == step]
            elif isinstance(one, inspect.ListType | inspect.VarTupleType):
                within.append(one.item_type)
        types = tuple(inner for one in within for inner in _alternatives(one))
    return types


def _alternatives(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)
