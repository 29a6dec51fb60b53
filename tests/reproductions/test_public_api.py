"""The papers are tried on what the other packages offer anybody: the names in `__all__`."""

import ast
from importlib import import_module
from pathlib import Path

import reproductions

FOLDER = Path(reproductions.__file__).parent
OURS = ("pred_aware", "predictors", "schedulers", "workload_tools")


def imported(file: Path) -> list[tuple[str, str]]:
    """Modules of the other packages, with the names that are imported of them."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found += [(str(node.module), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] in OURS]


def test_nothing_is_imported_but_what_is_offered() -> None:
    private = {
        f"{file.relative_to(FOLDER)}: {module}.{name}"
        for file in FOLDER.rglob("*.py")
        for module, name in imported(file)
        if name not in getattr(import_module(module), "__all__", ())
    }
    assert not private


def test_an_import_of_a_module_itself_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import pred_aware.runs.run\ndef look():\n    from schedulers.job import Job\n")
    assert imported(file) == [("pred_aware.runs.run", ""), ("schedulers.job", "Job")]
