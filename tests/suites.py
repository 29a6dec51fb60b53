"""Many quick checks in one test, whose failure names the part and the check, or the case."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Check = Callable[[Any], None]
Test = Callable[..., None]


class Checks(dict[str, Check]):
    """The checks that every part of a kind must pass, by name; used as a decorator of each."""

    def __call__(self, check: Check) -> Check:
        self[check.__name__] = check
        return check

    def run(self, name: str, part: Any) -> None:  # noqa: ANN401 - a part of any kind
        """Run all checks on a part."""
        for title, check in self.items():
            with named(f"{name}: {title}"):
                check(part)


def each_case(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test on all cases, as `pytest.mark.parametrize` does, but as one test.

    It is for quick cases; those share the fixtures.
    """

    def decorate(test: Test) -> Test:
        given = (names,) if isinstance(names, str) else names
        own = signature(test)

        @wraps(test)
        def on_all_cases(**fixtures: object) -> None:
            for case in cases:
                with named(f"case: {case!r}"):
                    values = (case,) if isinstance(names, str) else case
                    test(**fixtures, **dict(zip(given, values, strict=True)))

        fixtures = [one for one in own.parameters.values() if one.name not in given]
        on_all_cases.__signature__ = own.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return on_all_cases

    return decorate


@contextmanager
def named(what: str) -> Iterator[None]:
    """Name what failed below the failure."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as failure:
        failure.add_note(what)
        raise
