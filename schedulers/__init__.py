"""Scheduling policies: combinations of order, backfilling rule, estimates, correction, machine."""

from typing import TYPE_CHECKING

from predictors.on_demand import on_demand
from schedulers.errors import SchedulerError

if TYPE_CHECKING:
    from schedulers.combinations import COMBINATIONS, Combination
    from schedulers.core.job import Job
    from schedulers.decisions import Decision, Policy, Request
    from schedulers.factory import POLICIES, make_policy, scheduler_names
    from workload_tools.batsim.decisions import CallLater, Execute, Reject

__all__ = [
    "COMBINATIONS",
    "POLICIES",
    "CallLater",
    "Combination",
    "Decision",
    "Execute",
    "Job",
    "Policy",
    "Reject",
    "Request",
    "SchedulerError",
    "make_policy",
    "scheduler_names",
]

__getattr__ = on_demand(__name__)
