from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.log.past_jobs import END, START, SUBMISSION, past_jobs
from tests.pred_aware.prediction.conftest import make_job, random_jobs


def test_ends_come_before_submissions_and_submissions_before_starts() -> None:
    jobs = past_jobs([make_job(1, 0, 10), make_job(2, 4, 60, wait_time=6.0), make_job(3, 10, 60)])
    at_10 = [(END, 0), (SUBMISSION, 2), (START, 1), (START, 2)]
    assert jobs.events(starts=True)[3:7] == at_10
    # ends of a second are ordered by start and then by submission
    jobs = past_jobs(
        [
            make_job(1, 0, 10, wait_time=10.0),
            make_job(2, 1, 10, wait_time=9.0),
            make_job(3, 2, 15, wait_time=3.0),
        ]
    )
    assert jobs.events(starts=False)[-3:] == [(END, 2), (END, 0), (END, 1)]
    # a job of 0 s ends after its own submission and start
    jobs = past_jobs([make_job(1, 0, 0), make_job(2, 0, 5)])
    found = jobs.events(starts=True)[:5]
    assert found == [(SUBMISSION, 0), (SUBMISSION, 1), (START, 0), (START, 1), (END, 0)]


def test_waits_may_be_missing_and_run_times_exceed_walltimes() -> None:
    jobs = past_jobs([make_job(1, 0, 7, wait_time=-1.0), make_job(2, 3, 7, wait_time=None)])
    assert (jobs.end_times, jobs.without_wait) == ([7.0, 10.0], 1)
    # run times stay beyond the walltime
    assert past_jobs([make_job(1, 0, 100, walltime=60.0)]).run_times == [100.0]


@given(st.integers(0, 2**32))
@settings(max_examples=50)
def test_events_equal_those_sorted_one_by_one(seed: int) -> None:
    jobs = past_jobs(random_jobs(seed, 30))
    plain = []
    for place, submission in enumerate(jobs.submissions):
        start, end = jobs.start_times[place], jobs.end_times[place]
        plain += [
            ((end, 0, start, place), (END, place)),
            ((submission.submit_time, 1, 0.0, place), (SUBMISSION, place)),
            ((start, 2, 0.0, place), (START, place)),
        ]
    assert jobs.events(starts=True) == [event for _, event in sorted(plain)]
