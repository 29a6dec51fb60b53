"""The answer of a study: one of four, for the scheduler that the site can deploy."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from pred_aware.campaign.specification import MAX_SHIFT
from pred_aware.effects.effect import Effect
from pred_aware.metrics.groups import class_names
from pred_aware.metrics.table import OF_SIZES, size_edges
from pred_aware.recorded_queue.trust import CLOSE, FEWEST, is_near
from pred_aware.report.durations import HOUR, timespan
from pred_aware.report.interval_format import percent_change
from pred_aware.report.plural import counted
from pred_aware.report.table import NOTHING
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.contenders import EASY, REORDERED
from pred_aware.study.machine_size import OPTIONS
from pred_aware.study.studied import Studied

if TYPE_CHECKING:
    from pred_aware.study.reading import ReadLog

Kind = Literal["yes", "no", "cannot_tell", "need_input"]
Reason = Literal[
    "",
    "change", "large jobs", "processor time", "hardly any waits",
    "another queue", "error", "few large jobs", "few jobs", "short log",
    "size", "walltimes", "waits", "two machines", "time",
]  # fmt: skip
"""The main reason. The second line belongs to `no`, the third to `cannot_tell`, and the last to
`need_input`."""
MOST_WORDS = 15
"""The maximum number of words of a headline."""

WORTH = 0.02
"""The smallest decrease of the mean wait, as a share, that is worth a change of the scheduler."""
PRICE = 0.03
"""The largest acceptable increase, as a share, of the wait weighted by processor time and of the
largest jobs' wait."""
SHORTEST = 12 * HOUR
"""The minimum seconds from the first to the last submission. In a shorter log, perturbations change
the waits too much, because they move sessions by up to ten minutes (docs/how-to/study.md)."""

WAIT, AREA_WEIGHTED = OF_JOBS[0], OF_PROCESSORS[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer of a study, in sentences."""

    kind: Kind
    reason: Reason = ""
    headline: str
    """The answer in at most `MOST_WORDS` words: verdict, number if there is one, condition."""
    seen: str = ""
    """With `cannot_tell` and `need_input`: what the study observed that prevents an answer."""
    price: str = ""
    """With `yes` and `no`: a sentence with the changes for large jobs and processor time."""
    reordering: str = ""
    """With `yes` and `no`: the changes with a scheduler that also reorders the queue."""
    next: str
    """The next step; with `need_input`, how to give the missing input."""

    @property
    def has_figures(self) -> bool:
        """Whether simulated changes apply to the site, within their error."""
        return self.kind in {"yes", "no"}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences below the headline."""
        return tuple(filter(None, (self.seen, self.price, self.reordering)))


@dataclass(frozen=True, slots=True)
class Bar:
    """A change, and the most by which it may be wrong (its error), both as shares."""

    change: float
    half: float

    @classmethod
    def of(cls, effect: Effect, points: float = 0.0) -> "Bar | None":
        """Return a change with the larger of its interval and `points`, ``None`` if unknown.

        Parameters
        ----------
        effect
            The effect with the change.
        points
            By how many percentage points the simulated change of the mean wait may be wrong.
            Other waits have no such value.
        """
        half = effect.change.half_width
        if effect.change.value is None or half is None:
            return None
        return cls(effect.change.value, max(half, points / 100.0))

    @property
    def low(self) -> float:
        """The lower end of the change's interval, as a share."""
        return self.change - self.half

    @property
    def high(self) -> float:
        """The upper end of the change's interval, as a share."""
        return self.change + self.half

    @property
    def signed(self) -> str:
        """The change and its error for a table, such as ``-12 % (±5)``."""
        digits = int(max(abs(self.change), self.half) < 0.01)  # noqa: PLR2004 - rounds to nothing
        return f"{percent_change(self.change, digits)} (±{100 * self.half:.{digits}f})"

    def __str__(self) -> str:
        """Return the change of a wait, such as ``12 % (±5) less``."""
        size = self.signed.lstrip("+-")
        return f"{size} {'less' if self.change < 0.0 else 'longer'}"

    @property
    def clause(self) -> str:
        """The change of all waits, such as ``jobs would wait 12 % (±5) less``."""
        if self.signed[0] == "0":
            return f"waits would be the same (±{100 * self.half:.0f} %)"
        return f"jobs would wait {self}"


def verdict(study: Studied) -> Verdict:
    """Return the conclusion of a study."""
    log, check, base = study.log, study.check, study.base
    blocked = unanswerable(log, ran=len(study.runs[0].ran))
    if blocked is not None:
        return blocked
    if check.answer == "little" and check.simulated is not None:
        return Verdict(
            kind="no",
            reason="hardly any waits",
            headline=f"No. Jobs hardly wait: {timespan(check.simulated.mean)} on average.",
            next="Change nothing.",
        )
    if base is None or base.points is None or check.answer == "impossible":
        return _another_queue(study)
    bar = Bar.of(study.judged[WAIT], base.points) if study.judged else None
    if bar is None:
        return _need_time(
            study,
            "There was no time to simulate two perturbed copies of the log, so the change may be "
            "chance.",
        )
    return _answered(study, bar)


def unanswerable(log: "ReadLog", *, ran: int) -> Verdict | None:
    """Return the answer if the log alone gives it, ``None`` if a simulation is necessary.

    Parameters
    ----------
    log
        The log that was read.
    ran
        Number of jobs that ran under the baseline.
    """
    if log.apart:
        return _need_input(
            "two machines",
            "Give the files of one machine only.",
            f"The files seem to come from two machines: {log.apart}.",
            "Study the files of each machine separately. If the machine grew, split the log at "
            "that date.",
        )
    columns = log.inspection.columns
    span = columns.last - columns.first
    if ran < FEWEST or span < SHORTEST:
        few = ran < FEWEST
        has, needs = (
            (counted(ran, "job"), str(FEWEST)) if few else (timespan(span), timespan(SHORTEST))
        )
        why = (
            "the mean wait depends on a handful of jobs"
            if few
            else f"perturbed copies move jobs by up to {timespan(MAX_SHIFT)}, too much for this log"
        )
        return Verdict(
            kind="cannot_tell",
            reason="few jobs" if few else "short log",
            headline=f"Cannot tell. The log has only {has}; a study needs {needs}.",
            seen=f"An answer would be unreliable, because {why}.",
            next="Study a log of some months.",
        )
    load = log.inspection.load
    if load.only_starts or not load.starts_known:
        seen = (
            "The log records no waits, and its submissions look like starts."
            if load.only_starts
            else f"The log has the submissions of {counted(len(log.log), 'job')} but not the "
            "starts, so no simulated queue can be compared with it."
        )
        return _need_input(
            "waits",
            "Give a log with each job's submission and start.",
            seen,
            "The log needs `Submit` and `Start` for sacct (`pred-aware log sacct-command` prints a "
            "command that exports both), `qtime` or `ctime` for PBS, fields 2 and 3 for SWF.",
        )
    return None


def known_without_shakes(study: Studied) -> str:
    """Return why perturbed copies cannot change the answer; empty if they could change it."""
    found = verdict(study)
    more = found.reason == "time" and study.base is not None and study.base.points is not None
    return "" if more else f"the answer is known: {found.headline}"


def _need_input(reason: Reason, give: str, seen: str, how: str) -> Verdict:
    return Verdict(
        kind="need_input", reason=reason, headline=f"Need input. {give}", seen=seen, next=how
    )


def _another_queue(study: Studied) -> Verdict:
    """Return the answer if the simulated queue is not like the recorded queue."""
    size, check = study.log.size, study.check
    if check.answer == "impossible":
        return _need_input(
            "size",
            "Give correct dates, or the machine's size at that time.",
            f"By the log's dates, {check.most_busy:,} processors were busy at the same time on a "
            f"machine of {size.processors:,}. So the log's waits, its dates or the size are wrong, "
            "and no simulated queue can be compared with the log.",
            f"Give the size ({OPTIONS}), or a log with correct dates.",
        )
    seen = _two_queues(study)
    # a larger machine would only shorten the simulated waits, which may already be too short
    if size.guessed or (size.contradicted and (check.whole_ratio or 0.0) > 1.0):
        why = (
            "The machine's size is a guess: the smallest size that fits the jobs."
            if size.guessed
            else f"By the log's dates, more processors were busy than exist during "
            f"{100 * size.overfull:.2g} % of the time."
        )
        return _need_input(
            "size",
            "Give the machine's size.",
            f"{seen} {why}",
            f"Give the size ({OPTIONS}).",
        )
    walltimes = study.log.walltimes
    if walltimes.most_missing:
        return _need_input(
            "walltimes",
            "Give the jobs' time limits.",
            f"{walltimes.missing:,} of {walltimes.jobs:,} jobs have no time limit. {seen}",
            "Export the limits (`pred-aware log sacct-command` prints the command), or give the "
            "usual limit with --missing-walltime.",
        )
    base = study.base
    if base is not None and base.unfinished:
        return _need_time(study, f"There was no time to infer all of the site's rules. {seen}")
    return Verdict(
        kind="cannot_tell",
        reason="another queue",
        headline="Cannot tell. The simulated queue is not like this site's queue.",
        seen=seen,
        next=_state_the_rules(study),
    )


def _two_queues(study: Studied) -> str:
    """Return sentences on how the simulated queue differs from the recorded queue."""
    if study.base is None:
        return "Too few waits are recorded to compare the simulated queue with them."
    test, check = study.base.test, study.check
    assert check.recorded is not None
    assert check.simulated is not None
    recorded, simulated = check.recorded.mean, check.simulated.mean
    ranks, where = check.ranks or 0.0, ""
    if is_near(check.whole_ratio) and ranks >= CLOSE:
        where, ranks = " in the second half of the log", test.correlation
        recorded, simulated = test.recorded, test.simulated or 0.0
    others = (
        f", and there other jobs had the long waits (rank correlation {max(0.0, ranks):.2f} of 1)"
        if ranks < CLOSE
        else ""
    )
    return (
        f"Jobs waited {timespan(recorded)} on average{where}, but {timespan(simulated)} in the "
        f"simulation{others}."
    )


def _state_the_rules(study: Studied) -> str:
    """Return a sentence on how to state the site's rules."""
    log = study.log
    if log.site is not None and (study.base is None or study.base.inferred is None):
        return "Let an administrator correct the site's rules (--site FILE), and repeat the study."
    if log.format in {"slurm", "pbs"} and study.baseline.name == EASY:
        return (
            f"Let an administrator state the site's rules: `pred-aware site snapshot {log.format} "
            "-o here` on the cluster, then repeat the study with --site here."
        )
    return (
        "Let an administrator state the site's rules (--site FILE) and the order of its queue "
        "(--order), and repeat the study."
    )


def _need_time(study: Studied, seen: str) -> Verdict:
    """Return the answer that the study needs more time."""
    minutes = max(2, round(study.seconds / 30.0))
    return _need_input(
        "time",
        "Give the study more time (--minutes).",
        seen,
        f"Repeat the study with the same -o and --minutes {minutes} or more. Or study a part of "
        "the log (--clean 'submit<DATE').",
    )


def _answered(study: Studied, bar: Bar) -> Verdict:
    """Return the answer if the simulated queue is like the recorded queue."""
    condition, nothing = study.log.contenders.condition, "Change nothing."
    paying = payers(study, study.log.contenders.judged)
    price = f"Changes of other waits: {_paid(paying)}."
    answered = partial(Verdict, price=price, reordering=_reordering(study))
    for who, one, reason in paying:
        if (one.change.low or 0.0) > PRICE:
            paid = (
                f"{who} would wait {Bar.of(one)}"
                if reason == "large jobs"
                else f"waits weighted by processor time would be {Bar.of(one)}"
            )
            headline = f"No. With predictions, {paid}."
            return answered(kind="no", reason=reason, headline=headline, next=nothing)
    change = bar.clause.capitalize()
    if bar.low > -WORTH:
        headline = f"No. {change} {condition}."
        return answered(kind="no", reason="change", headline=headline, next=nothing)
    if bar.high < -WORTH and all((one.change.value or 0.0) <= PRICE for _, one, _ in paying):
        headline = f"Yes. {change} {condition}."
        return answered(
            kind="yes", headline=headline, next="Run a trial of four weeks on one partition."
        )
    if bar.high < -WORTH:
        return Verdict(
            kind="cannot_tell",
            reason="few large jobs",
            headline="Cannot tell. Too few large jobs to show how their waits would change.",
            seen=f"In the simulation, {bar.clause}. The change for the largest jobs "
            "differs too much between perturbed copies of the log.",
            next="Study a longer log with more large jobs.",
        )
    return Verdict(
        kind="cannot_tell",
        reason="error",
        headline="Cannot tell. The error of this study is too large for an answer.",
        seen=f"In the simulation, {bar.clause}. At the site the change may be anything in this "
        "range.",
        next=_smaller_error(study, bar),
    )


def _smaller_error(study: Studied, bar: Bar) -> str:
    """Return a sentence on how to make the error of a change smaller."""
    base = study.base
    if base is not None and round(100.0 * bar.half, 6) > (base.points or 0.0):
        return "Repeat the study with the same -o: more perturbed copies make the error smaller."
    return "Change nothing on the cluster. Only a trial on one partition can show such a change."


Payer = tuple[str, Effect, Reason]
"""Jobs whose waits may grow, the effect on their wait, and the reason of a `no` if waits grow."""


def payers(study: Studied, policy: str) -> list[Payer]:
    """Return a policy's effects on the largest jobs, if any, and on processor time."""
    weighted = study.policies[policy][AREA_WEIGHTED]
    paying: list[Payer] = [("wait weighted by processor time", weighted, "processor time")]
    for sizes, largest in by_size(study, policy)[-1:]:
        who = f"jobs on {sizes.replace('over', 'more than')} processors"
        paying.insert(0, (who, largest, "large jobs"))
    return paying


def by_size(study: Studied, policy: str) -> list[tuple[str, Effect]]:
    """Return the processors of each size class that has jobs, and the effect on its mean wait."""
    names = class_names("size", size_edges(study.log.size.processors))
    effects = [study.policies[policy][measure] for measure in OF_SIZES]
    return [
        (name, one) for name, one in zip(names, effects, strict=True) if one.value.value is not None
    ]


def signed(effect: Effect) -> str:
    """Return a change with its error."""
    bar = Bar.of(effect)
    return NOTHING if bar is None else bar.signed


def _paid(paying: list[Payer]) -> str:
    return "; ".join(
        f"{'largest jobs' if reason == 'large jobs' else what} {signed(one)}"
        for what, one, reason in paying
    )


def _reordering(study: Studied) -> str:
    """Return a sentence about the policy that also reorders; empty if the policy has no result."""
    points = None if study.base is None else study.base.points
    wait = study.policies.get(REORDERED, {}).get(WAIT)
    bar = None if wait is None or points is None else Bar.of(wait, points)
    if bar is None:
        return ""
    paid = _paid(payers(study, REORDERED))
    return f"With a scheduler that also reorders the queue, {bar.clause}; {paid}."
