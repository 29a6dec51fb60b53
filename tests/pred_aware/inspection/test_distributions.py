from pred_aware.inspection.columns import accuracy_of
from pred_aware.inspection.inspection import busiest_users
from tests.pred_aware.inspection.synthetic_logs import columns_of, job


def test_r_is_told_over_the_jobs_with_a_walltime() -> None:
    run_times = (10.0, 50.0, 100.0, 300.0)
    jobs = (job(0, run_time=run_time, walltime=100.0) for run_time in run_times)
    accuracy = accuracy_of(columns_of(*jobs, job(0, run_time=300.0)))
    assert accuracy is not None
    assert (accuracy.jobs, accuracy.median) == (4, 0.5)
    assert (accuracy.below[2], accuracy.below[10], accuracy.below[20]) == (0.25, 0.5, 0.75)
    assert (accuracy.at_walltime, accuracy.beyond) == (0.25, 0.25)
    assert accuracy.work_beyond == 200 / 760
    assert accuracy.walltimes == ((100.0, 1.0),)
    # without walltimes there is no r
    assert accuracy_of(columns_of(job(0))) is None


def test_the_user_who_used_most_is_listed_though_ten_submitted_more() -> None:
    many = [job(0, user=f"u{number}") for number in range(12) for _ in range(3)]
    users = busiest_users(columns_of(*many, job(1, user="long", run_time=1e6, walltime=2e6)))
    assert [user.name for user in users] == [*(f"u{number}" for number in range(10)), "long"]
    assert users[-1].share_of_work > 0.99
    assert users[-1].median_ratio == 0.5


def test_what_is_known_of_how_many_jobs_is_counted() -> None:
    log = columns_of(job(0, queue="q", status=1), job(1, partition="p", state="TIMEOUT"))
    assert (log.known["queue"], log.known["user"], log.known["gpus"]) == (1, 2, 0)
    assert log.states == {"completed": 1, "TIMEOUT": 1}
    assert log.queues == {"q": 1, "p": 1}
