"""The running jobs by their planned ends."""

from schedulers.core.job import Job, Plan


def test_a_removed_job_is_not_in_the_plan() -> None:
    plan = Plan()
    for number, end in enumerate((10.0, 20.0, 10.0)):
        plan.add(Job(f"w0!{number}", 0.0, 1, None, planned_end=end, number=number))
    plan.remove(plan.jobs[1])
    assert [(job.planned_end, job.number) for job in plan.jobs] == [(10.0, 0), (20.0, 1)]
