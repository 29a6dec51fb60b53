"""Reading a campaign's file: TOML in, values out, and every mistake told before anything runs."""

import datetime as dt
import math
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pred_aware.campaign.kept_metrics import OF_A_RUN, OF_STARTS
from pred_aware.campaign.specification import (
    Classes,
    Limits,
    LogOfCampaign,
    PolicyOfCampaign,
    Shakes,
    Specification,
)
from pred_aware.campaign.sweeping import swept
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.metrics import MEASURES, chosen
from pred_aware.metrics.figures import TAU
from pred_aware.prediction.candidate import candidates_of
from predictors.registry import nearest
from schedulers import scheduler_names
from workload_tools.changes.cleaning import recipe
from workload_tools.errors import InputError

MEASURE = "mean_waiting_time"
"""What is compared where nothing else is said."""

NO_BASELINE = "none"
"""Of a campaign of predictors alone."""

PRECISION = 0.01
"""To which share of the base's mean it is to be known then."""

TOP = (
    "baseline", "classes", "delays", "keep_jobs", "limits", "logs", "measures", "policies",
    "precision", "predictors", "resamples", "shakes", "store", "tau", "weeks",
)  # fmt: skip
LOG = (
    "clean", "file", "format", "from", "load", "missing_walltime", "options", "platform",
    "processors", "resamples", "shakes", "until",
)  # fmt: skip
SHAKES = ("at_least", "at_most", "reach")
CLASSES = ("size", "length")
LIMITS = ("memory", "time")
UNITS: Mapping[str, float] = MappingProxyType({"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12})
TIMES: Mapping[str, float] = MappingProxyType({"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0})
FEWEST = 2
"""Below so many shakes there is no interval."""


def read_specification(path: str | Path) -> Specification:
    """Read a campaign's file.

    Parameters
    ----------
    path
        A TOML file; the files that it names are looked for beside it.

    Raises
    ------
    PredAwareError
        The file can't be read or is no TOML, a key or a name is not known, or a value can't be.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise PredAwareError(f"{path}: can't be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PredAwareError(f"{path}: is not TOML: {error}") from error
    return specification_of(content, name=path.stem, where=str(path), folder=path.parent)


def specification_of(
    content: Mapping[str, Any], *, name: str, where: str, folder: Path
) -> Specification:
    """Make a campaign of what its file would say.

    Parameters
    ----------
    content
        As TOML has it.
    name
        What the campaign is called.
    where
        What it is called in errors.
    folder
        Where the files are looked for that it names.

    Raises
    ------
    PredAwareError
        A key or a name is not known, or a value can't be.
    """
    top = _Table(where, "", content)
    top.know(TOP)
    shakes = _shakes(top.table("shakes"), Shakes())
    resamples = _resamples(top, 0)
    logs = tuple(_logs(top.table("logs", required=True), folder, shakes, resamples=resamples))
    predictors = _predictors(top)
    policies = tuple(_policies(top.table("policies", required=not predictors), folder))
    names = [policy.name for policy in policies]
    baseline = top.text("baseline", names[0] if names else NO_BASELINE)
    if names and baseline not in names:
        raise top.wrong("baseline", f"is '{baseline}', which is no policy here: "
                        f"{nearest(baseline, names)}")  # fmt: skip
    measures = top.texts("measures", (MEASURE,))
    precision = _precision(top.table("precision"), measures)
    _check_measures(top, (*measures, *precision))
    limits = top.table("limits")
    limits.know(LIMITS)
    return Specification(
        name=name,
        store=folder / top.text("store", f"{name}.runs"),
        baseline=baseline,
        logs=logs,
        policies=policies,
        measures=tuple(dict.fromkeys([*measures, *precision])),
        precision=precision,
        delays=top.choice("delays", ("none", "batsim")),
        tau=float(top.number("tau", TAU, above=0.0)),
        limits=Limits(limits.amount("memory", UNITS), limits.amount("time", TIMES)),
        keep_jobs=top.truth("keep_jobs", default=False),
        weeks=top.truth("weeks", default=False),
        classes=_classes(top.table("classes"), (*measures, *precision)),
        predictors=predictors,
    )


class _Table:
    """A table of the file, which says where it stands when something in it is wrong."""

    def __init__(self, where: str, name: str, content: Any) -> None:  # noqa: ANN401 - of a file
        self.where = where
        self.name = name
        if not isinstance(content, Mapping):
            raise PredAwareError(f"{where}: [{name}] is a table, not {content!r}")
        self.content = content

    def wrong(self, key: str, what: str) -> PredAwareError:
        """Make the error that says what is wrong with a key."""
        at = f"[{self.name}] " if self.name else ""
        return PredAwareError(f"{self.where}: {at}{key} {what}")

    def know(self, keys: tuple[str, ...]) -> None:
        """Refuse what is not known."""
        for key in self.content:
            if key not in keys:
                at = f"[{self.name}] has no" if self.name else "there is no"
                raise PredAwareError(f"{self.where}: {at} key '{key}': {nearest(key, keys)}")

    def table(self, key: str, *, required: bool = False) -> "_Table":
        """Return a table within; an empty one where there is none."""
        name = f"{self.name}.{key}" if self.name else key
        found = _Table(self.where, name, self.content.get(key, {}))
        if required and not found.content:
            raise PredAwareError(f"{self.where}: needs a table [{name}.NAME], at least one")
        return found

    def tables(self) -> "Iterator[tuple[str, _Table]]":
        """Yield all tables within, by name."""
        return ((key, self.table(key)) for key in self.content)

    def text(self, key: str, default: str) -> str:
        """Return a text."""
        value = self.content.get(key, default)
        if not isinstance(value, str) or not value:
            raise self.wrong(key, f"is a text, not {value!r}")
        return value

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Return a list of texts; one may stand alone."""
        value = self.content.get(key, list(default))
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.wrong(key, f"is a list of texts, not {value!r}")
        return tuple(value)

    def truth(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.content.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"is true or false, not {value!r}")
        return value

    def choice(self, key: str, known: tuple[str, ...]) -> Any:  # noqa: ANN401 - one of them
        """Return one of some words, by default the first."""
        value = self.text(key, known[0])
        if value not in known:
            raise self.wrong(key, f"is '{value}': {nearest(value, known)}")
        return value

    def number(self, key: str, default: float, *, above: float) -> float:
        """Return a number above another."""
        value = self.content.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, f"is a number, not {value!r}")
        if not above < value < math.inf:
            raise self.wrong(key, f"is {value}: give a number above {above:g}")
        return value

    def count(self, key: str, default: int, *, least: int) -> int:
        """Return a whole number that is not below another."""
        value = self.number(key, default, above=least - 1)
        if value != int(value):
            raise self.wrong(key, f"is a whole number, not {value!r}")
        return int(value)

    def ascending(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers from 1 on, each above the last."""
        value = self.content[key]
        numbers = value if isinstance(value, list) else [value]
        given = [one for one in numbers if isinstance(one, int | float) and one is not True]
        rising = all(low < high for low, high in pairwise(given))
        if not given or len(given) < len(numbers) or given[0] < 1 or not rising:
            raise self.wrong(key, "is a list of numbers from 1 on, each above the last, not "
                                  f"{value!r}")  # fmt: skip
        return tuple(map(float, given))

    def amount(self, key: str, units: Mapping[str, float]) -> float | None:
        """Return a number with one of some units; ``None`` where nothing is said."""
        if key not in self.content:
            return None
        try:
            return amount(self.content[key], units)
        except PredAwareError as error:
            raise self.wrong(key, str(error)) from error


def amount(value: Any, units: Mapping[str, float]) -> float:  # noqa: ANN401 - of a file
    """Return what a number with one of some units says.

    Raises
    ------
    PredAwareError
        It says nothing, or not more than 0; begins with "is".

    Examples
    --------
    >>> amount("2 h", TIMES)
    7200.0
    """
    known = " ".join(units)
    try:
        (number, unit) = str(value).split()
        found = float(number) * units[unit]
    except (ValueError, KeyError) as error:
        least = next(iter(units))
        told = f'is a number and a unit ({known}), such as "90 {least}", not {value!r}'
        raise PredAwareError(told) from error
    if not 0 < found < math.inf:
        raise PredAwareError(f"is {value!r}: give more than 0")
    return found


def _shakes(table: _Table, default: Shakes) -> Shakes:
    table.know(SHAKES)
    at_least = table.count("at_least", default.at_least, least=0)
    at_most = table.count("at_most", max(default.at_most, at_least), least=0)
    if at_most < at_least:
        raise table.wrong("at_most", f"is {at_most}, fewer than at_least, {at_least}")
    if 0 < at_most < FEWEST:
        raise table.wrong("at_most", f"is {at_most}: an interval needs at least {FEWEST}")
    return Shakes(at_least, at_most, float(table.number("reach", default.reach, above=0)))


def _resamples(table: _Table, default: int) -> int:
    number = table.count("resamples", default, least=0)
    if 0 < number < FEWEST:
        raise table.wrong("resamples", f"is {number}: an interval needs at least {FEWEST}")
    return number


def _precision(table: _Table, measures: tuple[str, ...]) -> Mapping[str, float]:
    given = {key: table.number(key, 0.0, above=0.0) for key in table.content}
    for key in given:
        if key in MEASURES and MEASURES[key].needs_base:
            raise table.wrong(key, "is of a run against the baseline's, which has no mean of it "
                              "that the precision could be a share of")  # fmt: skip
    alone = [name for name in measures if name in OF_A_RUN]
    return given or dict.fromkeys(alone[:1] or (MEASURE,), PRECISION)


def _classes(table: _Table, names: tuple[str, ...]) -> Classes | None:
    table.know(CLASSES)
    edges = {key: table.ascending(key) for key in table.content}
    told = (*dict.fromkeys((MEASURE, *names)),)
    of_jobs = (name for name in told if MEASURES[name].quantity and not MEASURES[name].needs_base)
    return Classes(edges, tuple(of_jobs)) if edges else None


def _check_measures(top: _Table, names: tuple[str, ...]) -> None:
    try:
        chosen(names)
    except PredAwareError as error:
        raise PredAwareError(f"{top.where}: {error}") from error
    for name in names:
        if name not in (*OF_A_RUN, *OF_STARTS) and not MEASURES[name].needs_base:
            raise top.wrong("measures", f"has {name}, which differs each time")


def _logs(
    tables: _Table, folder: Path, shakes: Shakes, *, resamples: int
) -> Iterator[LogOfCampaign]:
    for name, table in tables.tables():
        table.know(LOG)
        options = table.table("options").content
        if "file" not in table.content:
            raise PredAwareError(f"{table.where}: [{table.name}] needs a file, the log")
        load = table.content.get("load", [])
        clean = (*table.texts("clean", ()), *_window(table))
        try:
            recipe(*clean)
        except InputError as error:
            raise table.wrong("clean", f"can't be: {error}") from error
        loads = load if isinstance(load, list) else [load]
        for one in loads or [None]:
            scaled = None if one is None else _Table(table.where, table.name, {"load": one})
            yield LogOfCampaign(
                name=name if len(loads) < FEWEST else f"{name} load={one}",
                file=folder / table.text("file", ""),
                clean=clean,
                load=None if scaled is None else float(scaled.number("load", 1.0, above=0.0)),
                processors=table.count("processors", 0, least=1)
                if "processors" in table.content
                else None,
                platform=folder / table.text("platform", "")
                if "platform" in table.content
                else None,
                format=table.content.get("format"),
                missing_walltime=_missing_walltime(table),
                options=options,
                shakes=_shakes(table.table("shakes"), shakes),
                resamples=_resamples(table, resamples),
            )


def _missing_walltime(table: _Table) -> str | float | None:
    value = table.content.get("missing_walltime")
    if isinstance(value, str):
        return str(table.choice("missing_walltime", ("drop", "keep")))
    return None if value is None else table.number("missing_walltime", 0.0, above=0.0)


def _window(table: _Table) -> Iterator[str]:
    """Yield the conditions of what lies outside of the window."""
    for key, operator in (("from", "<"), ("until", ">=")):
        value = table.content.get(key)
        if value is None:
            continue
        if not isinstance(value, str | dt.date):
            raise table.wrong(key, f"is a date, not {value!r}")
        yield f"submit{operator}{value}"


def _policies(tables: _Table, folder: Path) -> Iterator[PolicyOfCampaign]:
    for name, table in tables.tables():
        options = dict(table.content)
        scheduler = table.text("scheduler", name)
        options.pop("scheduler", None)
        if scheduler not in scheduler_names() and ":" not in scheduler:
            hint = nearest(scheduler, scheduler_names())
            more = "" if "scheduler" in table.content else ' (or say which with scheduler = "...")'
            raise PredAwareError(
                f"{table.where}: [{table.name}] is no scheduler's name{more}: {hint}"
            )
        for label, one in swept(options):
            located = _located(one, folder)
            yield PolicyOfCampaign(f"{name} {label}".rstrip(), scheduler, located, name)


def _predictors(top: _Table) -> dict[str, Any]:
    """Return what is replayed, by label: of a list of names and objects, or a table for each."""
    given = top.content.get("predictors", [])
    if isinstance(given, Mapping):
        named = {
            label: {"name": one} if isinstance(one, str) else one for label, one in given.items()
        }
        given = {
            f"{label} {told}".rstrip(): {"name": label, **one}
            for label, table in _Table(top.where, "predictors", named).tables()
            for told, one in swept(table.content)
        }
    try:
        found = {one.label: one for one in candidates_of(given)} if given else {}
        for one in found.values():
            one.make()
    except USER_ERRORS as error:
        raise top.wrong("predictors", f"can't be: {error}") from error
    return {label: one.specification for label, one in found.items()}


def _located(options: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a scheduler's options with its files found from the campaign's folder."""
    found = dict(options)
    for name in ("history", "machine"):
        told = found.get(name)
        if isinstance(told, Mapping) and isinstance(told.get("file"), str):
            found[name] = {**told, "file": str(folder / told["file"])}
        elif isinstance(told, str) and (name == "history" or told.endswith(".json")):
            found[name] = str(folder / told)
    return found
