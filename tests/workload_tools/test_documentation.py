import doctest
import importlib
import pkgutil

import pytest

import workload_tools

MODULES = sorted(module.name for module in pkgutil.iter_modules(workload_tools.__path__))


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    loaded = importlib.import_module(f"workload_tools.{module}")
    assert doctest.testmod(loaded).failed == 0


@pytest.mark.parametrize("name", workload_tools.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(workload_tools, name).__doc__


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'read_pbs'"):
        workload_tools.read_pbs  # noqa: B018 - looking it up is the test
