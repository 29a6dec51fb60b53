"""What the tests of the schedulers share."""

import functools
from collections.abc import Iterator

import pytest

from predictors import registry


@pytest.fixture(scope="session", autouse=True)
def _remembered_entry_points() -> Iterator[None]:
    """Look for each group of entry points once: it takes longer than to play a small workload."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "entry_points", functools.cache(registry.entry_points))
        yield
