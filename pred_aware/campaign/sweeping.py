"""Options of which lists are swept: a policy for each combination of their values."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

Path = tuple[str, ...]


def swept(options: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a label and options for each combination of the values of lists, in their order.

    An option that is a list itself stands in a list of its own.

    Parameters
    ----------
    options
        Values, lists of values, and mappings of such.

    Yields
    ------
    tuple of str and dict
        What distinguishes the combination, empty where nothing is swept; and its options.

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


def _lists(value: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, list[Any]]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _lists(inner, (*path, key))
        elif isinstance(inner, list):
            yield (*path, key), inner


def _with(value: Any, chosen: Mapping[Path, Any], path: Path) -> Any:  # noqa: ANN401 - of a file
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
