"""The recorded queue beside the simulated baseline, and the consequences for comparisons."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from pred_aware.recorded_queue.answer import FEWEST, KNOWN, answer_of
from pred_aware.recorded_queue.clues import clues
from pred_aware.recorded_queue.figures import QueueFigures
from pred_aware.recorded_queue.likeness import likeness
from pred_aware.recorded_queue.recorded_jobs import RecordedJobs, recorded, tells_waits
from pred_aware.recorded_queue.schedule import MachineSchedule
from pred_aware.recorded_queue.sentences import baseline_sentence, baseline_sentences
from pred_aware.recorded_queue.stretches import by_group, stretches
from pred_aware.recorded_queue.tables import tables
from pred_aware.recorded_queue.waits import distance, rank_correlation, submitted_early, waits_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.report.table import Table
    from pred_aware.runs.run import Run


class BaselineCheck(QueueFigures):
    """The waits that a log recorded beside those of a simulated baseline, and what they mean.

    It is made by `pred_aware.check_baseline`. Where the answer is ``unknown`` because there is
    nothing to compare, `recorded` and what follows are ``None`` or empty.
    """

    __slots__ = ()

    @property
    def sentence(self) -> str:
        """The answer with its figures, for every comparison that is built on the baseline."""
        return baseline_sentence(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be said: a guessed size first, the answer, and what the log shows."""
        return baseline_sentences(self)

    def tables(self) -> "list[Table]":
        """Return what is compared as tables; none where there is nothing to compare."""
        return tables(self)

    def plot(self) -> "Figure":
        """Draw machine, queue and waits, recorded and simulated.

        Raises
        ------
        PredAwareError
            There is nothing to compare.
        """
        from pred_aware.recorded_queue.pictures import figure_of

        return figure_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the check as it is written to JSON; times in seconds, shares from 0 to 1."""
        told = asdict(self)
        for side in ("recorded", "simulated"):
            if told[side] is not None:
                del told[side]["curve"]
        del told["over_time"]
        return {**told, "base": self.base, "points": self.points, "in_words": list(self.sentences)}

    def __repr__(self) -> str:
        """Name the baseline and the answer."""
        return f"<BaselineCheck of {self.baseline} on {self.log}: {self.answer}>"


def check_baseline(run: "Run", *, workload: "Workload | None" = None) -> BaselineCheck:
    """Compare the waits of a simulated baseline with those that the log recorded.

    Parameters
    ----------
    run
        The baseline.
    workload
        What was simulated; by default the run's own. It is as `pred-aware convert` writes it, with
        the recorded waits under ``wait_time``.

    Returns
    -------
    BaselineCheck
        With the answer ``unknown`` where the waits are not at hand.

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
"""What was found of runs and workloads: campaigns, comparisons and studies ask for the same."""


def _compared(run: "Run", workload: "Workload | None") -> BaselineCheck:
    """Compare a run's waits with those that are recorded; see `check_baseline`."""
    name = run.name
    if workload is None:
        return BaselineCheck(
            baseline=name, log="the log", answer="unknown", reason="the workload is not at hand"
        )
    log = workload.name
    if not tells_waits(workload):
        return BaselineCheck(
            baseline=name, log=log, answer="unknown", reason="no waits are recorded"
        )
    told = recorded(workload)
    if not len(run.column("waiting_time", whole=True)):
        return BaselineCheck(baseline=name, log=log, answer="unknown", reason="no job ran")
    machine = run.machine_processors or told.machine or run.processors
    matched = _matched(told, run)
    compared = int(matched.both.sum())
    reason = _too_little(compared, of=matched.counted)
    if reason:
        return BaselineCheck(baseline=name, log=log, answer="unknown", reason=reason)
    return _checked(name, log, told, matched, machine)


@dataclass(frozen=True, slots=True)
class _Matched:
    """The jobs of a workload as a run has them, in the workload's order."""

    simulated_wait: "NDArray[np.float64]"
    simulated_run: "NDArray[np.float64]"
    """Seconds, shape (jobs,); not a number for jobs that did not run."""
    both: "NDArray[np.bool_]"
    """Which jobs count, ran, and have a recorded wait."""
    counted: int
    """How many count and ran."""


def _matched(told: RecordedJobs, run: "Run") -> _Matched:
    import pandas as pd

    own = run.ids_of_whole
    places = own.get_indexer(pd.Index(told.ids))
    # behind those of the warm-up
    counted = np.arange(len(own)) >= len(own) - len(run.column("waiting_time"))
    ran = places >= 0
    wait, lasted = (
        np.where(ran, run.column(column, whole=True)[places], np.nan)
        for column in ("waiting_time", "execution_time")
    )
    counts = ran & counted[places]
    return _Matched(wait, lasted, counts & told.known, int(counts.sum()))


def _too_little(compared: int, *, of: int) -> str:
    if compared < KNOWN * of:
        return f"the log tells the waits of only {compared:,} of {of:,} jobs"
    if compared < FEWEST:
        return f"{compared:,} jobs are too few to tell"
    return ""


def _checked(
    name: str, log: str, told: RecordedJobs, matched: _Matched, machine: int
) -> BaselineCheck:
    known = told.known
    dated = np.where(known, told.wait_time, np.nan)
    both = matched.both & ~submitted_early(told.submit_time, dated)[0]
    if int(both.sum()) < FEWEST:
        both = matched.both
    ran = np.isfinite(matched.simulated_wait)
    started = told.submit_time + told.wait_time, told.submit_time + matched.simulated_wait
    real = MachineSchedule(
        submit_time=told.submit_time[known],
        start_time=started[0][known],
        end_time=(started[0] + told.run_time)[known],
        processors=told.processors[known],
        walltime=told.walltime[known],
        machine=machine,
    )
    simulated = MachineSchedule(
        submit_time=told.submit_time[ran],
        start_time=started[1][ran],
        end_time=(started[1] + matched.simulated_run)[ran],
        processors=told.taken[ran],
        walltime=told.walltime[ran],
        machine=machine,
    )
    pairs = told.wait_time[both], matched.simulated_wait[both]
    waits = waits_of(pairs[0]), waits_of(pairs[1])
    ranks, apart = rank_correlation(*pairs), distance(*pairs)
    order = np.argsort(told.submit_time[both], kind="stable")
    later = order[len(order) // 2 :]
    time_beyond, work_beyond = real.beyond()
    groups_by = next((kind for kind in ("queue", "partition") if kind in told.labels), "")
    last = float(told.submit_time.max())
    return BaselineCheck(
        baseline=name,
        log=log,
        answer=answer_of(*waits, ranks=ranks, apart=apart, work_beyond=work_beyond),
        processors=machine,
        guessed=told.guessed and told.machine == machine,
        recorded=waits[0],
        simulated=waits[1],
        ranks=ranks,
        apart=apart,
        time_beyond=time_beyond,
        work_beyond=work_beyond,
        most_busy=round(real.most_busy),
        recorded_clues=clues(
            real, labels={kind: named.of_jobs(known) for kind, named in told.labels.items()}
        ),
        **stretches(real, simulated, submitted=told.submit_time[both], waits=pairs, last=last),
        second_half=likeness(pairs[0][later], pairs[1][later]),
        groups_by=groups_by,
        groups=by_group(told.labels[groups_by].of_jobs(both), *pairs) if groups_by else (),
    )
