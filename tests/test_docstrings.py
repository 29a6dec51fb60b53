import ast
import doctest
import importlib
import linecache
import pkgutil
import re
from pathlib import Path

import pytest

PACKAGES = ("pred_aware", "predictors", "reproductions", "schedulers", "workload_tools")
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
OF_EXTRAS = ("llvmlite", "numba")
"""What need not be there; who imports it is not tried then."""

FIELDS_DOCUMENTED_BELOW = (
    "pred_aware", "predictors", "reproductions", "schedulers", "workload_tools",
)  # fmt: skip
"""Folders whose classes document a field below it, and not in their docstring."""


def folder_of(module: str) -> str:
    return module.rpartition(".")[0]


@pytest.mark.parametrize("folder", sorted({*map(folder_of, MODULES)}))
def test_examples_in_docstrings_are_true(folder: str) -> None:
    # doctest asks of each file known here whether it has changed, once for every example
    linecache.clearcache()
    modules = {name for name in MODULES if folder_of(name) == folder}
    tried = {}
    for name in modules:
        try:
            tried[name] = doctest.testmod(importlib.import_module(name))
        except ModuleNotFoundError as error:
            if error.name not in OF_EXTRAS:
                raise
    assert [name for name in tried if tried[name].failed] == []
    assert [name for name in WITH_EXAMPLES & modules if not tried[name].attempted] == []


def test_no_module_that_must_have_examples_has_gone() -> None:
    assert set(MODULES) >= WITH_EXAMPLES


@pytest.mark.parametrize("folder", FIELDS_DOCUMENTED_BELOW)
def test_no_docstring_of_a_class_lists_its_fields(folder: str) -> None:
    for path in (Path(__file__).parents[1] / folder).rglob("*.py"):
        for owner in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(owner, ast.ClassDef):
                fields = {
                    field.target.id
                    for field in owner.body
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                }
                text = ast.get_docstring(owner) or ""
                listed = re.findall(r"^(\w[\w, ]*)\n    ", text, re.MULTILINE)
                assert not fields & set(", ".join(listed).split(", ")), f"{path}: {owner.name}"
