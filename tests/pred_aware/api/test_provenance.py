"""Provenance: the content of PREFIX_run.json, and its readers."""

import hashlib
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import pred_aware as pa
from pred_aware.runs.provenance import libraries_of
from predictors.online.online_regression import HoeffdingTree
from predictors.regression.hist_gradient_boosting import LogBoosting
from predictors.regression.tree_models import RandomForest
from schedulers import make_policy
from schedulers.core.counting import Counting
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command
from tests.suites import each_case
from workload_tools.platform.writer import write_platform

OWN = """class Own:
    changes = False
    def __init__(self, least=3):
        self.least = least
    def key(self, job, now):
        return -max(job.processors, self.least)
"""


@pytest.fixture
def log(tmp_path: Path) -> pa.JobLog:
    return pa.read_log(write_log(tmp_path / "made.swf"))


def told(run: pa.Run) -> dict[str, Any]:
    assert run.provenance is not None
    return run.provenance


def test_provenance_has_every_option_and_reproduces_the_run(log: pa.JobLog) -> None:
    scheduler = told(pa.simulate(log, "easy_plus_plus", predictor={"name": "knn", "k": 3}))
    options = scheduler["scheduler"]["options"]
    assert options["backfilling"] == {"name": "easy", "candidates": "shortest", "reservations": 1}
    assert options["order"]["name"] == "fcfs"
    found = (options["estimates"]["running"]["k"], options["estimates"]["running"]["window"])
    assert found == (3, 1000)
    assert (options["correction"]["name"], options["max_wait"]) == ("tsafrir", None)
    # the recorded options make the same run
    first = pa.simulate(log, "easy_plus_plus", predictor={"name": "safe", "predictor": "knn"})
    again = pa.simulate(log, "policy", options=told(first)["scheduler"]["options"])
    assert again.content("estimates") == first.content("estimates")
    assert told(again)["scheduler"]["options"] == told(first)["scheduler"]["options"]


def test_digests_are_those_of_the_input_files(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    jobs, machine = tmp_path / "jobs.json", tmp_path / "machine.xml"
    command("convert", "swf", tmp_path / "made.swf", "-o", jobs, "--platform", machine, "-q")
    made = told(pa.simulate(log))
    assert made["workload"]["sha256"] == hashlib.sha256(jobs.read_bytes()).hexdigest()
    assert made["platform"]["sha256"] == hashlib.sha256(machine.read_bytes()).hexdigest()
    # a history is recorded with its digest
    past = tmp_path / "made.swf"
    for history in (past, {"file": str(past), "format": "swf"}):
        made = told(pa.simulate(log, "easy", predictor="last_two", history=history))
        assert made["history_sha256"] == hashlib.sha256(past.read_bytes()).hexdigest()


def test_every_way_to_run_writes_the_same_provenance(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.json"
    log.workload.write(jobs)
    machine = tmp_path / "machine.xml"
    write_platform(machine, hosts=8)
    for name, more in (("one", ()), ("two", ("--transport", "zmq"))):
        run = ("run", "-q", "-w", jobs, "-p", machine, "-s", "easy", "-e", tmp_path / name, *more)
        assert command(*run).code == 0
    one, two = (told(pa.read_run(tmp_path / name)) for name in ("one", "two"))
    here = told(pa.simulate(log, "easy"))
    for made in (one, two, here):
        for field in ("date", "command", "transport", "files"):
            del made[field]
    del one["workload"]["name"], two["workload"]["name"], here["workload"]["name"]
    assert one == two == here


def test_a_part_of_the_users_own_has_the_digest_of_its_source(
    log: pa.JobLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_order.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    own = importlib.import_module("own_order").Own
    expected = {
        "kind": "order", "module": "own_order", "class": "Own", "options": {"least": 5},
        "source_sha256": hashlib.sha256(OWN.encode()).hexdigest(),
    }  # fmt: skip
    for order in (own(least=5), {"name": "own_order:Own", "least": 5}):
        assert told(pa.simulate(log, "policy", order=order))["own_parts"] == [expected]
    del sys.modules["own_order"]
    # a class without a file is recorded as such
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(OWN, space)  # noqa: S102 - as a notebook does it
    (part,) = told(pa.simulate(log, order=space["Own"]()))["own_parts"]
    assert (part["module"], part["class"]) == ("__main__", "Own")


@each_case(
    ("predictor", "libraries"),
    [
        (RandomForest, {"scikit-learn", "numpy"}),
        (HoeffdingTree, {"river"}),
        (LogBoosting, {"numpy"}),
    ],
)
def test_the_libraries_of_a_predictor_are_named(predictor: type, libraries: set[str]) -> None:
    found = set(libraries_of([predictor]))
    assert libraries <= found


def test_provenance_of_another_run_or_damaged_provenance_gives_a_remark(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    pa.simulate(log, "easy", write_to=tmp_path / "a")
    pa.simulate(log, "fcfs", write_to=tmp_path / "b")
    (tmp_path / "b_run.json").write_bytes((tmp_path / "a_run.json").read_bytes())
    run = pa.read_run(tmp_path / "b")
    found = (run.provenance, run.remark)
    assert found == (None, "b_run.json belongs to another run, not to these jobs")
    shown = command("compare", tmp_path / "a_jobs.csv", tmp_path / "b_jobs.csv").out
    assert "b: b_run.json belongs to another run" in shown
    shown = command("compare", tmp_path / "a_jobs.csv", tmp_path / "b_jobs.csv", "--full").out
    assert "a: easy (fcfs, easy, estimates walltime, walltime), delays none" in shown
    # a record with missing values gives a remark
    for name in ("a", "b"):
        pa.simulate(log, "easy", write_to=tmp_path / name)
    path = tmp_path / "b_run.json"
    path.write_text(path.read_text().replace('"version"', '"9007199254740993"', 1))
    ended = command("compare", tmp_path / "a_jobs.csv", tmp_path / "b_jobs.csv")
    assert (ended.code, ended.err) == (0, "")
    said = "b: b_run.json is invalid: Object missing required field `version`"
    assert said in " ".join(ended.out.split())
    command(
        "compare", tmp_path / "a_jobs.csv", tmp_path / "b_jobs.csv", "--shakes", 2
    ).assert_refused()


def test_compare_has_the_full_provenance_in_json(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    for name in ("easy", "fcfs"):
        pa.simulate(log, name, write_to=tmp_path / name)
    paths = [tmp_path / f"{name}_jobs.csv" for name in ("easy", "fcfs")]
    runs = json.loads(command("compare", *paths, "--json").out)["runs"]
    assert runs["easy"]["made"] == pa.read_run(paths[0]).provenance


def test_an_external_decision_process_is_named_by_its_command(
    log: pa.JobLog, command: Command, tmp_path: Path
) -> None:
    log.workload.write(tmp_path / "jobs.json")
    write_platform(tmp_path / "machine.xml", hosts=8)
    other = f"{sys.executable} -c 'from pybatsim.cmdline import main; main()' -t -1 fcfs"
    run = (
        "run", "-q", "-w", tmp_path / "jobs.json", "-p", tmp_path / "machine.xml",
        "--decision-process", other, "-e", tmp_path / "other",
    )  # fmt: skip
    assert command(*run).code == 0
    made = told(pa.read_run(tmp_path / "other"))
    assert made["scheduler"] is None
    assert made["decision_process"] == {"command": other}


class OwnMachine(Counting):
    """A machine that another package may have made."""


@each_case("machine", ["counting", OwnMachine()])
def test_a_policy_object_has_its_attributes_in_the_provenance(
    tmp_path: Path, machine: object
) -> None:
    log = pa.read_log(write_log(tmp_path / "log.swf", jobs=30))
    policy = make_policy("easy", {"machine": machine})
    run = pa.simulate(log, policy)
    assert run.figures["jobs"] == 30
    assert run.provenance is not None
    assert run.provenance["scheduler"]["options"]["machine"] == "not told"
    assert "machine_sha256" not in run.provenance
    assert run.jobs_sha256 == pa.simulate(log, "easy").jobs_sha256
