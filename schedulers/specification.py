"""A scheduler told in full: every part with all of its options, defaults too, as in JSON."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from predictors.registry import PREDICTORS, Registry
from schedulers.backfilling import BACKFILLINGS
from schedulers.combinations import COMBINATIONS
from schedulers.corrections import CORRECTIONS
from schedulers.factory import AS_BATSCHEDS, _checked, _estimates_spec
from schedulers.machine.registry import ALLOCATIONS
from schedulers.orders import ORDERS
from schedulers.policy.combined import ROLES
from schedulers.policy.estimates import OWN_SOURCES

DEFAULTS: Mapping[str, Any] = {
    "order": "fcfs",
    "backfilling": "easy",
    "correction": "walltime",
    "allocation": "lowest",
    "bound": None,
    "history": None,
}
"""What a combination is made of where nothing else is said."""

RJMS_DELAY = 5.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a scheduler: what kind it is, its class, and its options."""

    kind: str
    made_by: Callable[..., Any]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Specification:
    """A scheduler told in full.

    Parameters
    ----------
    name
        Its name, or ``module:Class`` of somebody's own policy.
    options
        All of them, as in JSON; with the same ones `schedulers.make_policy` makes the same.
    parts
        What it is made of, in the order of the options.
    """

    name: str
    options: Mapping[str, Any]
    parts: list[Part] = field(default_factory=list)


def specify(name: Any, options: Mapping[str, Any] | None = None) -> Specification:  # noqa: ANN401
    """Tell a scheduler in full; see `schedulers.make_policy`.

    Raises
    ------
    UnknownNameError, OptionError
        As `make_policy`.

    Examples
    --------
    >>> specify("easy", {"predictor": "last_two"}).options["estimates"]["draining"]["name"]
    'last_two'
    """
    given = dict(options or {})
    parts: list[Part] = []
    if not isinstance(name, str):
        told = _part(Registry("", "policy"), {"name": name, **given} if given else name, parts)
        return Specification(told.pop("name"), told, parts)
    combination = COMBINATIONS[name]
    given = _checked(name, combination, given)
    if name in AS_BATSCHEDS:
        return Specification(name, {"rjms_delay": RJMS_DELAY, **given}, parts)
    full = {**DEFAULTS, **combination.options, **given}
    estimates = _by_role(_estimates_spec(combination, given))
    backfilling = _part(BACKFILLINGS, full["backfilling"], parts)
    backfilling |= {key: full[key] for key in ("candidates", "reservations") if key in full}
    return Specification(
        name,
        {
            "order": _part(ORDERS, full["order"], parts),
            "backfilling": backfilling,
            "estimates": {role: _source(estimates[role], parts) for role in ROLES},
            "correction": _part(CORRECTIONS, full["correction"], parts),
            "allocation": _part(ALLOCATIONS, full["allocation"], parts),
            **{
                key: as_in_json(full[key])
                for key in ("bound", "history", "call_margin")
                if key in full
            },
        },
        parts,
    )


def _by_role(spec: Any) -> dict[str, Any]:  # noqa: ANN401 - from JSON
    if not isinstance(spec, Mapping) or "name" in spec:
        return dict.fromkeys(ROLES, spec)
    return {role: spec.get(role, "walltime") for role in ROLES}


def _source(spec: Any, parts: list[Part]) -> dict[str, Any]:  # noqa: ANN401 - from JSON
    name, options = PREDICTORS.split(spec)
    if isinstance(name, str) and name in OWN_SOURCES and "default" not in options:
        return {"name": name, **as_in_json(options)}
    return _part(PREDICTORS, spec, parts)


def _part(registry: Registry, spec: Any, parts: list[Part]) -> dict[str, Any]:  # noqa: ANN401
    """Tell a part, and note it."""
    name, given = registry.split(spec)
    if isinstance(name, str | type) or inspect.isroutine(name):
        made_by = registry.load(name)
        told = as_in_json({**_defaults(made_by), **given})
    else:
        made_by = type(name)
        told = as_in_json(_kept(name))
    part = Part(registry.kind, made_by, told)
    if part not in parts:
        parts.append(part)
    for value in told.values():
        _note_inside(registry, value, parts)
    return {"name": registry.label(name), **told}


def _note_inside(registry: Registry, value: Any, parts: list[Part]) -> None:  # noqa: ANN401
    """Note the parts that are options of another, such as the predictor of a wrapper."""
    if isinstance(value, list):
        for one in value:
            _note_inside(registry, one, parts)
    elif isinstance(value, Mapping) and isinstance(value.get("name"), str):
        if value["name"] in registry.names() or ":" in value["name"]:
            _part(registry, value, parts)
    elif isinstance(value, str) and value in registry.names():
        _part(registry, value, parts)


def _defaults(made_by: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(made_by).parameters
    except ValueError:
        return {}
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.default is not parameter.empty
    }


def _kept(part: object) -> dict[str, Any]:
    """Return the options of an object, as far as it keeps them as attributes of their names."""
    try:
        names = inspect.signature(type(part)).parameters
    except ValueError:
        return {}
    missing = object()
    kept = {}
    for name in names:
        value = getattr(part, name, getattr(part, f"_{name}", missing))
        kept[name] = "not told" if value is missing else value
    return kept


def as_in_json(value: Any) -> Any:  # noqa: ANN401
    """Return a value as JSON has it; what JSON has no word for is named by its class."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, Mapping):
        return {str(key): as_in_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_in_json(inner) for inner in value]
    made_by = value if isinstance(value, type) else type(value)
    named = {"name": f"{made_by.__module__}:{made_by.__qualname__}"}
    return named if isinstance(value, type) else {**named, **as_in_json(_kept(value))}
