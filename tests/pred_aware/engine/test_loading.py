"""When the engine is taken, and what a process pays that does not need it."""

import os
import re
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from pred_aware.engine import loading, sources
from pred_aware.engine.loading import WORTH_CALLING, WORTH_LOADING, Engine
from pred_aware.engine.predicting import sources as predicting
from predictors import compile_cache
from predictors.compile_cache import VARIABLE, CompiledCode, expecting
from tests.pred_aware.command import python

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")

THREE_JOBS = """
import sys
import pred_aware as pa
jobs = [{"id": n, "subtime": n, "res": 1, "walltime": 60, "profile": "D"} for n in range(3)]
profiles = {"D": {"type": "delay", "delay": 30}}
run = pa.simulate(pa.Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles}), "easy")
heavy = {"numba", "pandas", "pred_aware.engine.coverage", "pred_aware.engine.outcome"}
print(heavy & {*sys.modules})
"""

MANY_WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import pred_aware as pa
import pred_aware.engine.loading as loading
loading.WORTH_LOADING = 0
jobs = [{"id": n, "subtime": n, "res": 1, "walltime": 60, "profile": "D"} for n in range(600)]
profiles = {"D": {"type": "delay", "delay": 30}}
workload = pa.Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
site = {"nodes": [{"name": "one", "count": 4, "cores": 1}]}
slurm = {"slurm": {"priority_weight_age": 1}}
mixed = {"site": slurm, "order": "multifactor", "backfilling": "slurm"}
for options in ({}, {"site": site}, mixed):
    run = pa.simulate(workload, "policy", options=options)
    print(run.provenance["engine"], int(run.figures["jobs"]))
"""

KEPT = """
import os
from pathlib import Path
from pred_aware.engine.predicting.loop import answer
from pred_aware.engine.kernel.loop import simulate
from predictors.rules.nearest import find
base = Path(os.environ["XDG_CACHE_HOME"], "pred-aware")
for function in (simulate, answer, find):
    what, _, *package = Path(function._cache.cache_path).relative_to(base).parts
    print(what, *package)
"""

MEASURED = """
import sys
import pred_aware as pa
from pred_aware.metrics import MEASURES, measures
jobs = [{"id": n, "subtime": n, "res": 1, "walltime": 60, "profile": "D"} for n in range(600)]
profiles = {"D": {"type": "delay", "delay": 30 + 1 / 3}}
run = pa.simulate(pa.Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles}), "easy")
measures(run, [name for name in MEASURES if name != "gini_of_users"])
print(run.provenance["engine"], "pandas" in sys.modules)
"""


def test_it_is_worth_loading_once_enough_was_simulated_without() -> None:
    engine = Engine({})
    half = WORTH_LOADING // 2
    asked = (half, WORTH_CALLING - 1, half, WORTH_CALLING, WORTH_CALLING - 1)
    assert [engine.worth(jobs) for jobs in asked] == [False, False, True, True, False]


def test_numba_is_recommended_after_a_minute_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_spec", lambda _: None)
    assert "extra `fast`" in str(loading.advice(60.0))
    assert loading.advice(59.0) is None
    monkeypatch.setattr(loading, "find_spec", lambda name: name)
    assert loading.advice(3600.0) is None


def test_processors_of_another_kind_have_compiled_code_of_their_own(tmp_path: Path) -> None:
    told = tmp_path / "cpuinfo"
    found = []
    for lines in ("flags: avx2\ncpu MHz: 2445", "flags: avx2\ncpu MHz: 3100", "flags: sse2"):
        told.write_text(f"processor: 0\nvendor_id: X\n{lines}\n\nprocessor: 1\nflags: other\n")
        found.append(compile_cache.processor_kind(told))
    assert found[0] == found[1] != found[2]
    assert compile_cache.processor_kind(tmp_path / "none") == os.uname().machine


def test_it_is_worth_loading_for_what_is_to_come() -> None:
    jobs = WORTH_LOADING // 10
    with expecting(9):
        assert not Engine({}).worth(jobs)
    with expecting(10):
        assert Engine({}).worth(jobs)
        assert not Engine({}).worth(WORTH_CALLING - 1)
    assert not Engine({}).worth(jobs)


def test_what_takes_long_in_python_is_sooner_worth_it_once_it_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompiledCode, "is_there", lambda _, *parts: parts == ("compiled", "sited"))
    sited, jobs = frozenset({"sited"}), WORTH_LOADING // 10
    assert not Engine({}).worth(jobs, sited)
    assert Engine({}).worth(jobs, sited, times=10.0)
    assert not Engine({}).worth(jobs, frozenset({"bounded"}), times=10.0)


def test_when_it_is_loaded_all_but_small_workloads_are_worth_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(CompiledCode, "load", lambda *_, **__: "")
    monkeypatch.setattr(loading, "import_module", lambda _: SimpleNamespace(outcome_of=print))
    engine = Engine({"XDG_CACHE_HOME": str(tmp_path)})
    assert engine.load() is not None
    assert [engine.worth(WORTH_CALLING - 1), engine.worth(WORTH_CALLING)] == [False, True]


@pytest.mark.parametrize(("wanted", "worth"), [("python", False), ("arrays", True)])
def test_the_environment_decides(wanted: str, *, worth: bool) -> None:
    assert Engine({VARIABLE: wanted}).worth(1 if worth else 10**9) is worth


def test_without_numba_there_is_none_and_nobody_asks_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compile_cache, "find_spec", lambda _: None)
    engine = Engine({VARIABLE: "arrays"})
    assert engine.load() is None
    assert not engine.worth(10**9)


@pytest.mark.slow
def test_without_numba_python_simulates_all_that_others_have_in_arrays() -> None:
    code, out, _ = python("-c", MANY_WITHOUT_NUMBA)
    assert (code, out) == (0, 3 * "python 600\n")


def test_where_nothing_can_be_kept_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "pred-aware").write_text("a file where the folder should be")
    assert Engine({"XDG_CACHE_HOME": str(tmp_path)}).load() is None


@pytest.mark.parametrize(("module", "folder"), [(sources, "kernel"), (predicting, "predicting")])
def test_what_is_compiled_is_kept_for_all_that_it_imports(module: ModuleType, folder: str) -> None:
    kept: list[Path] = [*module.sources()]
    text = "".join(path.read_text() for path in kept if path.parent.name == folder)
    names = re.findall(
        r"^from ((?:pred_aware|predictors|schedulers)\S+) import", text, re.MULTILINE
    )
    specs = [find_spec(name) for name in names]
    imported = {Path(spec.origin) for spec in specs if spec is not None and spec.origin}
    assert len(imported) > 5
    assert imported <= {*kept}


@needs_numba
def test_what_is_kept_is_in_its_folder_whoever_imports_it_from_where(tmp_path: Path) -> None:
    found = python("-c", KEPT, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
    assert found.out == "engine kernel\npredicting predicting\npredictors rules\n"


@needs_numba
def test_a_numba_that_fails_is_told_and_python_simulates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: str) -> ModuleType:
        raise ImportError("Numba needs NumPy 2.4 or less")

    monkeypatch.setattr(compile_cache, "find_spec", lambda _: SimpleNamespace())
    monkeypatch.setattr(compile_cache, "import_module", fails)
    assert Engine({"XDG_CACHE_HOME": str(tmp_path)}).load() is None
    assert "numba can't be loaded, simulations take longer" in caplog.text


@needs_numba
def test_a_numba_that_cannot_compile_it_is_told_and_python_simulates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: frozenset[str]) -> str:
        raise RuntimeError("does not apply to function return values")

    monkeypatch.setattr(compile_cache, "find_spec", lambda _: SimpleNamespace())
    monkeypatch.setattr(compile_cache, "import_module", lambda _: None)
    monkeypatch.setattr(loading, "_compile_all", fails)
    assert Engine({"XDG_CACHE_HOME": str(tmp_path)}).load() is None
    assert "simulations take longer: does not apply" in caplog.text


def test_three_jobs_load_neither_numba_nor_pandas() -> None:
    assert python("-c", THREE_JOBS) == (0, "set()\n", "")


@pytest.mark.slow
@needs_numba
def test_measures_of_arrays_load_no_pandas() -> None:
    found = python("-c", MEASURED, env={**os.environ, VARIABLE: "arrays"})
    assert (found.code, found.out) == (0, "arrays False\n")
