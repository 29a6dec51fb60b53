"""Decision processes: policies made of order, backfilling, estimates, correction, allocation."""

from schedulers.combinations import COMBINATIONS, Combination
from schedulers.decisions import CallAt, Decision, Policy, Refuse, Request, Start
from schedulers.errors import SchedulerError
from schedulers.factory import make_policy
from schedulers.job import Job

__all__ = [
    "COMBINATIONS",
    "CallAt",
    "Combination",
    "Decision",
    "Job",
    "Policy",
    "Refuse",
    "Request",
    "SchedulerError",
    "Start",
    "make_policy",
]
