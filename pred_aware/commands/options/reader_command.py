"""Make the options of a command from the signature and docstring of a log's reader."""

import inspect
import re
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer

from pred_aware.commands.options.groups import READING
from workload_tools.reader_options import hints_of

SAID_SHORTER = {
    "machine_processors": "processors",
    "submit_time_from": "submit_time",
    "run_time_from": "run_time",
    "window_hours": "window",
}
"""Shorter command-line names of some reader options."""

_PARAMETER = re.compile(r"^(\w+(?:, \w+)*)(?: : .*)?$")


def described(reader: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return the summary of a reader's docstring, and the description of each parameter.

    Parameters
    ----------
    reader
        A class with a numpydoc docstring.

    Examples
    --------
    >>> from workload_tools.batsim.log import BatsimLog
    >>> described(BatsimLog)
    ('A Batsim workload that is read like a log. All its jobs are kept.', {'path': 'The workload file, plain or gzipped.'})
    """  # noqa: E501 - as Python prints it
    text = inspect.getdoc(reader) or ""
    about, _, rest = text.partition("\nParameters\n-----")
    parameters: dict[str, str] = {}
    names: list[str] = []
    for line, underline in zip(lines := rest.split("\n")[1:], [*lines[1:], ""], strict=True):
        if line and set(underline) == {"-"}:
            break
        if (found := _PARAMETER.match(line)) is not None:
            names = found[1].split(", ")
        for name in names if found is None else ():
            parameters[name] = f"{parameters.get(name, '')} {line.strip()}".strip()
    return about.strip(), {name: _plain(description) for name, description in parameters.items()}


def _plain(text: str) -> str:
    """Write references and literals of a docstring as plain text in backticks."""
    return re.sub(r":\w+:`~?(?:\w+\.)*(\w+)`", r"`\1`", text).replace("``", "`")


def options_of(
    reader: Callable[..., Any], taken: Mapping[str, inspect.Parameter]
) -> dict[str, tuple[str, inspect.Parameter]]:
    """Return a command parameter for each option of a reader that fits on a command line.

    Parameters
    ----------
    reader
        The reader's class; its keyword-only parameters are the options.
    taken
        Parameters that the command already has.

    Returns
    -------
    dict
        For each parameter of the command, by name: the reader's option name and the parameter.
        Options whose name is taken, or whose type does not fit a command line, are left out.
    """
    _, texts = described(reader)
    hints = hints_of(reader)
    found = {}
    parameters = inspect.signature(reader).parameters
    for name, parameter in parameters.items():
        kind = _kind(hints.get(name), parameter.default)
        if parameter.kind is not parameter.KEYWORD_ONLY or kind is None:
            continue
        called = name.removesuffix("s") if kind == list[str] else SAID_SHORTER.get(name, name)
        if called in taken or (called != name and called in parameters):
            continue
        found[called] = (name, _parameter(called, kind, parameter.default, texts.get(name, "")))
    return found


def _kind(hint: Any, default: object) -> Any:  # noqa: ANN401 - annotations
    """Return the type of an option for typer, or ``None`` if a command line cannot have it."""
    if hint is None:
        hint = str if default in (None, inspect.Parameter.empty) else type(default)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _kind(parts[0], default)
    if origin in (Union, types.UnionType):
        some = [part for part in parts if part is not type(None)]
        alone = Path if set(some) == {str, Path} else some[0]
        return _kind(alone, default) if alone is Path or len(some) == 1 else None
    if origin in (list, tuple, Sequence):
        return list[str] if parts[:1] == (str,) else None
    words = origin is Literal and all(isinstance(word, str) for word in parts)
    return hint if words or hint in (bool, int, float, str, Path) else None


def _parameter(called: str, kind: Any, default: object, help_: str) -> inspect.Parameter:  # noqa: ANN401
    option = f"--{called.replace('_', '-')}"
    needed = default is inspect.Parameter.empty
    if kind is bool:
        option = f"{option}/--no-{option[2:]}" if default else option
        needed, default = False, bool(default) and not needed
    elif kind == list[str]:
        default = list(default) if isinstance(default, list | tuple) and default else None
    words = isinstance(default, str | int | float) and not isinstance(default, bool)
    info = typer.Option(
        option,
        help=help_,
        metavar=_metavar(called, kind),
        show_default=words,
        rich_help_panel=READING,
    )
    annotation = kind if needed or kind is bool or default is not None else kind | None
    return inspect.Parameter(
        called,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, info],
    )


def _metavar(called: str, kind: Any) -> str | None:  # noqa: ANN401 - annotations
    if kind in (int, float):
        unit = next((name for name in SAID_SHORTER if SAID_SHORTER[name] == called), "")
        return unit.removeprefix(f"{called}_").upper() or ("N" if kind is int else "NUMBER")
    if kind is Path:
        return "FILE"
    return called.rpartition("_")[2].upper() if kind in (str, list[str]) else None
