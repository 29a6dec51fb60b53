"""The row of ``_schedule.csv``, by Batsim's rules.

In its means a job that was rejected counts as one of 0 s. What is shown to people is made over the
jobs that ran, in `pred_aware.metrics.figures`.
"""

import math

import numpy as np

from pred_aware.simulator.ended_jobs import EndedJobs

BATSIM_VERSION = "4.2.1"
"""The version of Batsim whose behaviour and files these are."""


def summarize(past: EndedJobs, processors: int) -> dict[str, float | int | str]:
    """Return the columns of ``_schedule.csv`` but for the measured ones, in alphabetic order.

    Sums are made in the order of the jobs with the C compiler's ``long double``, as Batsim makes
    them. Times are in seconds, means over all jobs, the rejected ones too (0 without any);
    `time_idle` and `time_computing` in processor seconds, up to each machine's last change of
    state.
    """
    ran = len(past.end)
    jobs = ran + past.rejected
    submit, start, end = (
        np.asarray(dates).astype(np.longdouble) for dates in (past.submit, past.start, past.end)
    )
    waiting = start - submit
    turnaround = end - submit
    execution = end - start
    slowdown = turnaround / execution
    computing = float((execution * np.asarray(past.sizes)).sum())
    return {
        "batsim_version": BATSIM_VERSION,
        "consumed_joules": 0.0,
        "makespan": _largest(end),
        "max_slowdown": _largest(slowdown),
        "max_turnaround_time": _largest(turnaround),
        "max_waiting_time": _largest(waiting),
        "mean_slowdown": _mean(slowdown, jobs),
        "mean_turnaround_time": _mean(turnaround, jobs),
        "mean_waiting_time": _mean(waiting, jobs),
        "nb_computing_machines": processors,
        "nb_grouped_switches": 0,
        "nb_jobs": jobs,
        "nb_jobs_finished": ran,
        "nb_jobs_killed": ran - past.successful,
        "nb_jobs_rejected": past.rejected,
        "nb_jobs_success": past.successful,
        "nb_machine_switches": 0,
        "success_rate": past.successful / jobs if jobs else 0.0,
        "time_computing": computing,
        "time_idle": _last_changes(past, processors) - computing,
        "time_sleeping": 0.0,
        "time_switching_off": 0.0,
        "time_switching_on": 0.0,
        "time_unavailable": 0.0,
    }


def _mean(values: np.ndarray, number: int) -> float:
    if not len(values):
        return 0.0
    # cumsum adds one after the other, as Batsim does; sum would add in pairs
    return float(values.cumsum()[-1]) / number


def _largest(values: np.ndarray) -> float:
    return float(values.max()) if len(values) else 0.0


def _last_changes(past: EndedJobs, processors: int) -> float:
    """Sum over the machines the date of the last change of state, 0 for one never used."""
    seen = bytearray(processors)
    missing = processors
    dates = []
    for place in np.argsort(past.end, kind="stable")[::-1].tolist():
        for first, last in past.intervals[place]:
            new = seen.count(0, first, last + 1)
            if new:
                seen[first : last + 1] = b"\1" * (last - first + 1)
                dates.append(past.end[place] * new)
                missing -= new
        if not missing:
            break
    return math.fsum(dates)
