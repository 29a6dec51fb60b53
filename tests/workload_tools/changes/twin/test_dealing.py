from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from tests.workload_tools.changes.twin.synthetic_logs import HOUR, job
from workload_tools.changes.twin.dealing import Session, TwinSession, deal, sessions_of
from workload_tools.job import Job

JOBS = st.lists(
    st.builds(
        job, st.sampled_from(["ann", "bob", "eve", None]), st.integers(0, 500).map(float),
        run_time=st.integers(1, 9).map(float),
    ),
    max_size=40,
).map(lambda jobs: sorted(jobs, key=lambda one: one.submit_time))  # fmt: skip


def dealt(jobs: list[Job], *, few: int, alike: int, seed: int = 1) -> list[TwinSession]:
    sessions = sessions_of(jobs, pause=10.0)
    return list(deal(sessions, few=few, alike=alike, rng=np.random.default_rng(seed)))


def starts(sessions: list[TwinSession] | list[Session]) -> Counter[tuple[str | None, float]]:
    return Counter((session.user, session.start_time) for session in sessions)


def test_a_pause_begins_a_new_session_for_each_user() -> None:
    jobs = [job("ann", 0), job("bob", 5), job("ann", 10), job("ann", 20.5), job("ann", 21)]
    found = sessions_of(jobs, pause=10.0)
    assert [len(session.jobs) for session in found["ann"]] == [2, 2]
    assert found["ann"][1].start_time == 20.5
    assert [len(session.jobs) for session in found["bob"]] == [1]


@settings(max_examples=30)
@given(JOBS, st.integers(1, 4), st.integers(1, 5), st.integers(0, 3))
def test_every_start_and_every_content_is_used_once(
    jobs: list[Job], few: int, alike: int, seed: int
) -> None:
    sessions = [one for own in sessions_of(jobs, pause=10.0).values() for one in own]
    result = dealt(jobs, few=few, alike=alike, seed=seed)
    assert starts(result) == starts(sessions)
    assert starts([one.content for one in result]) == starts(sessions)


@settings(max_examples=30)
@given(JOBS, st.integers(2, 5))
def test_only_a_users_single_session_stays_in_place(jobs: list[Job], alike: int) -> None:
    number = Counter(session.user for session in dealt(jobs, few=1, alike=alike))
    for session in dealt(jobs, few=1, alike=alike):
        assert session.user == session.content.user
        assert session.moved == (number[session.user] > 1)


def test_sessions_are_exchanged_among_those_of_similar_work() -> None:
    jobs = [job("ann", HOUR * n, run_time=(16.0, 1600.0)[n % 2]) for n in range(40)]
    for session in dealt(jobs, few=1, alike=4):
        place, origin = session.start_time / HOUR, session.content.start_time / HOUR
        assert place % 2 == origin % 2
        assert 2 <= abs(place - origin) <= 2 * (2 * 4 + 4)


def test_users_with_few_sessions_exchange_them_with_each_other() -> None:
    jobs = [job(user, HOUR * n) for n, user in enumerate("abcde" + "x" * 10)]
    result = {session.user: session.content.user for session in dealt(jobs, few=3, alike=5)}
    assert result.pop("x") == "x"
    assert set(result) == set(result.values()) == set("abcde")
    assert all(user != content for user, content in result.items())


@each_case("few", [1, 3])
def test_with_groups_of_one_session_nothing_is_exchanged(few: int) -> None:
    jobs = [job(user, HOUR * n) for n, user in enumerate("abcabcab")]
    assert not any(session.moved for session in dealt(jobs, few=few, alike=1))


def test_the_same_seed_gives_the_same_exchange() -> None:
    jobs = [job("ann", HOUR * n) for n in range(30)]
    assert dealt(jobs, few=1, alike=8) == dealt(jobs, few=1, alike=8)
    assert dealt(jobs, few=1, alike=8) != dealt(jobs, few=1, alike=8, seed=2)
