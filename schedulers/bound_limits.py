"""The option `max_wait`: the limits of a bound on waiting."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from predictors.checks import require_number
from predictors.options import JsonValue
from predictors.registry import nearest
from schedulers.core.backlog import Backlog
from schedulers.errors import OptionError

BOUNDS = MappingProxyType(
    {"wait": "seconds", "overtaken": "processor seconds", "backlog": "", "ahead": ""}
)
"""The limits of a bound on waiting, with their units."""


def wait_limits(spec: JsonValue) -> dict[str, Any]:
    """Return the limits of a bound on waiting by the names of `BOUNDS`. A number is the wait."""
    return dict(spec) if isinstance(spec, Mapping) else {"wait": spec}


def bounded_by(spec: JsonValue) -> dict[str, Any]:
    """Return the options of `Bounded` for the option `max_wait`, checked."""
    limits = wait_limits(spec)
    for name, value in limits.items():
        if name not in BOUNDS:
            raise OptionError(f"max_wait has no option '{name}': {nearest(name, BOUNDS)}")
        label = f"max_wait's {name}" if isinstance(spec, Mapping) else "max_wait"
        limits[name] = require_number(label, value, unit=BOUNDS[name])
    if "ahead" in limits and not limits.keys() & {"wait", "backlog"}:
        raise OptionError("max_wait's ahead needs a wait or a backlog beside it")
    if "backlog" in limits:
        least = {"least": limits.pop("wait")} if "wait" in limits else {}
        limits["backlog"] = Backlog(limits["backlog"], **least)
    return limits
