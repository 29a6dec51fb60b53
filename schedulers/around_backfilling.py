"""Wrap a backfilling rule in `Trusted` (trust in estimates) or `Bounded` (a bound on waiting)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeGuard

from predictors.checks import require_number
from predictors.options import JsonValue
from predictors.registry import nearest
from schedulers.backfilling import BACKFILLINGS, Backfilling
from schedulers.core.backlog import Backlog
from schedulers.core.bounded import Bounded
from schedulers.core.estimates import EstimateSource, FromWalltime
from schedulers.core.orders import Lxf, Order
from schedulers.core.trusted import Trusted
from schedulers.errors import OptionError
from schedulers.journal import TrustLog

BOUNDS = MappingProxyType(
    {"wait": "seconds", "overtaken": "processor seconds", "backlog": "", "ahead": ""}
)
"""The limits of the option `max_wait`, with their units."""


def wait_limits(spec: JsonValue) -> dict[str, Any]:
    """Return the limits of the option `max_wait` by name. A single number is the limit `wait`."""
    return dict(spec) if isinstance(spec, Mapping) else {"wait": spec}


def bounded_by(spec: JsonValue) -> dict[str, Any]:
    """Check the option `max_wait`, and return the options of `Bounded` for it."""
    limits = wait_limits(spec)
    for name, value in limits.items():
        if name not in BOUNDS:
            raise OptionError(f"max_wait has no option '{name}': {nearest(name, BOUNDS)}")
        label = f"max_wait's {name}" if isinstance(spec, Mapping) else "max_wait"
        limits[name] = require_number(label, value, unit=BOUNDS[name])
    if "ahead" in limits and not limits.keys() & {"wait", "backlog"}:
        raise OptionError("max_wait has 'ahead', which also needs 'wait' or 'backlog'")
    if "backlog" in limits:
        least = {"least": limits.pop("wait")} if "wait" in limits else {}
        limits["backlog"] = Backlog(limits["backlog"], **least)
    return limits


def surrounded(
    backfilling: Backfilling, options: Mapping[str, Any], *, order: Order, running: EstimateSource
) -> tuple[Backfilling, TrustLog | None]:
    """Return a backfilling rule with the wrappers that the options request, and the trust log.

    `order` is the queue's order. `running` is the source of the estimates of running jobs.

    Raises
    ------
    OptionError
        The rule or the source cannot be combined with a requested wrapper.
    """
    trusted: Trusted | None = None
    least = require_number("min_concordance", options.get("min_concordance", 0.0), most=1.0)
    if least:
        _require_no_memory(backfilling, options, "min_concordance")
        if not isinstance(running, FromWalltime):
            raise OptionError(
                "min_concordance needs walltimes for running jobs, because running jobs cannot be "
                "planned again when estimates lose trust: give estimates as an object with only "
                "queueing and backfilling"
            )
        backfilling = trusted = Trusted(backfilling, least=least, log=TrustLog())
    if "max_wait" in options:
        _require_no_memory(backfilling, options, "max_wait")
        backfilling = Bounded(
            backfilling,
            **bounded_by(options["max_wait"]),
            while_trusting=trusted,
            ageing=order if ages(order) else None,
        )
    return backfilling, None if trusted is None else trusted.log


def ages(order: Order) -> TypeGuard[Lxf]:
    """Say whether an order uses the wait after which a job is protected (`Lxf.limit`)."""
    return isinstance(order, Lxf) and order.ageing > 0.0


def _require_no_memory(backfilling: Backfilling, options: Mapping[str, Any], around: str) -> None:
    """Raise an `OptionError` if the rule keeps state between passes, so it cannot be wrapped."""
    # a rule without the attribute `remembers` is assumed to keep state
    if backfilling.remembers:
        name, _ = BACKFILLINGS.split(options["backfilling"])
        raise OptionError(
            f"backfilling '{BACKFILLINGS.label(name)}' cannot have {around}: it keeps reservations "
            "from one pass to the next (`remembers` is not False), and reservations by "
            f"{around} would overlap them; use easy with a reservation for each waiting job, which "
            "makes all reservations again at each pass: -s easy -O reservations=1000000"
        )
