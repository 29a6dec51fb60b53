"""Values of options that are text, paths or defaults, without the library that converts others.

typer imports pydantic for every value, which takes longer than many a command.
"""

import math
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import typer
from typer.models import OptionInfo

if TYPE_CHECKING:
    from typer.core import TyperArgument, TyperOption

_CHECKS = (
    "parser",
    "exists",
    "file_okay",
    "dir_okay",
    "writable",
    "readable",
    "resolve_path",
    "allow_dash",
    "path_type",
)
"""What an option can say of its values, which is typer's to look at."""


def convert_plainly(parameter: "TyperOption | TyperArgument") -> None:
    """Let typer convert only those values of a parameter that are not plain."""
    values = _Values(parameter)
    # typer makes its own at the first use, too
    parameter.get_runtime_param = lambda: values  # type: ignore[method-assign, assignment, return-value]


class _Values:
    """What typer asks to convert the values of a parameter."""

    def __init__(self, parameter: "TyperOption | TyperArgument") -> None:
        self._theirs = parameter.get_runtime_param
        self._parameter = parameter

    @cached_property
    def _kind(self) -> object:
        """The type of the values; ``None`` where typer is to look at them."""
        told, usual = self._parameter.type_descriptor.parameter_info, OptionInfo()
        checked = any(getattr(told, name) != getattr(usual, name) for name in _CHECKS)
        return None if checked else self._parameter.type_descriptor.annotation

    def coerce(self, value: object, param: Any, ctx: "typer.Context") -> Any:  # noqa: ANN401 - as typer's
        """Return what the command is given for what was typed, or for the default.

        Parameters
        ----------
        value
            Text, several of them, or what is there in place of a missing one.
        param, ctx
            As typer has them.
        """
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if get_origin(self._kind) is list and isinstance(value, list | tuple):
            (kind,) = get_args(self._kind)
            if all(_is_plain(one, kind) for one in value):
                return [_as(one, kind) for one in value]
        elif _is_plain(value, self._kind):
            return _as(value, self._kind)
        made = self._theirs().coerce(value, param=param, ctx=ctx)
        if isinstance(made, float) and not math.isfinite(made):
            raise typer.BadParameter(f"'{value}' is not a finite number.", ctx=ctx, param=param)
        return made


def _is_plain(value: object, kind: object) -> bool:
    """Say whether a value needs nothing but its type."""
    if kind is Path:
        # typer refuses what can't be read
        return isinstance(value, str | Path) and (
            os.access(value, os.R_OK) or not Path(value).exists()
        )
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return type(value) is kind


def _as(value: object, kind: object) -> object:
    return Path(str(value)) if kind is Path else value
