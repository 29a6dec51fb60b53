"""Users' weeks rearranged: what moves, what stays, what is recorded."""

from collections import defaultdict
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workload_tools.batsim.reader import parse_raw
from workload_tools.batsim.workload import RawWorkload
from workload_tools.changes.redated import RedatingError
from workload_tools.changes.resampled import WEEK, Resampler, ResamplingError
from workload_tools.changes.shaken import Shaker

WEEKS = 40


def workload(*jobs: tuple[float, object], **more: object) -> RawWorkload:
    told = [
        {"id": str(number), "subtime": date, "res": 4, "profile": "D", "user_id": user, **more}
        for number, (date, user) in enumerate(jobs)
    ]
    profiles = {"D": {"type": "delay", "delay": WEEK / 2}}
    return parse_raw(
        msgspec.json.encode({"nb_res": 8, "profiles": profiles, "jobs": told}), "made.json"
    )


ENDS = (100.0, "first"), (100.0 + WEEKS * WEEK, "last")
"""Jobs between which there are so many weeks."""


def dates(raw: RawWorkload) -> dict[Any, float]:
    return {job.id: job.subtime for job in raw.jobs}


def weeks_moved(own: RawWorkload, seed: int) -> dict[Any, float]:
    before, after = dates(own), dates(Resampler(own).resample(seed))
    return {name: (after[name] - before[name]) / WEEK for name in before}


def test_temporary_users_keep_their_span_in_another_week() -> None:
    own = workload(*ENDS, *((500 + week * WEEK, 7) for week in range(12)))
    moved = [weeks_moved(own, seed) for seed in range(60)]
    by_seed = [{one[str(n)] for n in range(2, 14)} for one in moved]
    assert {len(one) for one in by_seed} == {1}
    assert {min(one) for one in by_seed} >= {0.0, 14.0, WEEKS - 12.0}
    assert max(min(one) for one in by_seed) == WEEKS - 12


def test_permanent_users_are_rotated() -> None:
    own = workload(*ENDS, *((500 + week * WEEK, 7) for week in range(13)))
    for seed in range(20):
        moved = {weeks_moved(own, seed)[str(n)] % WEEKS for n in range(2, 15)}
        assert len(moved) == 1
    assert any(len({*weeks_moved(own, seed).values()}) > 3 for seed in range(20))


def test_spans_are_counted_in_weeks_that_they_touch() -> None:
    def long_term(*dates: float) -> int:
        jobs = [(100.0 + date * WEEK, 7) for date in dates]
        return Resampler(workload((100.0, "first"), *jobs, (100.0 + 10 * WEEK, "last"))).long_term

    # of ten weeks six are touched, or five by one that is longer
    assert [long_term(0.9, 5.1), long_term(1.0, 5.9)] == [1, 0]


def test_users_move_independently_and_jobs_without_user_one_by_one() -> None:
    own = workload(*ENDS, (5.0, 1), (5.0, 2), (5.0, None), (6.0, None))
    assert Resampler(own).users == 6
    moved = weeks_moved(own, 3)
    assert len({moved[str(number)] for number in range(2, 6)}) > 2


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 30 * int(WEEK)) | st.floats(0, 30 * WEEK), st.none() | st.integers(1, 4)
        ),
        max_size=30,
    ),
    st.integers(0, 2**64),
)
def test_weekday_and_hour_stay_and_the_simulation_uses_the_json(jobs: list[Any], seed: int) -> None:
    own = workload(*ENDS, *jobs)
    resampled = Resampler(own).resample(seed)
    before, after = dates(own), dates(resampled)
    for name, date in before.items():
        assert abs((after[name] - date) / WEEK - round((after[name] - date) / WEEK)) < 1e-9
    assert 0 <= min(before.values()) <= min(after.values()) + 1e-6
    assert max(after.values()) <= min(before.values()) + (WEEKS + 1) * WEEK
    again = parse_raw(resampled.content, "again.json")
    assert ([*again.jobs], again.profiles) == ([*resampled.jobs], resampled.profiles)
    assert resampled.content == Resampler(own).resample(seed).content


def test_the_load_is_stated_overall_and_for_the_fullest_week() -> None:
    own = workload(*ENDS, *((200.0 + 4 * WEEK, user) for user in range(78)))
    raw = Resampler(own).resample(1)
    told = msgspec.json.decode(raw.content)["resampled"]
    by_week: dict[int, float] = defaultdict(float)
    for job in raw.jobs:
        # half of the machine for half of a week
        by_week[int((job.subtime - 100) // WEEK)] += 0.25
    assert (told["seed"], told["users"], told["weeks"], told["long_term"]) == (1, 80, WEEKS, 0)
    assert told["load"] == pytest.approx(80 * 0.25 / WEEKS)
    assert told["fullest_week"] == max(by_week.values())


def test_a_resample_has_as_many_warm_up_jobs_as_the_log() -> None:
    own = workload(*ENDS, *((week * WEEK, week) for week in range(1, 30)), wait_time=5)
    content = msgspec.json.decode(own.content)
    for job in content["jobs"][:3]:
        job["warm_up"] = True
    marked = parse_raw(msgspec.json.encode(content), "made.json")
    jobs = msgspec.json.decode(Resampler(marked).resample(4).content)["jobs"]
    assert [job.get("warm_up", False) for job in jobs] == [True] * 3 + [False] * 28
    assert not any("wait_time" in job for job in jobs)


def test_workloads_that_cannot_be_resampled_are_reported() -> None:
    with pytest.raises(ResamplingError, match=r"made\.json: cannot be resampled: .* span 3 days"):
        Resampler(workload((0, 1), (3 * 86400, 1)))
    own = workload(*ENDS)
    with pytest.raises(ResamplingError, match="the seed -1"):
        Resampler(own).resample(-1)
    for copy in (Resampler(own).resample(1), Shaker(own).shake(1)):
        with pytest.raises(
            RedatingError,
            match=r"is already a (perturbed copy|resample); give the original workload",
        ):
            Resampler(copy)
    with pytest.raises(RedatingError, match="is already a resample"):
        Shaker(Resampler(own).resample(1))
