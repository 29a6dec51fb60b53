"""Everything here stands on what the product offers anybody: the names in `__all__`."""

import ast
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parents[1]
OURS = ("pred_aware", "predictors", "schedulers", "workload_tools")


def imported(file: Path) -> list[tuple[str, str]]:
    """Modules of the product, with the names that are imported of them."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found += [(str(node.module), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] in OURS]


def public(module: str, name: str) -> bool:
    """Whether a name, or a top package itself, may be imported."""
    return module in OURS if not name else name in getattr(import_module(module), "__all__", ())


def test_nothing_is_imported_but_what_is_offered() -> None:
    files = [file for file in FOLDER.rglob("*.py") if FOLDER / "tests" not in file.parents]
    assert len(files) > 40
    private = {
        f"{file.relative_to(FOLDER)}: {module}.{name}"
        for file in files
        for module, name in imported(file)
        if not public(module, name)
    }
    assert not private


def test_an_import_of_a_module_itself_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "import pred_aware.runs.run\ndef look():\n    from schedulers.core.job import Job\n"
    )
    assert imported(file) == [("pred_aware.runs.run", ""), ("schedulers.core.job", "Job")]
    assert not any(public(*one) for one in imported(file))
