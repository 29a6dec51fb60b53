"""The specification of a scheduler as JSON: its parts with all options, including defaults."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from predictors.errors import OptionError
from predictors.options import JsonValue, as_json, parameters_of, stored_options
from predictors.registry import PREDICTORS, PartSpec, Registry, installed
from schedulers.backfilling import BACKFILLINGS
from schedulers.combinations import COMBINATIONS
from schedulers.core.estimates import OWN_SOURCES
from schedulers.core.scheduler import ROLES
from schedulers.corrections import CORRECTIONS
from schedulers.factory import (
    AS_BATSCHEDS,
    POLICIES,
    RJMS_DELAY,
    by_role,
    checked,
    defaults_on,
    estimates_spec,
    given_options,
)
from schedulers.machine.registry import ALLOCATIONS, MACHINES
from schedulers.options import NEUTRAL, of_part
from schedulers.orders import ORDERS

UNSTATED = "not told"
"""The value in the specification if an object does not store an option."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a scheduler."""

    kind: str
    factory: Callable[..., Any]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SchedulerSpecification:
    """A scheduler with all of its parts and options."""

    name: str
    """The scheduler's name, or ``module:Class`` of a policy of another package."""
    options: Mapping[str, Any]
    """All options as JSON. `schedulers.make_policy` makes the same policy from them."""
    parts: list[Part] = field(default_factory=list)
    """The parts, in the order of the options."""


def specify(name: PartSpec, options: Mapping[str, Any] | None = None) -> SchedulerSpecification:
    """Return the specification of a scheduler. The arguments are those of `make_policy`.

    Examples
    --------
    >>> specify("easy", {"predictor": "last_two"}).options["estimates"]["running"]["name"]
    'last_two'
    """
    given = given_options(options)
    parts: list[Part] = []
    if not isinstance(name, str) or name not in COMBINATIONS:
        policy = _part(POLICIES, {"name": name, **given} if given else name, parts)
        return SchedulerSpecification(policy.pop("name"), policy, parts)
    combination = COMBINATIONS[name]
    given = checked(name, combination, given)
    if name in AS_BATSCHEDS:
        return SchedulerSpecification(name, {"rjms_delay": RJMS_DELAY, **given}, parts)
    unset = {**NEUTRAL, "max_wait": None, "history": None}
    full = {**unset, **defaults_on(given.get("site")), **combination.options, **given}
    estimates = by_role(estimates_spec(combination, given))
    backfilling = _part(BACKFILLINGS, full["backfilling"], parts)
    backfilling |= of_part("backfilling", full)
    return SchedulerSpecification(
        name,
        {
            "order": _part(ORDERS, full["order"], parts),
            "backfilling": backfilling,
            "estimates": {role: _source(estimates[role], parts) for role in ROLES},
            "correction": _part(CORRECTIONS, full["correction"], parts),
            **_machine(full, parts),
            **{key: as_json(full[key], _inside) for key in ("max_wait", "history", "call_margin")},
            **{key: full[key] or neutral for key, neutral in NEUTRAL.items()},
        },
        parts,
    )


def _machine(full: Mapping[str, Any], parts: list[Part]) -> dict[str, Any]:
    """Describe the machine. For a counting machine, this is only its allocation rule."""
    inside: list[Part] = []
    machine = _part(MACHINES, full["machine"], inside)
    machine |= of_part("machine", full)
    if machine["name"] == "counting":
        return {"allocation": _part(ALLOCATIONS, machine["allocation"], parts)}
    parts += inside
    return {"machine": machine}


def _source(spec: PartSpec, parts: list[Part]) -> dict[str, Any]:
    name, options = PREDICTORS.split(spec)
    if isinstance(name, str) and name in OWN_SOURCES and "default" not in options:
        return {"name": name, **as_json(options, _inside)}
    return _part(PREDICTORS, spec, parts)


def _part(registry: Registry, spec: PartSpec, parts: list[Part]) -> dict[str, Any]:
    name, given = registry.split(spec)
    if isinstance(name, str | type) or inspect.isroutine(name):
        factory = registry.load(name)
        options = as_json({**_defaults(factory), **given}, _inside)
    else:
        factory = type(name)
        options = _attribute_options(name)
    part = Part(registry.kind, factory, options)
    if part not in parts:
        parts.append(part)
    for value in options.values():
        _note_inside(registry, value, parts)
    return {"name": _name(registry, name, factory), **options}


def _note_inside(registry: Registry, value: JsonValue, parts: list[Part]) -> None:
    """Append the parts that are options of other parts, such as a wrapped predictor."""
    if isinstance(value, list):
        for one in value:
            _note_inside(registry, one, parts)
    elif isinstance(value, Mapping) and isinstance(value.get("name"), str):
        if value["name"] in registry.names() or ":" in value["name"]:
            _part(registry, value, parts)
    elif isinstance(value, str) and value in registry.names():
        _part(registry, value, parts)


def _defaults(factory: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = parameters_of(factory)
    except ValueError:
        return {}
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.default is not parameter.empty
    }


def _attribute_options(part: object) -> dict[str, Any]:
    """Return an object's options, read from its attributes of the same names."""
    try:
        stored = stored_options(part, _inside)
    except OptionError:
        return {}
    return {**stored.options, **dict.fromkeys(stored.unstored, UNSTATED)}


def _inside(value: object) -> JsonValue:
    """Describe an option that is not JSON: a class by its name, an object by name and options."""
    if isinstance(value, type):
        return Registry.label(value)
    if isinstance(value, float):
        return str(value)
    return {"name": _inside(type(value)), **_attribute_options(value)}


def _name(registry: Registry, name: PartSpec, factory: Callable[..., Any]) -> str:
    """Return a part's name: the name of its entry point, else ``module:Class``."""
    if isinstance(name, str):
        return name
    for known, point in installed(registry.group).items():
        if point.attr == factory.__qualname__ and point.module == factory.__module__:
            return known
    return Registry.label(factory)
