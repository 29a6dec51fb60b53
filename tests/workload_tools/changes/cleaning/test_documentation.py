import doctest
import importlib
import pkgutil

import pytest

from workload_tools.changes import cleaning

MODULES = sorted(module.name for module in pkgutil.iter_modules(cleaning.__path__))


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    loaded = importlib.import_module(f"workload_tools.changes.cleaning.{module}")
    assert doctest.testmod(loaded).failed == 0
