import doctest
import importlib

import pytest

MODULES = ("comparison", "durations", "log_model", "metrics", "tables", "timelines")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"pred_aware.comparison.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
