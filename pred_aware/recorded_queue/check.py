"""Compare the recorded queue with a simulated baseline."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from pred_aware.recorded_queue.baseline_check import BaselineCheck
from pred_aware.recorded_queue.limits import clues
from pred_aware.recorded_queue.recorded_jobs import RecordedJobs, has_recorded_waits, recorded
from pred_aware.recorded_queue.stretches import by_group, stretches
from pred_aware.recorded_queue.trust import FEWEST, KNOWN, answer_of
from pred_aware.recorded_queue.waits import (
    distance,
    rank_correlation,
    similarity,
    submitted_early,
    waits_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.runs.run import Run


def check_baseline(run: "Run", *, workload: "Workload | None" = None) -> BaselineCheck:
    """Compare the waits of a simulated baseline with the waits that the log recorded.

    Parameters
    ----------
    run
        The baseline.
    workload
        The simulated workload; by default, the workload of the run. The field ``wait_time`` has the
        recorded waits; `pred-aware convert` writes this field.

    Returns
    -------
    BaselineCheck
        The comparison, with the answer ``unknown`` if the recorded waits are missing.

    Examples
    --------
    >>> from pred_aware import Workload, simulate
    >>> jobs = [
    ...     {"id": i, "subtime": 30 * i, "res": 4, "walltime": 60, "profile": "d", "wait_time": 0}
    ...     for i in range(200)
    ... ]
    >>> profiles = {"d": {"type": "delay", "delay": 40}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> check = check_baseline(simulate(workload, "easy"))
    >>> check.answer, check.most_busy
    ('impossible', 8)
    """
    workload = workload or run.workload
    known = _known.get(run)
    if known is None or known[0] is not workload or known[1].baseline != run.name:
        known = _known[run] = workload, _compared(run, workload)
    return known[1]


_known: "WeakKeyDictionary[Run, tuple[Workload | None, BaselineCheck]]" = WeakKeyDictionary()
"""The checks of runs, which are stored because campaigns, comparisons and studies repeat them."""


def _compared(run: "Run", workload: "Workload | None") -> BaselineCheck:
    """Compare a run's waits with the recorded waits; see `check_baseline`."""
    name, log = run.name, "the log" if workload is None else workload.name
    unknown = partial(BaselineCheck, baseline=name, log=log, answer="unknown")
    if workload is None:
        return unknown(reason="the workload is missing")
    if not has_recorded_waits(workload):
        return unknown(reason="no waits are recorded")
    log_jobs = recorded(workload)
    if not len(run.column("waiting_time", whole=True)):
        return unknown(reason="no job ran")
    machine = run.machine_processors or log_jobs.machine or run.processors
    matched = _matched(log_jobs, run)
    compared = int(matched.both.sum())
    reason = _too_little(compared, of=matched.counted)
    if reason:
        return unknown(reason=reason)
    return _checked(name, log, log_jobs, matched, machine)


@dataclass(frozen=True, slots=True)
class _SimulatedResults:
    """The results of a run for the jobs of a workload, in the workload's order."""

    simulated_wait: "NDArray[np.float64]"
    simulated_run: "NDArray[np.float64]"
    """Waits and run times in seconds, shape (jobs,); NaN for jobs that did not run."""
    both: "NDArray[np.bool_]"
    """Whether each job came after the warm-up, ran, and has a recorded wait."""
    counted: int
    """Number of jobs that came after the warm-up and ran."""


def _matched(log_jobs: RecordedJobs, run: "Run") -> _SimulatedResults:
    import pandas as pd

    simulated_ids = run.ids_of_whole
    places = simulated_ids.get_indexer(pd.Index(log_jobs.ids))
    # warm-up jobs come first and are not compared
    counted = np.arange(len(simulated_ids)) >= len(simulated_ids) - len(run.column("waiting_time"))
    ran = places >= 0
    wait, lasted = (
        np.where(ran, run.column(column, whole=True)[places], np.nan)
        for column in ("waiting_time", "execution_time")
    )
    counts = ran & counted[places]
    return _SimulatedResults(wait, lasted, counts & log_jobs.known, int(counts.sum()))


def _too_little(compared: int, *, of: int) -> str:
    if compared < KNOWN * of:
        return f"the log has the waits of only {compared:,} of {of:,} jobs"
    if compared < FEWEST:
        return f"{compared:,} jobs are too few for a comparison"
    return ""


def _checked(
    name: str, log: str, log_jobs: RecordedJobs, matched: _SimulatedResults, machine: int
) -> BaselineCheck:
    known = log_jobs.known
    dated = np.where(known, log_jobs.wait_time, np.nan)
    both = matched.both & ~submitted_early(log_jobs.submit_time, dated)[0]
    if int(both.sum()) < FEWEST:
        both = matched.both
    ran = np.isfinite(matched.simulated_wait)
    real = log_jobs.schedule(known, machine)
    jobs = replace(log_jobs, wait_time=matched.simulated_wait, run_time=matched.simulated_run)
    simulated = replace(jobs, processors=log_jobs.taken).schedule(ran, machine)
    pairs = log_jobs.wait_time[both], matched.simulated_wait[both]
    waits = waits_of(pairs[0]), waits_of(pairs[1])
    ranks, apart = rank_correlation(*pairs), distance(*pairs)
    order = np.argsort(log_jobs.submit_time[both], kind="stable")
    later = order[len(order) // 2 :]
    time_beyond, work_beyond = real.beyond()
    groups_by = next((kind for kind in ("queue", "partition") if kind in log_jobs.labels), "")
    last = float(log_jobs.submit_time.max())
    whole, over_time = stretches(
        real, simulated, submitted=log_jobs.submit_time[both], waits=pairs, last=last
    )
    return BaselineCheck(
        baseline=name,
        log=log,
        answer=answer_of(*waits, ranks=ranks, apart=apart, work_beyond=work_beyond),
        processors=machine,
        guessed=log_jobs.guessed and log_jobs.machine == machine,
        recorded=waits[0],
        simulated=waits[1],
        ranks=ranks,
        apart=apart,
        time_beyond=time_beyond,
        work_beyond=work_beyond,
        most_busy=round(real.most_busy),
        recorded_clues=clues(
            real, labels={kind: named.of_jobs(known) for kind, named in log_jobs.labels.items()}
        ),
        whole=whole,
        over_time=over_time,
        second_half=similarity(pairs[0][later], pairs[1][later]),
        groups_by=groups_by,
        groups=by_group(log_jobs.labels[groups_by].of_jobs(both), *pairs) if groups_by else (),
    )
