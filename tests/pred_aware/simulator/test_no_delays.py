"""Messages without delays: the order of events, and the effects of decisions."""

import json
from pathlib import Path

import pytest

from pred_aware.simulator.errors import DeadlockError, DecisionError
from pred_aware.simulator.simulation import Delays
from tests.pred_aware.simulator.world import (
    Scripted,
    call,
    job,
    kill,
    note,
    reject,
    simulate,
    simulate_inputs,
    start,
    write_inputs,
)
from tests.suites import each_case


def test_events_of_one_date_come_together_ends_then_calls_then_submissions(
    tmp_path: Path,
) -> None:
    # both end at 10; the second was started first
    jobs = [job(1, 0, 2, 10), job(2, 0, 2, 10), job(4, 10, 1, 5), job(3, 10, 1, 5)]
    peer = Scripted(
        {
            "submitted 1": [start(2, 0, 1), start(1, 2, 3), call(10.0)],
            "submitted 4": [start(4, 0, 0), start(3, 1, 1)],
        }
    )
    simulate(tmp_path, jobs, peer)
    assert peer.told == [
        (0, ["begins"]),
        (0, ["submitted 1", "submitted 2"]),
        (10, ["completed 2", "completed 1", "called", "submitted 4", "submitted 3", "no more"]),
        (15, ["completed 4", "completed 3"]),
        (15, ["ends"]),
    ]


def test_rows_have_dates_processors_and_final_state_of_a_job(tmp_path: Path) -> None:
    jobs = [job(1, 0, 2, 10, 60), job(2, 5, 2, 70, 60), job(3, 5, 2, 60, 60)]
    script = {"submitted 1": [start(1, 0, 1)], "submitted 2": [start(2, 2, 3), start(3, 4, 5)]}
    rows = simulate(tmp_path, jobs, Scripted(script))
    states = {name: (row["final_state"], row["finish_time"]) for name, row in rows.items()}
    assert states == {
        "1": ("COMPLETED_SUCCESSFULLY", "10.000000"),
        "2": ("COMPLETED_WALLTIME_REACHED", "65.000000"),
        "3": ("COMPLETED_WALLTIME_REACHED", "65.000000"),
    }
    assert rows["2"]["allocated_resources"] == "2-3"


def test_decision_times_reported_by_the_decision_process_count(tmp_path: Path) -> None:
    jobs = [job(1, 0, 2, 10), job(2, 0.003, 2, 10), job(3, 1, 2, 10)]
    script = {f"submitted {n}": [start(n, 2 * n, 2 * n + 1)] for n in (1, 2, 3)}
    peer = Scripted(script, takes=0.005)
    rows = simulate(tmp_path, jobs, peer)
    # the request at 0 asks about nothing but the beginning, and is answered at 0.005
    assert [now for now, _ in peer.told[:4]] == [0, 0.005, 1, 10.01]
    starts = {name: row["starting_time"] for name, row in rows.items()}
    assert starts == {"1": "0.010000", "2": "0.010000", "3": "1.005000"}


def test_a_call_comes_at_its_date_and_can_be_requested_again(tmp_path: Path) -> None:
    peer = Scripted({"begins": [call(2.5)], "called": [call(4.0)], "submitted 1": [start(1, 0, 0)]})
    simulate(tmp_path, [job(1, 3, 1, 7)], peer)
    assert [now for now, events in peer.told if events == ["called"]] == [2.5, 4.0]


@each_case("delays", ["none", "batsim"])
@each_case("at", [0.0, -1.0, float("inf"), float("nan")])
def test_a_call_that_is_not_later_is_refused(tmp_path: Path, at: float, delays: Delays) -> None:
    peer = Scripted({"begins": [call(at)]})
    with pytest.raises(DecisionError, match=r"at 0\.0\d* s .* to be called at .*not later"):
        simulate(tmp_path, [job(1, 3, 1, 7)], peer, delays=delays)


def test_a_killed_job_ends_at_once_and_the_kill_is_reported_after_it(tmp_path: Path) -> None:
    jobs = [job(1, 0, 2, 10), job(2, 4, 2, 10)]
    script = {"submitted 1": [start(1, 0, 1)], "submitted 2": [kill(1), start(2, 0, 1)]}
    peer = Scripted(script)
    rows = simulate(tmp_path, jobs, peer)
    found = peer.told[2:4]
    assert found == [(4, ["submitted 2", "no more"]), (4, ["completed 1", "killed w0!1: 1@0.4"])]
    told = (rows["1"]["final_state"], rows["1"]["execution_time"])
    assert told == ("COMPLETED_KILLED", "4.000000")
    assert rows["2"]["starting_time"] == "4.000000"


def test_the_kill_of_an_ended_job_has_no_effect(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": [start(1, 0, 1)], "completed 1": [kill(1)]})
    rows = simulate(tmp_path, [job(1, 0, 2, 10)], peer)
    assert (10, ["killed w0!1: "]) in peer.told
    assert rows["1"]["final_state"] == "COMPLETED_SUCCESSFULLY"


def test_metadata_is_written_beside_the_job(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": [note(1, "waits"), note(1, "runs"), start(1, 0, 1)]})
    assert simulate(tmp_path, [job(1, 0, 2, 10)], peer)["1"]["metadata"] == "runs"


def test_a_rejected_job_has_a_row_without_dates(tmp_path: Path) -> None:
    rows = simulate(tmp_path, [job(1, 0, 11, 10)], Scripted({"submitted 1": [reject(1)]}))
    row = rows["1"]
    assert (row["final_state"], row["success"], row["starting_time"]) == ("REJECTED", "0", "")


def test_a_deadlock_is_reported_once_with_the_waiting_jobs(tmp_path: Path) -> None:
    jobs = [job(number, 0, 1, 10) for number in range(1, 8)]
    with pytest.raises(DeadlockError) as error:
        simulate(tmp_path, jobs, Scripted({"submitted 1": [start(1, 0, 0)]}))
    assert str(error.value) == (
        "deadlock at 10.0 s: all other jobs have ended, nothing more will happen, and the decision "
        "process neither starts nor rejects w0!2 (1 processors), w0!3 (1 processors), w0!4 (1 "
        "processors), w0!5 (1 processors), w0!6 (1 processors) and 1 more"
    )


def test_a_job_that_takes_no_time_ends_at_once(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": [start(1, 0, 1)]})
    rows = simulate(tmp_path, [job(1, 5, 2, 0)], peer)
    assert (5, ["completed 1"]) in peer.told
    # Batsim counts such a job as 10 microseconds
    assert rows["1"]["execution_time"] == "0.000010"


def test_without_any_job_there_are_files_with_headers_only(tmp_path: Path) -> None:
    peer = Scripted({})
    assert simulate(tmp_path, [], peer) == {}
    assert peer.told == [(0, ["begins"]), (0, ["no more"]), (0, ["ends"])]
    names, values = (tmp_path / "out_schedule.csv").read_text().splitlines()
    figures = dict(zip(names.split(","), values.split(","), strict=True))
    assert (figures["nb_jobs"], figures["makespan"]) == ("0", "0.000000")


def test_a_profile_with_an_exit_code_makes_the_job_fail(tmp_path: Path) -> None:
    write_inputs(tmp_path, [])
    profiles = {"p": {"type": "delay", "delay": 5, "ret": 3}}
    jobs = [{"id": "1", "subtime": 0, "res": 1, "profile": "p"}]
    peer = Scripted({"submitted 1": [start(1, 0, 0)]})
    text = json.dumps({"jobs": jobs, "profiles": profiles})
    (tmp_path / "workload.json").write_text(text)
    row = simulate_inputs(tmp_path, peer)["1"]
    assert (row["final_state"], row["success"]) == ("COMPLETED_FAILED", "0")
