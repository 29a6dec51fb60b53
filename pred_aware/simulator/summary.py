"""The figures of a whole schedule."""

import math

import numpy as np

from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob

BATSIM_VERSION = "4.2.1"
"""The version of Batsim whose behaviour and files these are."""

BOUND = 10.0
"""Run times below this count as this in the bounded slowdown, in seconds."""


def summarize(jobs: list[SimulatedJob], processors: int) -> dict[str, float | int | str]:
    """Compute the columns of ``_schedule.csv`` (but for the measured ones) from the ended jobs.

    Sums are made in the order of the jobs with the C compiler's ``long double``, as Batsim makes
    them. The mean of no jobs is 0.

    Returns
    -------
    dict
        In alphabetic order. Times in seconds; `time_idle` and `time_computing` in processor
        seconds, up to each machine's last change of state.
    """
    ran = [job for job in jobs if job.state is not REJECTED]
    success = sum(job.state is JobState.COMPLETED_SUCCESSFULLY for job in ran)
    submit, start, end = _times(ran)
    waiting = start - submit
    turnaround = end - submit
    slowdown = turnaround / (end - start)
    computing = math.fsum([(job.end - job.start) * job.processors for job in ran])
    return {
        "batsim_version": BATSIM_VERSION,
        "consumed_joules": 0.0,
        "makespan": _largest(end),
        "max_slowdown": _largest(slowdown),
        "max_turnaround_time": _largest(turnaround),
        "max_waiting_time": _largest(waiting),
        "mean_slowdown": _mean(slowdown, len(jobs)),
        "mean_turnaround_time": _mean(turnaround, len(jobs)),
        "mean_waiting_time": _mean(waiting, len(jobs)),
        "nb_computing_machines": processors,
        "nb_grouped_switches": 0,
        "nb_jobs": len(jobs),
        "nb_jobs_finished": len(ran),
        "nb_jobs_killed": len(ran) - success,
        "nb_jobs_rejected": len(jobs) - len(ran),
        "nb_jobs_success": success,
        "nb_machine_switches": 0,
        "success_rate": success / len(jobs) if jobs else 0.0,
        "time_computing": computing,
        "time_idle": _last_changes(ran, processors) - computing,
        "time_sleeping": 0.0,
        "time_switching_off": 0.0,
        "time_switching_on": 0.0,
        "time_unavailable": 0.0,
    }


def bounded_slowdown(jobs: list[SimulatedJob]) -> dict[str, float]:
    """Compute mean and maximum of the bounded slowdown, max(1, (wait + run) / max(run, 10 s)).

    Over the jobs that ran (paper 000, equation 2, tau = 10 s); 0 when none did.
    """
    submit, start, end = _times([job for job in jobs if job.state is not REJECTED])
    bounded = np.maximum((end - submit) / np.maximum(end - start, BOUND), 1.0)
    return {
        "mean_bounded_slowdown": _mean(bounded, len(bounded)),
        "max_bounded_slowdown": _largest(bounded),
    }


def _times(ran: list[SimulatedJob]) -> list[np.ndarray]:
    return [
        np.array(dates, dtype=np.longdouble)
        for dates in (
            [job.submit_time for job in ran],
            [job.start for job in ran],
            [job.end for job in ran],
        )
    ]


def _mean(values: np.ndarray, number: int) -> float:
    if not number:
        return 0.0
    # cumsum adds one after the other, as Batsim does; sum would add in pairs
    return float(values.cumsum()[-1]) / number if len(values) else 0.0


def _largest(values: np.ndarray) -> float:
    return float(values.max()) if len(values) else 0.0


def _last_changes(ran: list[SimulatedJob], processors: int) -> float:
    """Sum over the machines the date of the last change of state, 0 for one never used."""
    seen = bytearray(processors)
    missing = processors
    dates = []
    for job in sorted(ran, key=lambda job: job.end, reverse=True):
        for first, last in job.intervals:
            new = seen.count(0, first, last + 1)
            if new:
                seen[first : last + 1] = b"\1" * (last - first + 1)
                dates.append(job.end * new)
                missing -= new
        if not missing:
            break
    return math.fsum(dates)
