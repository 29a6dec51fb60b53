"""Suites that every part of a kind must pass."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

Check = Callable[[Any], None]


class Checks(dict[str, Check]):
    """The checks by their names; it decorates each."""

    def __call__(self, check: Check) -> Check:
        self[check.__name__] = check
        return check

    def of_each(self, parts: Mapping[str, Any]) -> pytest.MarkDecorator:
        """Let a test have each part, by its name, with each check, as `part` and `check_`."""
        cases = [
            pytest.param(part, check, id=f"{name}:{title}")
            for name, part in parts.items()
            for title, check in self.items()
        ]
        return pytest.mark.parametrize(("part", "check_"), cases)
