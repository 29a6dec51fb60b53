"""Return the command as the user typed it, so that the reader of a page can repeat it."""

import json
import os.path
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from pred_aware.commands.options.groups import OUTPUT

if TYPE_CHECKING:
    from typer._click import Parameter

_SHOWS = frozenset({"names"})
"""Output options that change the content of a page."""
_CHANGES_NOTHING = frozenset({"workers"})
_TYPED = "COMMANDLINE"


def typed(
    context: typer.Context,
    *,
    instead: Mapping[str, object] = MappingProxyType({}),
    more: tuple[str, ...] = (),
) -> str:
    """Return the typed command with all options that affect the result, quoted for a shell.

    Output options and the number of processes are left out. File names are shown without folders,
    because the user may send the page to others. The command works in the folder of the files.

    Parameters
    ----------
    context
        The command's context.
    instead
        Values to show instead of typed values, by parameter; ``None`` leaves the parameter out.
    more
        Words to append.
    """
    arguments: list[str] = []
    options: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        value = instead.get(name, _given(context, parameter))
        if value is None:
            continue
        if parameter.param_type_name == "argument":
            arguments += _words(value)
        elif value is True:
            options.append(_longest(parameter.opts))
        elif value is False:
            options += parameter.secondary_opts[:1]
        else:
            options += [word for one in _words(value) for word in (_longest(parameter.opts), one)]
    return shlex.join([*context.command_path.split(), *arguments, *options, *more])


def _given(context: typer.Context, parameter: "Parameter") -> object:
    """Return the typed value of a parameter, or ``None`` if it is a default or has no effect."""
    name = parameter.name or ""
    source = context.get_parameter_source(name)
    where = getattr(parameter, "rich_help_panel", None)
    if source is None or source.name != _TYPED or name in _CHANGES_NOTHING:
        return None
    return None if where == OUTPUT and name not in _SHOWS else context.params[name]


def _longest(names: list[str]) -> str:
    return max(names, key=len)


def _words(value: object) -> Iterator[str]:
    """Yield the words to type for a value; several for a list."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _words(one)
    elif isinstance(value, Path):
        yield _name(value)
    elif isinstance(value, float):
        yield f"{value:.15g}"
    else:
        yield _without_folders(str(value))


def _name(path: Path | str) -> str:
    """Return a file's name, or for ``.`` the name of the current folder."""
    return Path(os.path.abspath(path)).name  # noqa: PTH100 - a link keeps its own name


def _without_folders(text: str) -> str:
    """Remove the folders from a file name in a text: FILE, @FILE, NAME=FILE, or in JSON.

    Examples
    --------
    >>> _without_folders("run>7d"), _without_folders('near={"name": "knn"}')
    ('run>7d', 'near={"name": "knn"}')
    >>> _without_folders('{"file": "a/b", "k": 1e400}')
    '{"file": "a/b", "k": 1e400}'
    """
    if "/" not in text:
        return text
    for mark in ("", "@", "="):
        before, found, file = text.rpartition(mark) if mark else ("", "", text)
        if (found or not mark) and file and Path(file).exists():
            return f"{before}{found}{_name(file)}"
    before, brace, rest = text.partition("{")
    try:
        content = _all_without_folders(json.loads(brace + rest))
        # keep numbers that JSON cannot express, such as 1e400, as typed
        return before + json.dumps(content, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return text


def _all_without_folders(content: Any) -> Any:  # noqa: ANN401 - from JSON
    if isinstance(content, dict):
        return {key: _all_without_folders(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_all_without_folders(value) for value in content]
    return _without_folders(content) if isinstance(content, str) else content
