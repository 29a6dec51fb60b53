"""The recorded queue beside the simulated base, and what follows for comparisons built on it."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.recorded_queue.answer import FEWEST, KNOWN, Answer, answered
from pred_aware.recorded_queue.clues import Clues, clues
from pred_aware.recorded_queue.recorded import Recorded, recorded, tells_waits
from pred_aware.recorded_queue.schedule import Schedule
from pred_aware.recorded_queue.stretches import Group, Stretch, by_group, stretches
from pred_aware.recorded_queue.waits import Waits, distance, rank_correlation, waits_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from pred_aware.log.workload import Workload
    from pred_aware.report.table import Table
    from pred_aware.runs.run import Run


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BaseCheck:
    """The waits that a log recorded beside those of a simulated base, and what they mean.

    It is made by `pred_aware.recorded_queue.check_base`. Where the answer is ``unknown`` because
    there is nothing to compare, `recorded` and what follows are ``None`` or empty.

    Parameters
    ----------
    base, log
        What the run and its workload are called.
    answer
        ``alike``; ``shorter``, ``longer``: the simulated waits are; ``others``: as long, but other
        jobs wait; ``little``: hardly any job waits in either, so there is nothing to compare;
        ``impossible``: the recorded ones can't be right; ``unknown``.
    reason
        Why it is unknown; else empty.
    processors, guessed
        The machine's size, and whether that is only what was seen busy at once.
    recorded, simulated
        How long the jobs wait whose recorded wait is known and that ran in the base.
    ranks
        Spearman's rank correlation of the two, over the jobs.
    apart
        Kolmogorov's distance of the two distributions.
    time_beyond, work_beyond
        Shares of the time and of the work in which, by the recorded dates, more processors were
        busy than there are.
    most_busy
        The highest number then.
    recorded_clues, simulated_clues
        What the dates show of why jobs wait.
    whole, weeks, over_time
        The machine and the queue, recorded and simulated: from the first submission to the last, by
        week, and in the steps of the picture.
    groups_by, groups
        ``queue`` or ``partition``, and the waits in each; empty where the log names none.
    """

    base: str
    log: str
    answer: Answer
    reason: str = ""
    processors: int | None = None
    guessed: bool = False
    recorded: Waits | None = None
    simulated: Waits | None = None
    ranks: float | None = None
    apart: float | None = None
    time_beyond: float = 0.0
    work_beyond: float = 0.0
    most_busy: int = 0
    recorded_clues: Clues | None = None
    simulated_clues: Clues | None = None
    whole: Stretch | None = None
    weeks: tuple[Stretch, ...] = ()
    over_time: tuple[Stretch, ...] = ()
    groups_by: str = ""
    groups: tuple[Group, ...] = ()

    @property
    def sentence(self) -> str:
        """The answer with its figures, for every comparison that is built on the base."""
        from pred_aware.recorded_queue.in_words import sentence

        return sentence(self)

    @property
    def about_size(self) -> str:
        """That the machine's size is a guess, where it is; else nothing."""
        from pred_aware.recorded_queue.in_words import guessed_size

        known = self.guessed and self.processors is not None
        return guessed_size(self.processors) if known else ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be said: a guessed size first, the answer, and what the log shows."""
        from pred_aware.recorded_queue.in_words import sentences

        return sentences(self)

    @property
    def is_our_queue(self) -> bool | None:
        """Whether the base is the queue that the log recorded; ``None`` where nobody knows."""
        known = self.answer not in {"unknown", "impossible", "little"}
        return self.answer == "alike" if known else None

    @property
    def warns(self) -> bool:
        """Whether what is built on the base is about another queue, or the log can't be right."""
        return self.is_our_queue is False or self.answer == "impossible"

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each figure, a column each for the recorded and the simulated; in seconds."""
        import pandas as pd

        sides = {
            name: {} if waits is None else {"jobs": waits.jobs, "mean": waits.mean,
                                            **waits.quantiles, "longest": waits.longest}
            for name, waits in (("recorded", self.recorded), ("simulated", self.simulated))
        }  # fmt: skip
        return pd.DataFrame(sides, dtype="float64").rename_axis("wait")

    def tables(self) -> "list[Table]":
        """Return what is compared as tables; none where there is nothing to compare."""
        from pred_aware.recorded_queue.tables import tables

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
        return {**told, "in_words": list(self.sentences)}

    def __repr__(self) -> str:
        """Name the base and the answer."""
        return f"<BaseCheck of {self.base} on {self.log}: {self.answer}>"


def check_base(run: "Run", *, workload: "Workload | None" = None) -> BaseCheck:
    """Compare the waits of a simulated base with those that the log recorded.

    Parameters
    ----------
    run
        The base.
    workload
        What was simulated; by default the run's own. It is as `pred-aware convert` writes it, with
        the recorded waits under ``wait_time``.

    Returns
    -------
    BaseCheck
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
    >>> check = check_base(simulate(workload, "easy"))
    >>> check.answer, check.most_busy
    ('impossible', 8)
    """
    workload = workload or run.workload
    name = run.name
    if workload is None:
        return BaseCheck(
            base=name, log="the log", answer="unknown", reason="the workload is not at hand"
        )
    log = workload.name
    if not tells_waits(workload):
        return BaseCheck(base=name, log=log, answer="unknown", reason="the log tells no waits")
    told = recorded(workload)
    if run.whole.empty:
        return BaseCheck(base=name, log=log, answer="unknown", reason="no job ran")
    machine = run.machine_processors or told.machine or run.processors
    matched = _matched(told, run)
    compared = int(matched.both.sum())
    reason = _too_little(compared, of=matched.counted)
    if reason:
        return BaseCheck(base=name, log=log, answer="unknown", reason=reason)
    return _checked(name, log, told, matched, machine)


@dataclass(frozen=True, slots=True)
class _Matched:
    """The jobs of a workload as a run has them, in the workload's order.

    Parameters
    ----------
    simulated_wait, simulated_run
        Seconds, shape (jobs,); not a number for jobs that did not run.
    both
        Which jobs count, ran, and have a recorded wait.
    counted
        How many count and ran.
    """

    simulated_wait: "NDArray[np.float64]"
    simulated_run: "NDArray[np.float64]"
    both: "NDArray[np.bool_]"
    counted: int


def _matched(told: Recorded, run: "Run") -> _Matched:
    import pandas as pd

    whole = run.whole
    counted = run.ran.index.get_indexer(whole.index) >= 0
    own = [name.partition("!")[2] for name in whole.index]
    places = pd.Index(own).get_indexer(pd.Index(told.ids))
    ran = places >= 0
    wait, lasted = (
        np.where(ran, whole[column].to_numpy()[places], np.nan)
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


def _checked(name: str, log: str, told: Recorded, matched: _Matched, machine: int) -> BaseCheck:
    known, both = told.known, matched.both
    ran = np.isfinite(matched.simulated_wait)
    started = told.submit_time + told.wait_time, told.submit_time + matched.simulated_wait
    real = Schedule(
        submit_time=told.submit_time[known],
        start_time=started[0][known],
        end_time=(started[0] + told.run_time)[known],
        processors=told.processors[known],
        machine=machine,
    )
    simulated = Schedule(
        submit_time=told.submit_time[ran],
        start_time=started[1][ran],
        end_time=(started[1] + matched.simulated_run)[ran],
        processors=told.taken[ran],
        machine=machine,
    )
    pairs = told.wait_time[both], matched.simulated_wait[both]
    waits = waits_of(pairs[0]), waits_of(pairs[1])
    ranks, apart = rank_correlation(*pairs), distance(*pairs)
    time_beyond, work_beyond = real.beyond()
    groups_by = next((kind for kind in ("queue", "partition") if kind in told.labels), "")
    last = float(told.submit_time.max())
    return BaseCheck(
        base=name,
        log=log,
        answer=answered(*waits, ranks=ranks, apart=apart, work_beyond=work_beyond),
        processors=machine,
        guessed=told.guessed and told.machine == machine,
        recorded=waits[0],
        simulated=waits[1],
        ranks=ranks,
        apart=apart,
        time_beyond=time_beyond,
        work_beyond=work_beyond,
        most_busy=round(real.most_busy),
        recorded_clues=_clues(told, real, known),
        simulated_clues=_clues(told, simulated, ran),
        **stretches(real, simulated, submitted=told.submit_time[both], waits=pairs, last=last),
        groups_by=groups_by,
        groups=by_group(told.labels[groups_by].of_jobs(both), *pairs) if groups_by else (),
    )


def _clues(told: Recorded, schedule: Schedule, which: "NDArray[np.bool_]") -> Clues:
    # whose package looks for clues, too
    from pred_aware.report.clock import believed, make_clock

    first, last = float(schedule.submit_time.min()), float(schedule.start_time.max())
    clock = make_clock(believed(told.start_time, first, last), told.time_zone)
    hours = clock.hours_of_week(schedule.start_time) % 24 if clock.knows_dates else None
    return clues(
        schedule,
        labels={kind: named.of_jobs(which) for kind, named in told.labels.items()},
        memory=None if told.memory is None else told.memory[which],
        hours=hours,
        period=clock.days,
    )
