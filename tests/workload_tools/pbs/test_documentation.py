import doctest
import importlib
import pkgutil

import pytest

import workload_tools.pbs

MODULES = sorted(module.name for module in pkgutil.iter_modules(workload_tools.pbs.__path__))


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    loaded = importlib.import_module(f"workload_tools.pbs.{module}")
    assert doctest.testmod(loaded).failed == 0
