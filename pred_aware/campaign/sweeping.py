"""Policies and predictors of a campaign file: one for each combination of listed values."""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.errors import USER_ERRORS
from pred_aware.prediction.candidate import candidates_of
from predictors.registry import nearest
from schedulers import scheduler_names
from workload_tools.strict import StrictError, Text, structured

_Names = tuple[str, ...]


def swept(options: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a label and options for each combination of listed values, in their order.

    An option whose value is a list must be inside another list.

    Parameters
    ----------
    options
        Values, lists of values, and mappings with values of the same kinds.

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
        told = (f"{label}={_told(value)}" for label, value in zip(labels, values, strict=True))
        yield ", ".join(told), _with(options, chosen, ())


def _lists(value: Mapping[str, Any], path: _Names) -> Iterator[tuple[_Names, list[Any]]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _lists(inner, (*path, key))
        elif isinstance(inner, list):
            yield (*path, key), inner


def _with(value: Any, chosen: Mapping[_Names, Any], path: _Names) -> Any:  # noqa: ANN401 - of a file
    if path in chosen:
        return chosen[path]
    if isinstance(value, Mapping):
        return {key: _with(inner, chosen, (*path, key)) for key, inner in value.items()}
    return value


def _told(value: Any) -> str:  # noqa: ANN401 - of a file
    if isinstance(value, Mapping):
        own = ", ".join(f"{key}={_told(one)}" for key, one in value.items() if key != "name")
        return f"{value.get('name', '')}({own})" if own else str(value.get("name", ""))
    if isinstance(value, list):
        return "+".join(map(_told, value))
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


def predictors_of(given: Any) -> dict[str, Any]:  # noqa: ANN401 - as TOML has it
    """Return predictors by label, from a list of names and objects or from a table for each."""
    if isinstance(given, Mapping):
        named = {
            label: {"name": one} if isinstance(one, str) else one for label, one in given.items()
        }
        given = {
            f"{label} {told}".rstrip(): {"name": label, **one}
            for label, content in named.items()
            for told, one in swept(structured(content, dict[str, Any], f"predictors.{label}"))
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
        told = found.get(name)
        if isinstance(told, Mapping) and isinstance(told.get("file"), str):
            found[name] = {**told, "file": str(folder / told["file"])}
        elif isinstance(told, str) and (name == "history" or told.endswith(".json")):
            found[name] = str(folder / told)
    return found
