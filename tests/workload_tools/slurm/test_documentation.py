import doctest
import importlib
import pkgutil

import pytest

import workload_tools.slurm

MODULES = sorted(module.name for module in pkgutil.iter_modules(workload_tools.slurm.__path__))


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    loaded = importlib.import_module(f"workload_tools.slurm.{module}")
    assert doctest.testmod(loaded).failed == 0
