"""The running jobs by their planned ends."""

from schedulers.backfilling.plan import Plan
from schedulers.job import Job


def test_a_job_that_is_removed_is_not_planned_with() -> None:
    plan = Plan()
    for number, end in enumerate((10.0, 20.0, 10.0)):
        plan.add(Job(f"w0!{number}", 0.0, 1, None, planned_end=end, number=number))
    plan.remove(plan.ends[1][2])
    assert [(end, number) for end, number, _ in plan.ends] == [(10.0, 0), (20.0, 1)]
