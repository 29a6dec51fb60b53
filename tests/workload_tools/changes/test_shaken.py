import hashlib
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.log.job_frame import copied_frame, job_frame
from tests.suites import each_case
from workload_tools.batsim.reader import parse_raw
from workload_tools.batsim.workload import RawWorkload, WorkloadError
from workload_tools.changes.redated import RedatedDetails, RedatingError
from workload_tools.changes.shaken import Shaker, ShakingError

HEAD = {"nb_res": 8, "start_time": 844079881, "profiles": {"D": {"type": "delay", "delay": 5}}}


def workload(*jobs: tuple[float, object], **more: object) -> RawWorkload:
    told = [
        {"id": str(number), "subtime": date, "res": 1, "profile": "D", "user_id": user, **more}
        for number, (date, user) in enumerate(jobs)
    ]
    return parse_raw(msgspec.json.encode({**HEAD, "jobs": told}), "made.json")


def dates(raw: RawWorkload) -> dict[Any, float]:
    return {job.id: job.subtime for job in raw.jobs}


def test_each_session_moves_as_a_whole_by_its_own_shift() -> None:
    own = workload((5000, 7), (6200, 7), (7500, 7), (5000, 8))
    shaken = dates(Shaker(own).shake(1))
    shift = {name: shaken[name] - date for name, date in dates(own).items()}
    # 6200 comes 20 minutes after the one before, 7500 later than that
    assert shift["0"] == shift["1"]
    assert len(set(shift.values())) == 3
    assert all(shift.values())


def test_a_column_of_a_field_equals_the_values_of_the_rows() -> None:
    own = workload((5000, 7), (5000, "8"), (9.5, None), (6200, 7), eligible_time=9000.25)
    details = Shaker(own).shake(2).details
    assert isinstance(details, RedatedDetails)
    rows = details.rows()
    assert details.columns("res", "wait_time") == {"res": [row["res"] for row in rows]}
    assert details.columns("wait_time") == {}
    assert details.workload_field("shaken")["of"] == hashlib.sha256(own.content).hexdigest()
    assert details.workload_field("start_time") == HEAD["start_time"]


def test_each_job_without_a_user_is_a_session() -> None:
    assert Shaker(workload((0, None), (1, None), (2, "7"), (3, 7))).sessions == 3


def test_shifts_are_uniform_and_no_date_is_before_the_first() -> None:
    raw = workload((1000, None), *((1100 + 5000 * (n > 500), None) for n in range(1000)))
    moved = [dates(Shaker(raw).shake(seed)) for seed in range(20)]
    assert min(min(shake.values()) for shake in moved) == 1000
    late = [shake[str(n)] - 6100 for shake in moved for n in range(502, 1001)]
    assert (min(late), max(late)) == (-600, 600)
    # deviation 346 over 9,980 draws: 3.5 for the mean
    assert abs(sum(late) / len(late)) < 14
    early = [shake["1"] for shake in moved]
    assert max(early) <= 1700


def test_only_values_that_depend_on_the_dates_change() -> None:
    big = 12345678901234567890123
    raw = workload((0, 1), (5000, 2), wait_time=60, think_time=5, warm_up=True, odd={"a": [big]})
    shaken = Shaker(raw).shake(3)
    content = msgspec.json.decode(shaken.content)
    told = content.pop("shaken")
    assert (told["seed"], told["reach"], told["sessions"]) == (3, 600, 2)
    assert {key: content[key] for key in HEAD} == HEAD
    assert b"12345678901234567890123" in shaken.content
    for job in content["jobs"]:
        assert job["warm_up"] is True
        assert not job.keys() & {"wait_time", "think_time"}


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 9000) | st.floats(0, 9000) | st.just(7), st.none() | st.integers(1, 4)
        ),
        max_size=30,
    ),
    st.integers(0, 2**64),
)
def test_the_simulation_uses_the_values_of_the_json(jobs: list[Any], seed: int) -> None:
    own = workload(*jobs)
    shaken = Shaker(own).shake(seed)
    again = parse_raw(shaken.content, "again.json")
    assert [*again.jobs] == [*shaken.jobs]
    assert again.profiles == shaken.profiles
    assert {job.id for job in own.jobs} == {job.id for job in shaken.jobs}
    assert shaken.content == Shaker(own).shake(seed).content
    for place in range(len(jobs)):
        assert shaken.details.job_fields(place) == again.details.job_fields(place)


def test_a_job_by_index_equals_the_job_in_the_sequence() -> None:
    own = workload((0, 1), (0, 2), (5000, 3), (7000.5, 4))
    shaken = Shaker(own).shake(3)
    alone = [shaken.jobs[place] for place in range(4)]
    assert alone == [*shaken.jobs]
    assert sorted(shaken.free_names["job"]) == sorted(job.id for job in alone)


def test_jobs_are_sorted_by_date_and_ties_keep_their_order() -> None:
    raw = workload(*((9000 + n // 10, 7) for n in reversed(range(40))))
    jobs = Shaker(raw).shake(5).jobs
    assert [job.subtime for job in jobs] == sorted(job.subtime for job in jobs)
    assert [job.id for job in jobs[:10]] == [str(n) for n in range(30, 40)]


def test_dates_keep_their_decimals() -> None:
    raw = workload((5000.1, 1), (5000.3, 1), (9000, 2))
    written = msgspec.json.decode(Shaker(raw).shake(2).content)["jobs"]
    assert [len(str(job["subtime"]).partition(".")[2]) for job in written] == [1, 1, 0]


def test_the_time_for_which_a_job_was_held_stays() -> None:
    own = workload((5000, 7), (5000, 8), eligible_time=5060)
    shaken = Shaker(own).shake(1)
    found = [job["eligible_time"] - job["subtime"] for job in shaken.details.rows()]
    assert found == [60, 60]
    assert {job["subtime"] for job in shaken.details.rows()}.isdisjoint({5000})
    assert job_frame(shaken).equals(copied_frame(job_frame(own), shaken, shaken.details))


@each_case("max_shift", [0.0, -1.0, 0.5, float("nan"), float("inf"), 1e12])
def test_an_invalid_shift_is_refused(max_shift: float) -> None:
    with pytest.raises(ShakingError, match=r"made\.json: cannot be perturbed by .* whole seconds"):
        Shaker(workload((0, 1)), max_shift=max_shift)


def test_a_perturbed_copy_cannot_be_perturbed_again() -> None:
    raw = workload((0, 1))
    with pytest.raises(RedatingError, match="is already a perturbed copy"):
        Shaker(Shaker(raw).shake(1))
    with pytest.raises(ShakingError, match="seed -1"):
        Shaker(raw).shake(-1)


def test_an_invalid_user_is_an_error() -> None:
    with pytest.raises(WorkloadError, match=r"made\.json: cannot be read"):
        Shaker(workload((0, [7])))
