"""The two builds: what `.ci/run` checks with the sources, and again with the compiled wheel."""

import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import pred_aware
from pred_aware.version import is_compiled
from predictors import LastTwo, PredictorError, Submission
from schedulers import Job
from schedulers.machine.lowest_free import LowestFree
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import job, workload_of
from workload_tools.batsim.intervals import Intervals

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
HOT = [path.removesuffix(".py").replace("/", ".") for path in HOOK["modules"]]
JOBS = workload_of([job(n, n, 2, 100, 900) | {"user_id": "ann"} for n in range(5)], 4)


@pytest.mark.parametrize("name", HOT)
def test_every_hot_module_is_of_the_build_that_is_told(name: str) -> None:
    found = find_spec(name)
    assert found is not None
    assert str(found.origin).endswith(".py") is not is_compiled()


@pytest.mark.parametrize("name", HOT)
def test_own_classes_can_inherit_from_every_public_class_of_a_hot_module(name: str) -> None:
    for known, value in vars(import_module(name)).items():
        if isinstance(value, type) and value.__module__ == name and not known.startswith("_"):
            assert type(f"Own{known}", (value,), {}).mro()[1] is value


def test_the_version_tells_the_build(command: Command) -> None:
    ended = command("--version")
    build = "compiled" if is_compiled() else "pure Python"
    assert (ended.code, ended.out) == (0, f"pred-aware {pred_aware.__version__} ({build})\n")


class Half(LastTwo):
    """Inherits what it learns, and answers with half of it, or a minute."""

    def predict(self, submission: Submission, now: float) -> float | None:
        learnt = super().predict(submission, now)
        return 60.0 if learnt is None else learnt / 2


class NotTheFirst(LowestFree):
    """Never gives the first processor away."""

    def __init__(self, processors: int) -> None:
        super().__init__(processors)
        super().allocate(1)

    def allocate(self, size: int) -> Intervals:
        return super().allocate(size)


def test_what_an_own_class_overrides_is_what_is_called() -> None:
    mine = Half()
    run = pred_aware.simulate(JOBS, "easy_plus_plus", predictor=mine)
    assert set(run.jobs["first_estimate"]) == {60.0}
    for end in (100.0, 200.0):
        mine.learn(Job("w0!1", 0.0, 1, None, fields={"user_id": "ann"}).submission, 40.0, end)
    run = pred_aware.simulate(JOBS, "easy_plus_plus", predictor=mine)
    assert set(run.jobs["first_estimate"]) == {20.0}


def test_an_own_rule_that_inherits_chooses_the_processors() -> None:
    small = workload_of([job(1, 0, 2, 100, 900)], 4)
    run = pred_aware.simulate(small, "easy", allocation=NotTheFirst)
    assert run.jobs["allocated_resources"].tolist() == ["1-2"]


class Told:
    """Answers with what is no number."""

    def predict(self, submission: Submission, now: float) -> str:
        return "soon"

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        pass


def test_an_answer_of_a_wrong_type_is_an_error_that_names_who_gave_it() -> None:
    with pytest.raises(PredictorError, match=r"Told'.*answered 'soon'; it must be a"):
        pred_aware.simulate(JOBS, "easy_plus_plus", predictor=Told)
