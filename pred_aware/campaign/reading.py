"""Reader of a campaign's file in TOML, which reports all mistakes before the first run."""

import datetime as dt
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, field

from pred_aware.campaign.kept_metrics import OF_A_RUN, OF_STARTS
from pred_aware.campaign.specification import (
    TIMES,
    UNITS,
    Classes,
    Limits,
    LogOfCampaign,
    PolicyOfCampaign,
    Shakes,
    Specification,
    amount,
)
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.metrics import MEASURES, chosen
from pred_aware.metrics.figures import TAU
from pred_aware.prediction.candidate import candidates_of
from pred_aware.site_configuration import read_site
from predictors.registry import nearest
from schedulers import scheduler_names
from schedulers.site.reader import content_of
from schedulers.site.site import SiteError
from workload_tools.changes.cleaning import recipe
from workload_tools.errors import InputError
from workload_tools.printable import in_json
from workload_tools.strict import StrictError, Text, Texts, read_toml, several, structured

_Names = tuple[str, ...]


def swept(options: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a label and options for each combination of listed values, in their order.

    If the value of an option is itself a list, it must be inside another list.

    Parameters
    ----------
    options
        Single values, lists of values to vary, and mappings that contain the same.

    Yields
    ------
    tuple of str and dict
        A label of the varied values, empty if nothing varies; and the options.

    Examples
    --------
    >>> for label, options in swept({"max_wait": 60, "predictor": {"name": "knn", "k": [3, 5]}}):
    ...     print(label, options)
    k=3 {'max_wait': 60, 'predictor': {'name': 'knn', 'k': 3}}
    k=5 {'max_wait': 60, 'predictor': {'name': 'knn', 'k': 5}}
    """
    lists = list(_lists(options, ()))
    last = [path[-1] for path, _ in lists]
    labels = [path[-1] if last.count(path[-1]) == 1 else ".".join(path) for path, _ in lists]
    for values in product(*(values for _, values in lists)):
        chosen = dict(zip((path for path, _ in lists), values, strict=True))
        parts = (
            f"{label}={_label_text(value)}" for label, value in zip(labels, values, strict=True)
        )
        yield ", ".join(parts), _with(options, chosen, ())


def _lists(value: Mapping[str, Any], path: _Names) -> Iterator[tuple[_Names, list[Any]]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _lists(inner, (*path, key))
        elif isinstance(inner, list):
            yield (*path, key), inner


def _with(value: Any, chosen: Mapping[_Names, Any], path: _Names) -> Any:  # noqa: ANN401 - from a file
    if path in chosen:
        return chosen[path]
    if isinstance(value, Mapping):
        return {key: _with(inner, chosen, (*path, key)) for key, inner in value.items()}
    return value


def _label_text(value: Any) -> str:  # noqa: ANN401 - from a file
    if isinstance(value, Mapping):
        options = ", ".join(
            f"{key}={_label_text(one)}" for key, one in value.items() if key != "name"
        )
        return f"{value.get('name', '')}({options})" if options else str(value.get("name", ""))
    if isinstance(value, list):
        return "+".join(map(_label_text, value))
    return str(value)


def policies_of(policies: Mapping[str, Any], folder: Path) -> Iterator[PolicyOfCampaign]:
    """Yield the policies of a campaign file, one for each combination of values."""
    for name, content in policies.items():
        where = f"policies.{name}"
        options = structured(content, dict[str, Any], where)
        scheduler = structured(options.pop("scheduler", name), Text, f"{where}.scheduler")
        if "site" in options:
            raise StrictError(f"{where} has a site; set it for a log, as logs.NAME.site")
        if scheduler not in scheduler_names() and ":" not in scheduler:
            hint = nearest(scheduler, scheduler_names())
            more = "" if scheduler != name else ' (or set scheduler = "...")'
            raise StrictError(f"{where} is not the name of a scheduler{more}: {hint}")
        for label, one in swept(options):
            found = located(one, folder)
            yield PolicyOfCampaign(f"{name} {label}".rstrip(), scheduler, found, name)


def predictors_of(given: Any) -> dict[str, Any]:  # noqa: ANN401 - from TOML
    """Return predictors by label, given as a list or as one table for each predictor."""
    if isinstance(given, Mapping):
        named = {
            label: {"name": one} if isinstance(one, str) else one for label, one in given.items()
        }
        given = {
            f"{label} {combination}".rstrip(): {"name": label, **one}
            for label, content in named.items()
            for combination, one in swept(
                structured(content, dict[str, Any], f"predictors.{label}")
            )
        }
    try:
        found = {one.label: one for one in candidates_of(given)} if given else {}
        for one in found.values():
            one.make()
    except USER_ERRORS as error:
        raise StrictError(f"predictors cannot be created: {error}") from error
    return {label: one.specification for label, one in found.items()}


def located(options: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a scheduler's options with paths relative to a folder resolved."""
    found = dict(options)
    for name in ("history", "machine"):
        option = found.get(name)
        if isinstance(option, Mapping) and isinstance(option.get("file"), str):
            found[name] = {**option, "file": str(folder / option["file"])}
        elif isinstance(option, str) and (name == "history" or option.endswith(".json")):
            found[name] = str(folder / option)
    return found


MEASURE = "mean_waiting_time"
"""The default measure."""

NO_BASELINE = "none"
"""The baseline of a campaign with only predictors."""

PRECISION = 0.01
"""The default precision, as a share of the baseline's mean."""

FEWEST = 2
"""Fewest perturbed copies for a confidence interval."""


_MOST = 1e300
_Positive: TypeAlias = Annotated[float, Meta(gt=0.0, le=_MOST)]
_Edge: TypeAlias = Annotated[float, Meta(ge=1.0)]
_Edges: TypeAlias = Annotated[tuple[_Edge, ...], Meta(min_length=1)] | _Edge | None
_Copies: TypeAlias = Annotated[int, Meta(ge=0)]


class _Shakes(Struct, forbid_unknown_fields=True):
    at_least: _Copies | None = None
    at_most: _Copies | None = None
    max_shift: _Positive | None = None

    RENAMED: ClassVar[Mapping[str, str]] = MappingProxyType({"reach": "max_shift"})


class _Log(Struct, forbid_unknown_fields=True):
    file: Text
    clean: Texts = ()
    since: Any = field(name="from", default=None)
    until: Any = None
    load: tuple[_Positive, ...] | _Positive = ()
    format: Text | None = None
    missing_walltime: Literal["drop", "keep"] | _Positive | None = None
    options: dict[str, Any] = {}
    platform: Text | None = None
    processors: Annotated[int, Meta(ge=1)] | None = None
    resamples: _Copies | None = None
    shakes: _Shakes = field(default_factory=_Shakes)
    site: Text | None = None
    base_of: Text = ""


class _Limits(Struct, forbid_unknown_fields=True):
    memory: Any = None
    time: Any = None


class _Classes(Struct, forbid_unknown_fields=True):
    size: _Edges = None
    length: _Edges = None


class _Campaign(Struct, forbid_unknown_fields=True):
    logs: dict[str, Any] = {}
    policies: dict[str, Any] = {}
    predictors: Any = ()
    baseline: Text | None = None
    classes: _Classes = field(default_factory=_Classes)
    delays: Literal["none", "batsim"] = "none"
    keep_jobs: bool = False
    limits: _Limits = field(default_factory=_Limits)
    measures: Texts = (MEASURE,)
    precision: dict[str, Any] = {}
    resamples: _Copies = 0
    shakes: _Shakes = field(default_factory=_Shakes)
    site: Text | None = None
    store: Text | None = None
    tau: _Positive = TAU
    weeks: bool = False


def read_specification(path: str | Path) -> Specification:
    """Read a campaign's file.

    Parameters
    ----------
    path
        A TOML file; paths in it are relative to its folder.

    Raises
    ------
    PredAwareError
        The file cannot be read or is not TOML, a key or name is unknown, or a value is invalid.
    """
    path = Path(path)
    try:
        return _specification(read_toml(path, _Campaign), path.stem, path.parent)
    except (StrictError, PredAwareError, SiteError) as error:
        raise PredAwareError(f"{path}: {error}") from error


def specification_of(
    content: Mapping[str, Any], *, name: str, where: str, folder: Path
) -> Specification:
    """Make a campaign from the content of its file.

    Parameters
    ----------
    content
        Decoded TOML.
    name
        The campaign's name.
    where
        The campaign's name in error messages.
    folder
        Folder for relative paths.

    Raises
    ------
    PredAwareError
        A key or name is unknown, or a value is invalid.
    """
    try:
        return _specification(structured(content, _Campaign), name, folder)
    except (StrictError, PredAwareError, SiteError) as error:
        raise PredAwareError(f"{where}: {error}") from error


def _specification(said: _Campaign, name: str, folder: Path) -> Specification:
    """Make a campaign from its content. Error messages omit the file name."""
    shakes = _shakes(said.shakes, Shakes(), "shakes")
    _check_resamples(said.resamples, "resamples")
    logs = tuple(_logs(said, folder, shakes))
    predictors = predictors_of(said.predictors)
    policies = tuple(policies_of(said.policies, folder))
    if not policies and not predictors:
        raise StrictError("needs at least one table [policies.NAME]")
    names = [policy.name for policy in policies]
    baseline = said.baseline or next(iter(names), NO_BASELINE)
    if names and baseline not in names:
        raise StrictError(
            f"baseline is '{baseline}', which is not a policy: {nearest(baseline, names)}"
        )
    measures = several(said.measures, "measures")
    precision = _precision(said.precision, measures)
    wanted = (*dict.fromkeys([*measures, *precision]),)
    chosen(wanted)
    for one in wanted:
        if one not in (*OF_A_RUN, *OF_STARTS) and not MEASURES[one].needs_baseline:
            raise StrictError(f"measures has {one}, which differs in each repetition of a run")
    return Specification(
        name=name,
        store=folder / (said.store or f"{name}.runs"),
        baseline=baseline,
        logs=logs,
        policies=policies,
        measures=wanted,
        precision=precision,
        delays=said.delays,
        tau=float(said.tau),
        limits=Limits(
            _amount(said.limits.memory, UNITS, "limits.memory"),
            _amount(said.limits.time, TIMES, "limits.time"),
        ),
        keep_jobs=said.keep_jobs,
        weeks=said.weeks,
        classes=_classes(said.classes, wanted),
        predictors=predictors,
    )


def _amount(value: Any, units: Mapping[str, float], where: str) -> float | None:  # noqa: ANN401
    return None if value is None else amount(value, units, where)


def _shakes(said: _Shakes, default: Shakes, where: str) -> Shakes:
    at_least = default.at_least if said.at_least is None else said.at_least
    at_most = max(default.at_most, at_least) if said.at_most is None else said.at_most
    if at_most < at_least:
        raise StrictError(f"{where}.at_most is {at_most}, fewer than at_least, {at_least}")
    if 0 < at_most < FEWEST:
        raise StrictError(
            f"{where}.at_most is {at_most}: a confidence interval needs at least {FEWEST} copies"
        )
    return Shakes(at_least, at_most, float(said.max_shift or default.max_shift))


def _check_resamples(number: int, where: str) -> None:
    if 0 < number < FEWEST:
        raise StrictError(
            f"{where} is {number}: a confidence interval needs at least {FEWEST} resamples"
        )


def _precision(said: Mapping[str, Any], measures: tuple[str, ...]) -> Mapping[str, float]:
    shares: type[float] = _Positive
    given = {key: structured(one, shares, f"precision.{key}") for key, one in said.items()}
    for key in given:
        if key in MEASURES and MEASURES[key].needs_baseline:
            raise StrictError(
                f"precision.{key} is not possible: the measure compares a run with the baseline, "
                "so it has no value for the baseline"
            )
    alone = [name for name in measures if name in OF_A_RUN]
    return given or dict.fromkeys(alone[:1] or (MEASURE,), PRECISION)


def _classes(said: _Classes, names: tuple[str, ...]) -> Classes | None:
    edges = {}
    for key, value in (("size", said.size), ("length", said.length)):
        if value is not None:
            edges[key] = value if isinstance(value, tuple) else (value,)
            if any(low >= high for low, high in pairwise(edges[key])):
                raise StrictError(
                    f"classes.{key} is {list(edges[key])}; each must be above the number before"
                )
    wanted = (*dict.fromkeys((MEASURE, *names)),)
    of_jobs = (
        name for name in wanted if MEASURES[name].quantity and not MEASURES[name].needs_baseline
    )
    return Classes(edges, tuple(of_jobs)) if edges else None


def _logs(said: _Campaign, folder: Path, shakes: Shakes) -> Iterator[LogOfCampaign]:
    if not said.logs:
        raise StrictError("needs at least one table [logs.NAME]")
    for name, content in said.logs.items():
        where = f"logs.{name}"
        log = structured(content, _Log, where)
        clean = (*several(log.clean, f"{where}.clean"), *_window(log, where))
        try:
            recipe(*clean)
        except InputError as error:
            raise StrictError(f"{where}.clean is invalid: {error}") from error
        resamples = said.resamples if log.resamples is None else log.resamples
        _check_resamples(resamples, f"{where}.resamples")
        site_file = log.site or said.site
        site = None if site_file is None else content_of(read_site(folder / site_file))
        # not converted to float, because 86400 and 86400.0 give different names and digests
        load, missing = content.get("load", []), content.get("missing_walltime")
        loads = load if isinstance(load, list) else [load]
        for load in loads or [None]:
            yield LogOfCampaign(
                name=name if len(loads) < FEWEST else f"{name} load={load}",
                file=folder / log.file,
                clean=clean,
                load=None if load is None else float(load),
                processors=log.processors,
                platform=None if log.platform is None else folder / log.platform,
                format=log.format,
                missing_walltime=missing,
                options=log.options,
                shakes=_shakes(log.shakes, shakes, f"{where}.shakes"),
                resamples=resamples,
                site=site,
                base_of=log.base_of,
            )


def _window(log: _Log, where: str) -> Iterator[str]:
    """Yield the conditions that remove jobs outside the window."""
    for key, operator, value in (("from", "<", log.since), ("until", ">=", log.until)):
        if value is None:
            continue
        if not isinstance(value, str | dt.date):
            raise StrictError(f"{where}.{key} is {in_json(value)}; it must be a date")
        yield f"submit{operator}{value}"
