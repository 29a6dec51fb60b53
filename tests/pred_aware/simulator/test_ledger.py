"""Impossible decisions: the errors, with and without delays."""

from pathlib import Path

import pytest

from pred_aware.simulator.errors import DecisionError
from pred_aware.simulator.simulation import Delays
from tests.pred_aware.simulator.world import (
    Order,
    Scripted,
    job,
    kill,
    note,
    reject,
    simulate,
    start,
)
from tests.suites import each_case
from workload_tools.batsim.decisions import Execute

JOBS = [job(1, 0, 2, 10), job(2, 0, 2, 10), job(3, 50, 2, 10)]
FIRST = [start(1, 0, 1)]
REFUSED: dict[str, tuple[list[Order], str]] = {
    "unknown": ([start(9, 0, 1)], "asked to start job 'w0!9', which is unknown"),
    "early": ([start(3, 0, 1)], "asked to start job 'w0!3', which is not submitted yet"),
    "twice": ([start(1, 0, 1), start(1, 2, 3)], "'w0!1', which is not waiting but RUNNING"),
    "busy": ([start(1, 0, 1), start(2, 1, 2)], "'w0!2' the processors 1-2; .* in use by w0!1"),
    "outside": ([start(1, 9, 10)], "the processors 9-10; the machine has 10, numbered from 0"),
    "too many": ([start(1, 0, 2)], r"gave job 'w0!1' 3 processors \(0-2\); it asks for 2"),
    "too few": ([start(1, 0, 0)], r"gave job 'w0!1' 1 processors \(0\); it asks for 2"),
    "executors": (
        [lambda now: Execute(now, "w0!1", ((0, 1),), 3)],
        r"gave job 'w0!1' 3 processors \(0-1\); it asks for 2",
    ),
    "reject a running job": ([*FIRST, reject(1)], "rejected job 'w0!1', .* but RUNNING"),
    "reject twice": ([reject(1), reject(1)], "asked to reject job 'w0!1', which has ended"),
    "kill what waits": ([kill(1)], "asked to kill job 'w0!1', which has not started"),
    "kill what is to come": ([kill(3)], "asked to kill job 'w0!3', which has not started"),
    "kill nobody": ([kill(9)], "asked to kill job 'w0!9', which is unknown"),
    "metadata of nobody": ([note(9, "x")], "set metadata of job 'w0!9', which is unknown"),
    "a quote": ([note(1, 'a "b"')], "the metadata of job 'w0!1' has a double quote"),
}


@each_case("delays", ["none", "batsim"])
@each_case("case", REFUSED)
def test_an_impossible_decision_is_refused_and_leaves_no_file(
    tmp_path: Path, case: str, delays: Delays
) -> None:
    orders, message = REFUSED[case]
    peer = Scripted({"submitted 1": orders})
    with pytest.raises(DecisionError, match=message) as error:
        simulate(tmp_path, JOBS, peer, delays=delays)
    assert str(error.value).startswith("at ")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"platform.xml", "workload.json"}


def test_a_job_that_has_ended_cannot_start_again(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": FIRST, "completed 1": [start(1, 0, 1)]})
    with pytest.raises(DecisionError, match="start job 'w0!1', which has ended"):
        simulate(tmp_path, JOBS, peer)
