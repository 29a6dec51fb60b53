"""Read the options of a part, such as a predictor, to report them and to make equal parts."""

import functools
import inspect
import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from predictors.errors import OptionError

JsonValue: TypeAlias = Any
"""A JSON value, which may come unchecked from the user."""


class OptionValues(NamedTuple):
    """The options that a part stores as attributes."""

    options: dict[str, Any]
    """The values by name as JSON, including defaults."""
    unstored: tuple[str, ...]
    """The names of options that the part does not store."""


def parameters_of(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a part's constructor by name.

    Raises
    ------
    ValueError
        The constructor is not written in Python and has no signature.
    """
    # cache only classes, because a cache would keep a function made for one object forever
    if isinstance(factory, type):
        return _parameters_of_class(factory)
    return inspect.signature(factory).parameters


@functools.lru_cache(maxsize=256)
def _parameters_of_class(factory: type) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a class; the result is cached, because inspection is slow."""
    for base in factory.__mro__:
        declared = vars(base).get("OPTIONS")
        if declared is not None:
            # the class may be compiled and then has no signature, so it declares its options
            keyword = inspect.Parameter.KEYWORD_ONLY
            options = {
                name: inspect.Parameter(name, keyword, default=declared[name]) for name in declared
            }
            return MappingProxyType(options)
        if base is object:
            # the signature of a class written in C would have to be parsed from its docstring
            return MappingProxyType({})
        if "__init__" in vars(base) or isinstance(vars(base).get("__new__"), staticmethod):
            break
    return inspect.signature(factory).parameters


def stored_options(part: object, part_inside: Callable[[object], Any]) -> OptionValues:
    """Return the options of a part that the part stores as attributes of the same names.

    A dataclass stores all of its parameters. Other classes store an option if ``__init__`` sets an
    attribute of the same name, as classes of scikit-learn and river do.

    `part_inside` describes an option that is itself a part, or raises an `OptionError`.

    Raises
    ------
    OptionError
        The part's class is not written in Python and has no signature.

    Examples
    --------
    >>> from predictors.rules.pbs import PbsV2
    >>> stored_options(PbsV2(margin=600), part_inside=repr)
    OptionValues(options={'jobs': 2, 'margin': 600.0}, unstored=())
    """
    options: dict[str, Any] = {}
    unstored = []
    try:
        parameters = parameters_of(type(part))
    except ValueError as error:
        raise OptionError(f"the options of {part!r} are unknown: {error}") from error
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            # variable arguments (*args, **kwargs) have no attribute
            unstored.append(str(parameter))
            continue
        try:
            options[name] = as_json(getattr(part, name), part_inside)
        except (AttributeError, OptionError):
            unstored.append(name)
    return OptionValues(options, tuple(unstored))


def in_json(value: object) -> str:
    """Return a value as JSON text for messages; classes and functions appear as their `repr`.

    Examples
    --------
    >>> in_json({"name": None})
    '{"name": null}'
    """
    return json.dumps(value, ensure_ascii=False, default=repr)


def as_json(value: object, part_inside: Callable[[object], Any]) -> JsonValue:
    """Return an option's value as JSON: tuples become lists, parts objects with name and options.

    Raises
    ------
    OptionError
        The value cannot be expressed in JSON.

    Examples
    --------
    >>> as_json({"features": ("user", "queue"), "window": None}, part_inside=repr)
    {'features': ['user', 'queue'], 'window': None}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_json(one, part_inside) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(one, part_inside) for one in value]
    return part_inside(value)
