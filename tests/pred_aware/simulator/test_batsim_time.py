"""Batsim's timing on cases worked out by hand; the recorded runs show the rest.

A job's submission reaches the decision process after 0.0012 s (0.0018 s the first time, behind the
greeting), its start takes 0.0006 s more, and its end comes 0.0016 s after it.
"""

from pathlib import Path

import pytest

from pred_aware.simulator.errors import DeadlockError
from tests.pred_aware.simulator.world import Scripted, call, job, kill, simulate, start


def test_messages_have_delays(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": [start(1, 0, 9)], "completed 1": [start(2, 0, 9)]})
    rows = simulate(tmp_path, [job(1, 0, 10, 10), job(2, 5, 10, 10)], peer, delays="batsim")
    assert rows["1"]["starting_time"] == "0.002400"
    # 10.0024 s, then 0.0016 s for the end and 0.0006 s for the start
    assert rows["2"]["starting_time"] == "10.004600"
    told = {event: now for now, events in peer.told for event in events}
    assert told["submitted 1"] == 0.0018
    assert (told["completed 1"], told["completed 2"]) == (10.004, 20.0062)


def test_two_starts_of_one_reply_are_sent_one_after_the_other(tmp_path: Path) -> None:
    jobs = [job(1, 0, 5, 10), job(2, 0, 5, 10)]
    peer = Scripted({"submitted 1": [start(1, 0, 4), start(2, 5, 9)]})
    rows = simulate(tmp_path, jobs, peer, delays="batsim")
    # the submitter's goodbye waited longer than the first of them
    assert [rows[name]["starting_time"] for name in "12"] == ["0.003000", "0.003600"]


def test_dates_have_six_decimals(tmp_path: Path) -> None:
    peer = Scripted({"submitted 1": [start(1, 0, 9)]})
    simulate(tmp_path, [job(1, 1 / 3, 10, 1 / 7)], peer, delays="batsim")
    assert all(now == round(now, 6) for now, _ in peer.told)


def test_a_deadlock_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeadlockError, match=r"deadlock at 0\.00\d+ s: .* w0!1 \(10 processors\)"):
        simulate(tmp_path, [job(1, 0, 10, 10)], Scripted({}), delays="batsim")


def test_a_call_and_a_kill_need_a_message_each(tmp_path: Path) -> None:
    script = {"submitted 1": [start(1, 0, 9), call(5.0)], "called": [kill(1)]}
    peer = Scripted(script)
    rows = simulate(tmp_path, [job(1, 0, 10, 10)], peer, delays="batsim")
    assert rows["1"]["final_state"] == "COMPLETED_KILLED"
    # called at 5 + 0.0006; the kill arrives 0.0006 s later
    assert rows["1"]["finish_time"] == "5.001200"


def test_without_any_job_the_simulation_ends(tmp_path: Path) -> None:
    peer = Scripted({})
    assert simulate(tmp_path, [], peer, delays="batsim") == {}
    assert peer.told[-1][1] == ["ends"]


def test_jobs_of_one_date_are_submitted_by_their_ids_as_text(tmp_path: Path) -> None:
    jobs = [job(number, 0, 1, 5) for number in (9, 10)]
    peer = Scripted({"submitted 9": [start(9, 0, 0), start(10, 1, 1)]})
    simulate(tmp_path, jobs, peer, delays="batsim")
    assert ["submitted 10", "submitted 9"] in [events for _, events in peer.told]
