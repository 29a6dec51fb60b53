import doctest
import importlib
import pkgutil

import pytest

PACKAGES = ("pred_aware", "predictors", "schedulers", "workload_tools")
MODULES = sorted(
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(
        importlib.import_module(package).__path__, prefix=f"{package}."
    )
)
WITH_EXAMPLES = {
    "pred_aware.comparison.comparing",
    "pred_aware.comparison.summaries",
    "pred_aware.metrics.figures",
    "pred_aware.report.interval_format",
    "pred_aware.metrics.timelines",
    "pred_aware.demo.log_model",
    "pred_aware.report.clock",
    "pred_aware.inspection.distributions",
    "pred_aware.report.durations",
    "workload_tools.changes.twin.common_values",
    "workload_tools.changes.twin.sessions",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0 or name not in WITH_EXAMPLES


def test_no_module_that_must_have_examples_has_gone() -> None:
    assert set(MODULES) >= WITH_EXAMPLES
