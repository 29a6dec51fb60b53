"""Make a policy from a scheduler's name and options."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from predictors.checks import require_choice, require_number
from predictors.options import JsonValue
from predictors.registry import PartSpec, Registry, build, nearest
from schedulers.backfilling import BACKFILLINGS, Backfilling
from schedulers.combinations import COMBINATIONS, POLICY_OPTIONS, Combination
from schedulers.core.estimates import EstimateSource, make_source, predictors_of
from schedulers.core.machine import Machine
from schedulers.core.scheduler import RENAMED_ROLES, ROLES, Scheduler
from schedulers.corrections import CORRECTIONS
from schedulers.decisions import Policy
from schedulers.errors import OptionError, UnknownNameError
from schedulers.foreign import guarded_part, require
from schedulers.guarded import guarded_backfilling, guarded_machine, guarded_order
from schedulers.machine.registry import ALLOCATIONS, MACHINES
from schedulers.options import RENAMED, of_part
from schedulers.orders import ORDERS, Order

if TYPE_CHECKING:
    from schedulers.parts_on_site import OnSite
    from schedulers.recording import Promising, Recording
    from schedulers.site.site import Site

AS_BATSCHEDS = ("conservative_bf", "easy_bf")
"""The schedulers that are not combinations of parts, but follow batsched."""

REPORT_DELAY = 1.0
"""The default of `call_margin`, in seconds, because Batsim reports ends of jobs slightly late."""

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "order": "fcfs",
        "backfilling": "easy",
        "correction": "walltime",
        "machine": "counting",
        "call_margin": REPORT_DELAY,
        "ties": "submission",
    }
)
"""The default parts of a combination."""

RJMS_DELAY = 5.0
"""The default of batsched's option ``rjms_delay``: it is added to walltimes. In seconds."""

LONGEST = 1e9
"""The largest value of an option in seconds: thirty years."""


def make_policy(
    name: PartSpec,
    options: Mapping[str, Any] | None = None,
    *,
    recording: "Recording | None" = None,
) -> Policy:
    """Make the policy of a named scheduler or of another package.

    Parameters
    ----------
    name
        A name in `COMBINATIONS`; or a policy of another package, given by its entry point in the
        group ``pred_aware.policies``, by ``module:Class`` or as a class; or a policy object, of
        which a copy is used.
    options
        For combinations, see `schedulers.options.PolicyOptions`. For ``easy_bf`` and
        ``conservative_bf``: ``rjms_delay``, in seconds. For a class of another package, its keyword
        arguments.
    recording
        Records reservations and corrections. A policy of another package is not recorded.

    Raises
    ------
    UnknownNameError, OptionError
        The name or an option is unknown. The message suggests the nearest names.
    """
    combination = COMBINATIONS.get(name) if isinstance(name, str) else None
    if combination is None:
        return _own_policy(name, options)
    given = checked(name, combination, options)
    if name in AS_BATSCHEDS:
        return _as_batsched(name, {"rjms_delay": RJMS_DELAY, **given}, recording)
    options = {**defaults_on(given.get("site")), **combination.options, **given}
    return _combine(options, estimates_spec(combination, given), recording=recording)


def defaults_on(site: Any) -> Mapping[str, Any]:  # noqa: ANN401 - as the option has it
    """Return `DEFAULTS`. If the site states a priority order, it replaces the default order."""
    if site is None:
        return DEFAULTS
    from schedulers.site.reader import site_in

    order = site_in(site).order
    return DEFAULTS if order is None else {**DEFAULTS, "order": order}


def _as_batsched(name: str, options: Mapping[str, Any], recording: "Recording | None") -> Policy:
    from schedulers.batsched.conservative_bf import ConservativeBf
    from schedulers.batsched.easy_bf import EasyBf

    factory = ConservativeBf if name == "conservative_bf" else EasyBf
    policy: Promising = factory(_seconds(options, "rjms_delay"))
    if recording is None:
        return policy
    from schedulers.recording import WatchedPolicy

    return WatchedPolicy(policy, recording)


POLICIES = Registry("pred_aware.policies", "policy")
"""Whole policies of other packages."""


def scheduler_names() -> list[str]:
    """Return the names of all schedulers: first this package's, then those of other packages."""
    return [*COMBINATIONS, *(name for name in POLICIES.names() if name not in COMBINATIONS)]


def _own_policy(given: PartSpec, options: Mapping[str, Any] | None) -> Policy:
    """Make a policy of another package from its class, or copy a policy object."""
    if isinstance(given, str) and ":" not in given and given not in POLICIES.names():
        hint = nearest(given, scheduler_names())
        raise UnknownNameError(f"unknown scheduler '{given}': {hint}")
    factory = POLICIES.load(given)
    policy: Policy = build("policy", POLICIES.label(given), factory, given_options(options))
    require("policy", policy, "begin", "decide", "needs_fields", "journal")
    guard: Policy = guarded_part("policy", policy)
    return guard


def checked(name: str, combination: Combination, options: JsonValue) -> dict[str, Any]:
    """Return the options for a named scheduler, or raise an `OptionError`."""
    given = given_options(options)
    settable = combination.settable
    for option in given:
        if option in settable:
            continue
        if option in POLICY_OPTIONS:
            able = ", ".join(
                sorted(other for other, c in COMBINATIONS.items() if option in c.settable)
            )
            raise OptionError(
                f"scheduler '{name}' ({combination.origin}) has no option '{option}'; schedulers "
                f"with this option: {able}"
            )
        hint = nearest(option, settable, renamed=RENAMED) if settable else "it has no options"
        raise OptionError(f"scheduler '{name}' has no option '{option}': {hint}")
    if "predictor" in given and "estimates" in given:
        raise OptionError("give either 'predictor' or 'estimates', not both")
    return given


def given_options(options: JsonValue) -> dict[str, Any]:
    """Return the options that are not null, and `call_margin`, whose null means no calls."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise OptionError(
            f'options must be an object such as {{"predictor": "last_two"}}, not {options!r}'
        )
    return {
        key: value for key, value in options.items() if value is not None or key == "call_margin"
    }


def estimates_spec(combination: Combination, given: Mapping[str, Any]) -> PartSpec:
    """Return the specification of the estimates: the given estimates, else the scheduler's."""
    defaults = combination.options
    if "estimates" in given:
        return given["estimates"]
    if "predictor" not in given and "estimates" in defaults:
        return defaults["estimates"]
    return combination.predicting(given.get("predictor", defaults.get("predictor", "walltime")))


def _combine(
    options: Mapping[str, Any], sources: JsonValue, *, recording: "Recording | None"
) -> Scheduler:
    estimates = _estimates(sources)
    on_site = _on_site(options)
    order = _order(options["order"], None if on_site is None else on_site.site)
    if "history" in options:
        _learn_history(estimates, order, options["history"])
    correction = CORRECTIONS.make(options["correction"])
    require("correction", correction, "correct", "lead", "asks")
    backfilling = _backfilling(options)
    if on_site is not None:
        on_site.give_site(backfilling, order)
    trust_log = None
    if getattr(order, "ageing", 0.0) and "max_wait" not in options:
        raise OptionError("lxf's ageing also needs max_wait, because ageing compares waits with it")
    if "max_wait" in options or "min_concordance" in options:
        from schedulers.around_backfilling import surrounded

        backfilling, trust_log = surrounded(
            backfilling, options, order=order, running=estimates["running"]
        )
    if recording is not None:
        from schedulers.recording import WatchedBackfilling

        backfilling = WatchedBackfilling(backfilling, order, recording=recording)
        recording.trust_log = trust_log
    make: Callable[..., Scheduler] = Scheduler
    machine = _machine(options)
    if on_site is not None:
        machine, make = on_site.machine_and_policy(machine)
    margin = options["call_margin"]
    policy = make(
        order,
        backfilling,
        estimates=estimates,
        correction=correction,
        machine=machine,
        by_id=require_choice("ties", options["ties"], ("submission", "id")) == "id",
        call_margin=None if margin is None else _seconds(options, "call_margin"),
    )
    policy.trust_log = trust_log
    return policy


def _on_site(options: Mapping[str, Any]) -> "OnSite | None":
    if options.get("site") is None:
        return None
    # imported here, because policies without a site do not need it
    from schedulers.parts_on_site import OnSite

    return OnSite(options["site"])


def _backfilling(options: Mapping[str, Any]) -> Backfilling:
    name, options_of_part = BACKFILLINGS.split(options["backfilling"])
    options_of_part |= of_part("backfilling", options)
    backfilling: Backfilling = BACKFILLINGS.make(
        {"name": name, **options_of_part} if options_of_part else name
    )
    require("backfilling", backfilling, "begin", "choose", "plans")
    if backfilling.plans:
        require("backfilling", backfilling, "ended", "corrected")
    return guarded_backfilling(backfilling)


def _machine(options: Mapping[str, Any]) -> Machine:
    name, options_of_part = MACHINES.split(options["machine"])
    options_of_part |= of_part("machine", options)
    if "allocation" in options and name == "counting":
        # report an error of the allocation without the machine, which the user did not name
        ALLOCATIONS.maker(options["allocation"])
    machine = MACHINES.make({"name": name, **options_of_part} if options_of_part else name)
    require(
        "machine", machine, "begin", "refusal", "take", "reserve", "take_beside", "give_back",
        "allocate", "availability", "by_size",
    )  # fmt: skip
    return guarded_machine(machine)


def _seconds(options: Mapping[str, Any], name: str) -> float:
    return require_number(name, options[name], most=LONGEST, unit="seconds")


def by_role(spec: JsonValue) -> dict[str, PartSpec]:
    """Return the source of each role. `spec` is one source for all roles, or an object by role."""
    if not isinstance(spec, Mapping) or "name" in spec:
        return dict.fromkeys(ROLES, spec)
    for role in spec:
        if role not in ROLES:
            raise OptionError(
                f"unknown role '{role}' in estimates: {nearest(role, ROLES, renamed=RENAMED_ROLES)}"
            )
    return {role: spec.get(role, "walltime") for role in ROLES}


def _estimates(spec: JsonValue) -> dict[str, EstimateSource]:
    """Make a source for each role. Roles with equal specifications share one source."""
    sources: list[tuple[PartSpec, EstimateSource]] = []
    for wanted in by_role(spec).values():
        same = [source for given, source in sources if given is wanted or given == wanted]
        sources.append((wanted, same[0] if same else make_source(wanted)))
    return {role: source for role, (_, source) in zip(ROLES, sources, strict=True)}


def _order(spec: PartSpec, site: "Site | None") -> Order:
    order = guarded_order(ORDERS.make(spec))
    on_site = getattr(order, "on_site", None)
    if on_site is not None:
        on_site(site)
    return order


def _learn_history(estimates: Mapping[str, EstimateSource], order: Order, spec: JsonValue) -> None:
    from predictors.history import history_of, warm
    from schedulers.orders.past import report_past

    predictors = predictors_of(estimates.values())
    tells = hasattr(order, "ended")
    if not (predictors or tells):
        raise OptionError(
            "history needs a predictor that learns from it, or an order that counts usage "
            "(multifactor, pbs); give one as well"
        )
    past = history_of(spec)
    for predictor in predictors:
        warm(predictor, past)
    if tells:
        report_past(order, past)
