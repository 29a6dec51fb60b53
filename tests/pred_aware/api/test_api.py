"""The API of scripts and notebooks: values in, values out, and what the commands give."""

import gzip
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

import pred_aware as pa
from pred_aware.errors import PredAwareError
from pred_aware.simulator.outputs import SUFFIXES
from predictors import Submission
from schedulers import Job
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command, python
from tests.pred_aware.simulator.world import job, workload_of
from tests.suites import each_case

CSV = ("jobs", "machine_states", "estimates")


@pytest.fixture
def log(tmp_path: Path) -> pa.JobLog:
    return pa.read_log(str(write_log(tmp_path / "made.swf")))


class Remembering:
    """An order with state, which is bad practice: each run must get its own copy."""

    changes = False

    def __init__(self) -> None:
        self.asked = 0

    def key(self, job: Job, now: float) -> float:
        self.asked += 1
        return self.asked % 7


class Mean:
    """Predicts the mean run time of all jobs so far."""

    def __init__(self) -> None:
        self.sum = self.jobs = 0.0

    def predict(self, submission: Submission, now: float) -> float | None:
        return self.sum / self.jobs if self.jobs else None

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        self.sum += run_time
        self.jobs += 1


def files(prefix: Path) -> list[bytes]:
    return [Path(f"{prefix}{SUFFIXES[kind]}").read_bytes() for kind in CSV]


def converted(command: Command, folder: Path, log: Path) -> None:
    """Convert a log and run a scheduler on it, as a user types it."""
    jobs, machine = folder / "jobs.json", folder / "machine.xml"
    assert command("convert", "swf", log, "-o", jobs, "--platform", machine, "-q").code == 0
    run = ("run", "-w", jobs, "-p", machine, "-s", "easy_plus_plus", "-e", folder / "command")
    assert command(*run, "-q").code == 0


def test_a_real_log_gives_the_bytes_of_convert_and_run(
    shared: Path, command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "first.swf"
    with gzip.open(shared / "traces/KTH-SP2-1996-2.1-cln.swf.gz", "rt") as whole:
        path.write_text("".join(islice(whole, 1000)))
    converted(command, tmp_path, path)
    log = pa.read_log(path)
    pa.simulate(log, "easy_plus_plus").write(tmp_path / "api")
    pa.simulate(log, "easy_plus_plus", write_to=str(tmp_path / "streamed"))
    assert files(tmp_path / "api") == files(tmp_path / "command") == files(tmp_path / "streamed")


def test_run_compare_and_the_api_give_the_same_figures(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    converted(command, tmp_path, tmp_path / "made.swf")
    run = pa.simulate(log, "easy_plus_plus", name="mine")
    baseline = pa.read_run(str(tmp_path / "command"), "baseline", workload=log.workload)
    printed = json.loads(
        command(
            "compare", f"baseline={tmp_path}/command_jobs.csv", f"b={baseline.path}", "--json"
        ).out
    )["runs"]["baseline"]
    names = [name for name in run.figures.index if name != "scheduling_time"]
    assert [run.figures[name] for name in names] == [baseline.figures[name] for name in names]
    assert [run.figures[name] for name in names] == [printed[name] for name in names]
    for name in ("mean_waiting_time", "max_bounded_slowdown", "makespan"):
        assert run.summary[name] == pytest.approx(run.figures[name])


def test_every_job_has_a_row_with_its_fields_or_its_rejection(log: pa.JobLog) -> None:
    run = pa.simulate(log, "easy", predictor="last_two", correction="simple")
    assert len(run.jobs) == len(log) == 120
    assert run.jobs["user"].isin(["1", "2", "3", "4"]).all()
    assert (run.jobs["walltime"] == 300 * run.jobs["user"].astype(int)).all()
    assert (run.jobs["first_estimate"] <= run.jobs["walltime"]).all()
    assert run.jobs["corrections"].sum() == run.summary["corrections"] > 0
    assert {"head", "queue"} <= set(run.jobs["started_as"])
    assert run.jobs.loc["1", "waiting_time"] == 0.0
    # jobs that never ran have a row with the reason
    run = pa.simulate(log, "easy", platform=pa.Platform.of(7))
    sizes = run.rejected["requested_number_of_resources"]
    assert (sizes == 8).all()
    assert len(run.rejected) + len(run.jobs) == 120
    assert set(run.rejected["reason"]) == {"asks for 8 processors; the machine has 7"}


def test_objects_and_their_classes_give_the_same_run_twice(log: pa.JobLog) -> None:
    order, mean = Remembering(), Mean()
    first, second = (pa.simulate(log, order=order, predictor=mean).jobs for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    assert (order.asked, mean.jobs) == (0, 0)
    # classes names and objects give the same run
    by_class = pa.simulate(log, "easy", predictor=Mean, order="sjf").jobs
    as_object = pa.simulate(log, {"name": "easy", "order": "sjf"}, predictor=Mean()).jobs
    pd.testing.assert_frame_equal(by_class, as_object)


def test_a_pool_of_processes_maps_policies(log: pa.JobLog) -> None:
    specs = ["easy", {"name": "easy", "predictor": {"name": "knn", "k": 3}, "max_wait": 900}]
    with ProcessPoolExecutor(2) as pool:
        runs = list(pool.map(partial(pa.simulate, log), specs))
    for run, spec in zip(runs, specs, strict=True):
        pd.testing.assert_frame_equal(run.jobs, pa.simulate(log.workload, spec).jobs)


def test_a_comparison_is_a_frame_and_a_picture(log: pa.JobLog) -> None:
    runs = [pa.simulate(log, name) for name in ("easy", "fcfs")]
    comparison = pa.compare(runs)
    assert list(comparison.frame) == ["easy", "fcfs", "change in fcfs"]
    assert comparison.frame.loc["mean_waiting_time", "fcfs"] == runs[1].figures["mean_waiting_time"]
    assert isinstance(comparison.plot(), Figure)


def test_runs_of_different_jobs_are_compared_only_on_request(log: pa.JobLog) -> None:
    runs = [pa.simulate(log, name="a"), pa.simulate(log, platform=pa.Platform.of(7), name="b")]
    with pytest.raises(PredAwareError, match="these runs have different jobs"):
        pa.compare(runs)
    assert pa.compare(runs, anyway=True).differences


def test_the_api_and_the_command_give_the_same_predictions(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    measured = pa.predict(log, ["last_two", Mean(), {"name": "knn", "k": 3}])
    arguments = ("--predictor", "last_two", "--predictor", '{"name": "knn", "k": 3}', "--json")
    printed = json.loads(command("predict", tmp_path / "made.swf", *arguments).out)
    assert list(measured.figures["mae"])[::2] == [one["mae"] for one in printed]
    assert len(measured.frame) == 3 * len(log)
    assert isinstance(measured.plot(), Figure)


def test_a_notebook_shows_every_value_and_escapes_names(tmp_path: Path) -> None:
    workload = workload_of([job(1, 0, 1, 5) | {"user_id": "<script>"}], 2)
    run = pa.simulate(workload)
    log = pa.read_log(write_log(tmp_path / "made.swf"))
    comparison = pa.compare([run, pa.simulate(workload, name="other")])
    for value in (workload, run, log, comparison, pa.predict(log, "last_two")):
        shown = value._repr_html_()
        assert "<table" in shown
        assert "<script>" not in shown


def test_missing_walltimes_cleaning_and_the_machines_size_are_keywords(tmp_path: Path) -> None:
    path = write_log(tmp_path / "made.swf", missing=0.1)
    log = pa.read_log(path)
    assert log.report.dropped["no walltime"] == 120 - len(log) > 0
    assert len(pa.read_log(path, missing_walltime=3600)) == 120
    # cleaning and the machines size are keywords
    path = write_log(tmp_path / "made.swf")
    log = pa.read_log(path, clean="user=1", processors=16)
    assert "1" not in set(log.jobs["user"])
    assert (log.platform.processors, log.workload.processors) == (16, 16)


def test_impossible_simulations_and_predictions_give_one_clear_error(log: pa.JobLog) -> None:
    with pytest.raises(PredAwareError, match="read it first, with pred_aware"):
        pa.simulate("jobs.json")  # type: ignore[arg-type] # what a script may do
    # a workload without a machine needs a platform
    workload = pa.Workload.of({"jobs": [], "profiles": {}})
    with pytest.raises(PredAwareError, match="give a platform, such as platform="):
        pa.simulate(workload)
    # two ways to divide a log are one clear error
    with pytest.raises(PredAwareError, match="both divide the jobs: give only one"):
        pa.predict(log, "last_two", split="random", train_until=0.5)


def test_the_package_imports_no_heavy_library_and_has_every_name() -> None:
    done = python("-c", "import sys, pred_aware; print(*sys.modules)")
    heavy = {"numpy", "pandas", "matplotlib", "sklearn", "msgspec", "zmq", "scipy", "typer"}
    assert done.code == 0
    assert heavy.isdisjoint(done.out.split())
    # every public name is there
    assert all(hasattr(pa, name) for name in pa.__all__)
    assert dir(pa) == sorted(pa.__all__)


@each_case(
    ("option", "given"),
    [
        ("--train-until=0.5", {"train_until": 0.5}),
        ("--split=random", {"split": "random"}),
        ("--split=consecutive", {"split": "consecutive"}),
    ],
)
def test_the_api_splits_a_log_like_the_command(
    log: pa.JobLog, command: Command, tmp_path: Path, option: str, given: dict[str, Any]
) -> None:
    ended = command("predict", tmp_path / "made.swf", "--predictor=last_two", option, "--json")
    (told,) = json.loads(ended.out)
    figures = pa.predict(log, "last_two", **given).figures
    assert figures.loc["last_two", "mae"] == told["mae"]
    assert figures.loc["last_two", "jobs"] == told["jobs"] < 120
