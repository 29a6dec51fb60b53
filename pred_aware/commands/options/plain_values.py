"""Convert option values that are text, paths or defaults without pydantic.

typer imports pydantic for every value. This import takes longer than many commands.
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
"""Arguments of an option that demand checks which only typer can make."""


def convert_plainly(parameter: "TyperOption | TyperArgument") -> None:
    """Let typer convert only those values of a parameter that `_Values` cannot convert."""
    values = _Values(parameter)
    # typer calls this method at the first use of the parameter
    parameter.get_runtime_param = lambda: values  # type: ignore[method-assign, assignment, return-value]


class _Values:
    """The object that typer calls to convert the values of a parameter."""

    def __init__(self, parameter: "TyperOption | TyperArgument") -> None:
        self._theirs = parameter.get_runtime_param
        self._parameter = parameter

    @cached_property
    def _kind(self) -> object:
        """Return the type of the values, or ``None`` if typer must check them."""
        info, usual = self._parameter.type_descriptor.parameter_info, OptionInfo()
        checked = any(getattr(info, name) != getattr(usual, name) for name in _CHECKS)
        return None if checked else self._parameter.type_descriptor.annotation

    def coerce(self, value: object, param: Any, ctx: "typer.Context") -> Any:  # noqa: ANN401 - as typer's
        """Convert the typed value or the default to the value for the command.

        Parameters
        ----------
        value
            A text, several texts, or the default.
        param, ctx
            As in typer.
        """
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if get_origin(self._kind) is list and isinstance(value, list | tuple):
            (kind,) = get_args(self._kind)
            if all(_is_plain(one, kind) for one in value):
                return [_as_kind(one, kind) for one in value]
        elif _is_plain(value, self._kind):
            return _as_kind(value, self._kind)
        converted = self._theirs().coerce(value, param=param, ctx=ctx)
        if isinstance(converted, float) and not math.isfinite(converted):
            raise typer.BadParameter(f"'{value}' is not a finite number.", ctx=ctx, param=param)
        return converted


def _is_plain(value: object, kind: object) -> bool:
    """Return True if a value needs no conversion except to a path."""
    if kind is Path:
        # typer reports an unreadable file
        return isinstance(value, str | Path) and (
            os.access(value, os.R_OK) or not Path(value).exists()
        )
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return type(value) is kind


def _as_kind(value: object, kind: object) -> object:
    return Path(str(value)) if kind is Path else value
