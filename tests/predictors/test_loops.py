"""When the compiled loops of predictors are taken."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from predictors import compile_cache, loops
from predictors.compile_cache import VARIABLE
from predictors.loops import WORTH_COMPILING, WORTH_LOADING, CompiledLoops


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stand for modules that are compiled at once."""
    module = SimpleNamespace(
        fit=print,
        find=repr,
        compile_all=lambda: None,
        same_trees=lambda _: True,
        same_tree=lambda _: True,
    )
    pytest.importorskip("numba")
    for where in (loops, compile_cache):
        monkeypatch.setattr(where, "import_module", lambda _: module)
    return module


@pytest.mark.usefixtures("compiles")
def test_they_are_compiled_when_enough_was_done_without_and_then_loaded_sooner(
    tmp_path: Path,
) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    first, next_one = CompiledLoops(environment), CompiledLoops(environment)
    taken = []
    for seconds in (WORTH_LOADING, WORTH_COMPILING - WORTH_LOADING, 0.0):
        taken.append(first.fits)
        first.worth(seconds)
    assert [*taken, first.fits, first.finds_nearest] == [None, None, print, print, repr]
    next_one.worth(0.99 * WORTH_LOADING)
    assert next_one.fits is None
    next_one.worth(0.01 * WORTH_LOADING)
    assert next_one.fits is print


def test_fits_stay_scikit_learns_where_its_trees_are_others(
    compiles: SimpleNamespace, tmp_path: Path
) -> None:
    compiles.same_trees = lambda _: False
    environment = {"XDG_CACHE_HOME": str(tmp_path), VARIABLE: "arrays"}
    for _ in range(2):
        found = CompiledLoops(environment)
        found.worth(1e-9)
        assert (found.fits, found.finds_nearest) == (None, repr)


@pytest.mark.usefixtures("compiles")
def test_the_environment_forbids_them(tmp_path: Path) -> None:
    found = CompiledLoops({"XDG_CACHE_HOME": str(tmp_path), VARIABLE: "python"})
    found.worth(1e9)
    assert found.fits is None


def test_where_nothing_can_be_kept_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "pred-aware").write_text("a file where the folder should be")
    found = CompiledLoops({"XDG_CACHE_HOME": str(tmp_path), VARIABLE: "arrays"})
    found.worth(1.0)
    assert (found.fits, found.finds_nearest) == (None, None)


def test_a_numba_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compile_cache, "find_spec", lambda _: SimpleNamespace())
    monkeypatch.setattr(compile_cache, "version", lambda _: "1")
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "predictors.compiled", raising=False)
    for module in ("regression.histograms.boosting", "regression.histograms.kernel"):
        monkeypatch.delitem(sys.modules, f"predictors.{module}", raising=False)
    found = CompiledLoops({"XDG_CACHE_HOME": str(tmp_path), VARIABLE: "arrays"})
    found.worth(1.0)
    found.worth(1.0)
    assert caplog.text.count("numba can't be loaded, predictions take longer") == 1
