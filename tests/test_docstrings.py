import ast
import doctest
import importlib
import linecache
import pkgutil
import re
from pathlib import Path

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
    "pred_aware.inspection.columns",
    "pred_aware.report.durations",
    "workload_tools.changes.twin.dealing",
}


def examples_are_true(names: list[str]) -> None:
    """Run the examples of some modules; show what fails, with its file and line."""
    for name in names:
        # doctest asks of each file known here whether it has changed, once for every example
        linecache.clearcache()
        tried = doctest.testmod(importlib.import_module(name))
        assert tried.failed == 0, name
        assert tried.attempted or name not in WITH_EXAMPLES, f"{name} has no example"


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_in_docstrings_are_true(package: str) -> None:
    examples_are_true([name for name in MODULES if name.startswith(f"{package}.")])


def test_every_module_that_must_have_examples_exists() -> None:
    assert set(MODULES) >= WITH_EXAMPLES


@pytest.mark.slow
def test_no_docstring_of_a_class_lists_its_fields() -> None:
    root = Path(__file__).parents[1]
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "class " not in text:
            continue
        for owner in ast.walk(ast.parse(text)):
            if isinstance(owner, ast.ClassDef):
                fields = {
                    field.target.id
                    for field in owner.body
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                }
                text = ast.get_docstring(owner) or ""
                listed = re.findall(r"^(\w[\w, ]*)\n    ", text, re.MULTILINE)
                assert not fields & set(", ".join(listed).split(", ")), f"{path}: {owner.name}"
