from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from tests.workload_tools.changes.twin.synthetic_logs import HOUR, job, listed, twin_of
from tests.workload_tools.jobs import beginning
from workload_tools.changes.twin import TwinLog, TwinOptions
from workload_tools.changes.twin.twin_log import TwinOptionError
from workload_tools.formats import open_log
from workload_tools.log import gather


def test_without_changes_the_twin_equals_the_log_with_numbers_for_names() -> None:
    jobs = [job("ann", 0.0, group="physics"), job("bob", 7.0), job("ann", 9.0, queue="long")]
    twins = [pair.twin for pair in twin_of(jobs).pairs]
    assert [twin.submit_time for twin in twins] == [0.0, 7.0, 9.0]
    assert twins[0].user == twins[2].user != twins[1].user
    assert {twin.user for twin in twins} == {"1", "2"}
    assert [twin.id for twin in twins] == ["1", "2", "3"]
    assert (twins[0].group, twins[1].group, twins[2].queue) == ("1", None, "1")


def test_events_of_the_real_machine_are_left_out() -> None:
    real = {"wait_time": 5.0, "used_memory": 1.0, "allocated_processors": 4, "array": "17"}
    (pair,) = twin_of([job("ann", 0.0, **real, preceding_job="1", warm_up=True)]).pairs
    for field in (*real, "preceding_job"):
        assert getattr(pair.twin, field) is None
    assert not pair.twin.warm_up


def test_jobs_keep_their_distances_within_a_session() -> None:
    jobs = [job("ann", at) for at in (0.0, 10.0, 30.0, 5 * HOUR, 9 * HOUR)]
    twins = [pair.twin for pair in twin_of(jobs, alike=3).pairs]
    begin = next(pair.twin for pair in twin_of(jobs, alike=3).pairs if pair.original is jobs[0])
    offsets = {twin.submit_time - begin.submit_time for twin in twins}
    assert {0.0, 10.0, 30.0} <= offsets
    assert begin.submit_time in (5 * HOUR, 9 * HOUR)


@settings(max_examples=30)
@given(st.integers(1, 10**5), st.integers(2, 10**5), st.integers(0, 50))
def test_a_job_reaches_its_walltime_in_the_twin_if_it_did_in_the_log(
    run: int, limit: int, seed: int
) -> None:
    original = job("ann", 0.0, run_time=float(run), walltime=float(limit))
    (pair,) = twin_of([original], noise=0.5, seed=seed).pairs
    assert pair.twin.run_time >= 1.0
    assert (pair.twin.run_time >= limit) == (run >= limit)
    if run == limit:
        assert pair.twin.run_time == limit


def test_noise_blurs_run_times_and_keeps_their_mean() -> None:
    jobs = [job("ann", HOUR * n, run_time=1000.0, walltime=None) for n in range(2000)]
    times = [pair.twin.run_time for pair in twin_of(jobs, noise=0.1).pairs]
    assert sum(times) / len(times) == pytest.approx(1000.0, rel=0.01)
    assert 80 < (sum((t - 1000.0) ** 2 for t in times) / len(times)) ** 0.5 < 120


def test_jitter_moves_sessions_by_at_most_its_value_and_never_before_the_beginning() -> None:
    jobs = [job("ann", HOUR * n) for n in range(50)]
    shifts = [
        pair.twin.submit_time - pair.original.submit_time
        for pair in twin_of(jobs, jitter=600.0).pairs
    ]
    assert min(shifts) < -100 < 100 < max(shifts)
    assert max(shifts) - min(shifts) <= 1200
    assert min(pair.twin.submit_time for pair in twin_of(jobs, jitter=600.0).pairs) >= 0


def test_a_size_or_walltime_of_few_users_is_replaced_by_a_common_one() -> None:
    common = [job(user, HOUR * n, processors=8) for n, user in enumerate("abcabc")]
    rare = job("a", 10 * HOUR, processors=7, walltime=3000.0, run_time=3000.0)
    twin = twin_of([*common, rare], few=3)
    assert {pair.twin.processors for pair in twin.pairs} == {8}
    assert {pair.twin.walltime for pair in twin.pairs} == {HOUR}
    assert max(pair.twin.run_time for pair in twin.pairs) == HOUR
    reason = "processors requested by fewer than 3 users: replaced by a common value"
    assert twin.report.repaired[reason] == 1


def test_a_state_of_few_users_is_left_out() -> None:
    jobs = [job(user, HOUR * n, state="done") for n, user in enumerate("abc")]
    twin = twin_of([*jobs, job("a", 9 * HOUR, state="exit 93")], few=3)
    assert Counter(pair.twin.state for pair in twin.pairs) == {"done": 3, None: 1}
    assert twin.report.repaired["state that fewer than 3 users had: removed"] == 1


def test_without_common_values_nothing_is_replaced() -> None:
    jobs = [job("ann", HOUR * n, processors=n + 1) for n in range(5)]
    sizes = sorted(pair.twin.processors for pair in twin_of(jobs, few=3).pairs)
    assert sizes == [1, 2, 3, 4, 5]


def test_exchanged_jobs_get_the_group_of_their_new_user() -> None:
    jobs = [job("ann", 0.0, group="physics"), job("bob", HOUR, group="chemistry")]
    twin = twin_of(jobs, few=2, alike=2)
    assert all(pair.original.user != pair.submitter for pair in twin.pairs)
    groups = {pair.submitter: pair.twin.group for pair in twin.pairs}
    unchanged = {pair.submitter: pair.twin.group for pair in twin_of(jobs).pairs}
    assert groups == unchanged


def test_dates_move_to_2000_with_the_weekday_and_the_hour_of_the_day() -> None:
    twin = twin_of([job("ann", 7200.0)])
    first = datetime.fromtimestamp((twin.machine.start_time or 0.0) + 7200.0, UTC)
    real = datetime.fromtimestamp(843472800.0 + 7200.0, ZoneInfo("Europe/Stockholm"))
    assert (first.year, first.month, first.weekday()) == (2000, 1, real.weekday())
    assert first.time() == real.time()
    assert twin.machine.time_zone == "UTC"
    assert "KTH" not in str(twin.machine)


def test_dates_and_header_are_kept_on_request() -> None:
    machine = twin_of([job("ann", 0.0)], keeps_dates=True).machine
    assert (machine.start_time, machine.time_zone) == (843472800.0, "Europe/Stockholm")
    assert machine.origin == [
        "Installation: KTH",
        "Note: a synthetic twin of a log, without real jobs",
    ]


def test_an_empty_log_has_an_empty_twin() -> None:
    assert list(TwinLog(listed([]), options=TwinOptions()).jobs()) == []


@each_case(
    ("name", "value"),
    [("alike", 0), ("noise", -0.1), ("jitter", float("inf")), ("jitter", 1e300), ("few", 0)],
)
def test_invalid_options_are_refused(name: str, value: float) -> None:
    with pytest.raises(TwinOptionError, match=f"option '{name}' of the twin: is"):
        TwinOptions(**{name: value})  # type: ignore[arg-type] # known above


def test_users_keep_their_number_of_jobs_unless_they_have_few_sessions(
    shared: Path, tmp_path: Path
) -> None:
    path = beginning(shared / "traces/KTH-SP2-1996-2.1-cln.swf.gz", tmp_path)
    twin = TwinLog(open_log(path), options=TwinOptions())
    workload = gather(twin)
    assert len(workload.jobs) == 5973
    assert (workload.processors, workload.jobs[0].submit_time) == (100, 0.0)
    before = Counter(pair.original.user for pair in twin.pairs)
    after = Counter(pair.submitter for pair in twin.pairs)
    changed = [user for user, count in before.items() if after[user] != count]
    assert all(before[user] < 1000 for user in changed)
    assert len(changed) < 60
