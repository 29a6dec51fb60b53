"""Explanations of runs that the engine gives as well are those of a simulation in Python."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import pred_aware as pa
from pred_aware.log.workload import Workload
from predictors.compile_cache import VARIABLE
from tests.pred_aware.api.synthetic_log import write_log

# the engine is compiled for a bound, which no quicker test needs
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
    ),
]
POLICY = {"name": "recommended", "predictor": "knn", "max_wait": {"backlog": 0.1, "ahead": 1}}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pa.Run:
    """A run in memory, in arrays."""
    monkeypatch.setenv(VARIABLE, "arrays")
    return pa.simulate(pa.read_log(write_log(tmp_path / "made.swf", jobs=70)), POLICY)


def in_files(run: pa.Run, folder: Path) -> pa.Run:
    workload = folder / "workload.json"
    assert isinstance(run.workload, Workload)
    run.workload.write(workload)
    run.write(folder / "run")
    return pa.read_run(folder / "run", workload=workload)


@pytest.mark.parametrize("read", [False, True])
def test_they_are_the_same(
    run: pa.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, read: bool
) -> None:
    of_files = in_files(run, tmp_path)
    monkeypatch.setenv(VARIABLE, "python")
    explainer = pa.Explainer(of_files)
    expected = [explainer.explain(job) for job in of_files.ids_in_workload]
    assert any(one.promises for one in expected)
    monkeypatch.setenv(VARIABLE, "arrays")

    explained = of_files if read else run
    explainer = pa.Explainer(explained)
    found = [explainer.explain(job).sentences for job in run.ids_in_workload]

    assert found == [one.sentences for one in expected]
    # each of a simulation that ends before the last jobs run
    alone = [pa.explain(explained, job).sentences for job in run.ids_in_workload[:9]]
    assert alone == found[:9]


def test_predictors_are_not_asked_again(run: pa.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedulers.policy.estimates.FromPredictor.estimate", None)

    assert pa.explain(run, 1).sentences


def test_a_run_whose_allocation_is_told_as_an_object_is_given_by_the_engine(
    run: pa.Run, tmp_path: Path
) -> None:
    made = in_files(run, tmp_path).provenance or {}
    options = made["scheduler"]["options"]
    assert options["allocation"] == {"name": "lowest"}
    again = pa.simulate(run.workload, "policy", options=options)
    assert (again.provenance or {})["engine"] == "arrays"
    assert again.jobs_sha256 == run.jobs_sha256


def test_a_job_beyond_those_that_were_named_is_explained_as_well(run: pa.Run) -> None:
    first, last = run.ids_in_workload[0], run.ids_in_workload[-1]
    explainer = pa.Explainer(run, only=[first])
    explainer.explain(first)

    assert explainer.explain(last) == pa.Explainer(run).explain(last)
