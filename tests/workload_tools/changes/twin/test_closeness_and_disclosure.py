from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workload_tools.changes.twin.synthetic_logs import HOUR, job, twin_of
from tests.workload_tools.jobs import beginning
from workload_tools.changes.twin import TwinLog, TwinOptions, closeness, disclosure
from workload_tools.changes.twin.twin_log import TwinPair
from workload_tools.formats import open_log
from workload_tools.job import Job


def users(*counts: int, **fields: object) -> list[Job]:
    """Make jobs a day apart, so many for each user."""
    names = [f"u{user}" for user, count in enumerate(counts) for _ in range(count)]
    return [
        job(name, 24 * HOUR * n, run_time=100.0 + n, processors=1 + n % 3, **fields)
        for n, name in enumerate(names)
    ]


def test_the_distance_of_a_log_from_itself_is_zero() -> None:
    close = closeness(twin_of(users(5, 7)).pairs)
    assert [distance.kolmogorov_smirnov for distance in close.distances] == [0.0] * 5
    assert [distance.typical_factor for distance in close.distances] == [1.0] * 5
    assert (close.work, close.span) == (1.0, 1.0)
    assert all(one.original == one.twin for one in close.correlations)


def test_distances_equal_those_computed_by_hand() -> None:
    # sizes 1, 1, 1, 10: the rare 10 becomes 1
    jobs = [job(user, HOUR * n, processors=10 if n == 3 else 1) for n, user in enumerate("abca")]
    close = closeness(twin_of(jobs, few=3).pairs)
    sizes = close.distances[0]
    assert (sizes.name, sizes.kolmogorov_smirnov) == ("processors", 0.25)
    assert sizes.typical_factor == pytest.approx(10**0.25)
    assert (sizes.original_mean, sizes.twin_mean) == (3.25, 1.0)
    assert close.work == 4 / 13


def test_a_field_that_the_log_lacks_has_no_distance() -> None:
    close = closeness(twin_of(users(5, walltime=None)).pairs)
    by_name = {distance.name: distance for distance in close.distances}
    assert by_name["walltime"].kolmogorov_smirnov is None
    assert by_name["ratio"].original_mean is None
    assert by_name["run_time"].kolmogorov_smirnov == 0.0


def test_an_unchanged_log_reveals_everything() -> None:
    revealed = disclosure(twin_of(users(5, 7)).pairs)
    assert (revealed.jobs, revealed.users, revealed.known_by_count) == (12, 2, 2)
    assert revealed.copied == revealed.same_second == revealed.in_place == 1.0
    assert revealed.found == revealed.found_right == 1.0


def test_users_with_equal_numbers_of_jobs_are_not_identified_by_it() -> None:
    assert disclosure(twin_of(users(5, 5, 7)).pairs).known_by_count == 1


def test_exchanged_jobs_are_not_found_at_their_old_place() -> None:
    revealed = disclosure(twin_of(users(6), alike=6).pairs)
    assert (revealed.copied, revealed.same_second) == (1.0, 1.0)
    assert revealed.in_place == revealed.found_right == 0.0


def test_a_job_is_found_within_an_hour_and_a_tenth_of_its_run_time() -> None:
    jobs = [job("a", 0.0, run_time=100.0), job("b", 2 * HOUR), job("c", 2.5 * HOUR, run_time=66.0)]
    revealed = disclosure(twin_of(jobs).pairs)
    assert revealed.found == 1.0
    # the second and the third are taken for each other
    assert revealed.found_right == pytest.approx(1 / 3)


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 1800.0, 3600.0, 3601.0, 9000.0]),
            st.sampled_from([0.0, 1e-4, 0.9, 1.0, 9.0, 10.0, 11.0, 12.1, 90.0, 100.0, 110.0]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_jobs_are_found_as_by_comparing_all_pairs(made: list[tuple[float, float]]) -> None:
    jobs = [job("a", at, run_time=run_time) for at, run_time in made]
    pairs = twin_of(jobs, noise=0.1).pairs
    found = [
        [
            other
            for other in pairs
            if abs(other.twin.submit_time - pair.original.submit_time) <= HOUR
            and abs(other.twin.run_time - pair.original.run_time) <= 0.1 * pair.original.run_time
        ]
        for pair in pairs
    ]
    revealed = disclosure(pairs)
    assert revealed.found == sum(map(bool, found)) / len(pairs)
    right = [
        one for one, pair in zip(found, pairs, strict=True) if len(one) == 1 and one[0] is pair
    ]
    assert revealed.found_right == len(right) / len(pairs)


def test_a_flurry_in_one_second_is_compared_quickly() -> None:
    # comparing all with all would be a thousand million comparisons
    jobs = [job("a", 0.0)] * 30_000
    assert disclosure([TwinPair(one, one, "a", moved=False) for one in jobs]).found == 1.0


def test_the_twin_of_kth_is_close_and_reveals_little(shared: Path, tmp_path: Path) -> None:
    path = beginning(shared / "traces/KTH-SP2-1996-2.1-cln.swf.gz", tmp_path)
    twin = TwinLog(open_log(path), options=TwinOptions())
    list(twin.jobs())
    close, revealed = closeness(twin.pairs), disclosure(twin.pairs)
    assert all((one.kolmogorov_smirnov or 0.0) < 0.02 for one in close.distances)
    assert close.work == pytest.approx(1.0, abs=0.02)
    assert revealed.in_place == 0.0
    assert revealed.found_right < 0.015
    assert revealed.same_second < 0.01


def test_a_single_job_has_no_distribution() -> None:
    close = closeness(twin_of(users(1)).pairs)
    assert {distance.kolmogorov_smirnov for distance in close.distances} == {None}
    assert {one.original for one in close.correlations} == {None}
