"""Named schedulers, and any other combination of the same parts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from predictors.registry import nearest
from schedulers.backfilling import BACKFILLINGS
from schedulers.batsched.easy_bf import EasyBf
from schedulers.corrections import CORRECTIONS
from schedulers.decisions import Policy
from schedulers.errors import OptionError, UnknownNameError
from schedulers.estimates import EstimateSource, make_source, predictors_of
from schedulers.orders import ORDERS
from schedulers.policy import ROLES, CombinedPolicy

OPTIONS = (
    "backfilling", "call_margin", "correction", "estimates", "history", "order", "predictor",
)  # fmt: skip
"""What a combination can be told."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A named scheduler.

    Parameters
    ----------
    origin
        Where it comes from.
    options
        What it is made of; see `make_policy`.
    open
        The options that its user may set.
    """

    origin: str
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    open: tuple[str, ...] = ()


_ESTIMATE_OPTIONS = ("call_margin", "correction", "estimates", "history", "predictor")

COMBINATIONS: Mapping[str, Combination] = MappingProxyType(
    {
        "easy": Combination(
            "plain EASY, which counts processors",
            MappingProxyType({"order": "fcfs", "backfilling": "easy"}),
            _ESTIMATE_OPTIONS,
        ),
        "easy_bf": Combination("batsched's easy_bf, processor by processor", open=("rjms_delay",)),
        "fcfs": Combination(
            "first come, first served, nobody overtakes",
            MappingProxyType({"order": "fcfs", "backfilling": "none"}),
        ),
        "filler": Combination(
            "batsched's filler: whatever fits starts, in the order of the queue",
            MappingProxyType(
                {"order": MappingProxyType({"name": "fcfs", "ties": "id"}), "backfilling": "filler"}
            ),
        ),
        "policy": Combination("any combination", open=OPTIONS),
        "pred_aware": Combination(
            "paper 001: shortest prediction first, whatever fits starts",
            MappingProxyType(
                {"order": "sjf", "backfilling": "filler", "predictor": "decision_tree"}
            ),
            _ESTIMATE_OPTIONS,
        ),
    }
)


def make_policy(name: str, options: Mapping[str, Any] | None = None) -> Policy:
    """Make a named scheduler's policy.

    Parameters
    ----------
    name
        One of `COMBINATIONS`.
    options
        ``order``, ``backfilling``, ``correction``: a name, or an object with ``name`` and options.
        ``predictor`` or ``estimates``: a source of estimates for all roles (``walltime``,
        ``actual`` or a predictor), or for each of queueing, backfilling and draining its own.
        ``history``: a file of past jobs that the predictors learn first. ``call_margin``: seconds
        after a planned end at which its correction is due. For ``easy_bf``: ``rjms_delay``.

    Raises
    ------
    UnknownNameError, OptionError
        A name or an option that does not exist here; the message has the nearest ones.
    """
    combination = COMBINATIONS.get(name)
    if combination is None:
        raise UnknownNameError(f"unknown scheduler '{name}': {nearest(name, COMBINATIONS)}")
    given = _checked(name, combination, options or {})
    if name == "easy_bf":
        return _easy_bf(given)
    if "predictor" in given and "estimates" in given:
        raise OptionError("give either 'predictor' (for all roles) or 'estimates', not both")
    made = dict(combination.options)
    if "estimates" in given:
        made.pop("predictor", None)
    made.update(given)
    return _combine(made)


def _checked(name: str, combination: Combination, options: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(options, Mapping):
        raise OptionError(
            f'options are an object such as {{"predictor": "last_two"}}, not {options!r}'
        )
    given = {key: value for key, value in options.items() if value is not None}
    for option in given:
        if option in combination.open:
            continue
        if option in OPTIONS and name != "policy":
            able = ", ".join(sorted(other for other, c in COMBINATIONS.items() if option in c.open))
            raise OptionError(
                f"scheduler '{name}' ({combination.origin}) takes no {option}; those that do: "
                f"{able}"
            )
        hint = nearest(option, combination.open) if combination.open else "it has no options"
        raise OptionError(f"scheduler '{name}' has no option '{option}': {hint}")
    return given


def _seconds(options: Mapping[str, Any], name: str, default: float) -> float:
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:  # noqa: PLR2004 - thirty years
        raise OptionError(f"{name} is {value!r}; it must be a number of seconds, 0 or more")
    return float(value)


def _easy_bf(options: Mapping[str, Any]) -> Policy:
    return EasyBf(_seconds(options, "rjms_delay", 5.0))


def _combine(options: Mapping[str, Any]) -> CombinedPolicy:
    order = ORDERS.make(options.get("order", "fcfs"))
    backfilling = BACKFILLINGS.make(options.get("backfilling", "easy"))
    correction = CORRECTIONS.make(options.get("correction", "walltime"))
    estimates = _estimates(options.get("estimates", options.get("predictor", "walltime")))
    if "history" in options:
        _learn_history(estimates, options["history"])
    return CombinedPolicy(
        order,
        backfilling,
        estimates=estimates,
        correction=correction,
        call_margin=_seconds(options, "call_margin", 1.0),
    )


def _estimates(spec: Any) -> dict[str, EstimateSource]:  # noqa: ANN401 - from JSON
    """Make a source for each role; roles that are given the same one share it."""
    if not isinstance(spec, Mapping) or "name" in spec:
        source = make_source(spec)
        return dict.fromkeys(ROLES, source)
    for role in spec:
        if role not in ROLES:
            raise OptionError(f"unknown role '{role}' in estimates: {nearest(role, ROLES)}")
    wanted = {role: spec.get(role, "walltime") for role in ROLES}
    sources: dict[str, EstimateSource] = {}
    for role in ROLES:
        same = [sources[other] for other in sources if wanted[other] == wanted[role]]
        sources[role] = same[0] if same else make_source(wanted[role])
    return sources


def _learn_history(estimates: Mapping[str, EstimateSource], path: Any) -> None:  # noqa: ANN401
    from predictors.history import load_history, warm  # noqa: PLC0415 - only where it is asked for

    if not isinstance(path, str):
        raise OptionError(f"history is {path!r}; it must be the name of a file")
    predictors = predictors_of(estimates.values())
    if not predictors:
        raise OptionError("history needs a predictor that learns from it; give one as well")
    past = load_history(path)
    for predictor in predictors:
        warm(predictor, past)
