"""Report past jobs to an order that counts usage."""

import math
from collections.abc import Iterable

from predictors.submission import PastJob
from schedulers.core.job import Job
from schedulers.core.orders import Order
from workload_tools.batsim.fields import BATSIM_NAMES

_FIELDS = ("user", "group", "project", "queue", "partition", "nodes", "gpus", "memory", "qos")
_END, _START = 0, 1


def report_past(order: Order, past: Iterable[PastJob]) -> None:
    """Report the starts and ends of past jobs to an order, sorted by date.

    Jobs without a known end or with the run time 0 are left out.
    """
    events: list[tuple[float, int, int, Job]] = []
    for number, past_job in enumerate(past):
        end = past_job.end
        if end is None or not math.isfinite(end) or past_job.run_time <= 0.0:
            continue
        job = _job(past_job, f"past!{number}")
        events += (end - past_job.run_time, _START, number, job), (end, _END, number, job)
    reports = getattr(order, "ended", None), getattr(order, "started", None)
    # at one date, ends come before starts
    for date, kind, _, job in sorted(events, key=lambda event: event[:3]):
        if (report := reports[kind]) is not None:
            report(job, date)


def _job(past_job: PastJob, name: str) -> Job:
    submission = past_job.submission
    fields = {BATSIM_NAMES.get(key, key): getattr(submission, key) for key in _FIELDS}
    return Job(
        name,
        submission.submit_time,
        submission.processors,
        submission.walltime,
        fields={key: value for key, value in fields.items() if value is not None},
    )
