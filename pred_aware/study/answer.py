"""What follows from a study: the answer, in plain words."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from pred_aware.recorded_queue.answer import HARDLY
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import duration_within, figure_within
from pred_aware.statistics import surely
from pred_aware.study.found import Found
from pred_aware.study.machine_size import listed
from pred_aware.study.policies import BASE, RECOMMENDED
from pred_aware.study.unanswerable import Unanswerable, Unanswered, unanswerable

if TYPE_CHECKING:
    from pred_aware.study.study import Study

Measures = Mapping[str, Found]
Kind = Literal[
    Unanswered, "no time", "size", "nobody waits", "one run", "not told apart", "better", "mixed",
    "worse",
]  # fmt: skip
WAIT, SLOWDOWN, TAIL, LONGEST = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip

UNTRUSTED = "started_without_trust"
HARDLY_TRUSTED = 0.1
"""From this share of the jobs on it is told that they started without trust in predictions."""

SMALL_PART = 0.1
"""Of the recorded mean wait: what is saved of less is hardly felt."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer.

    Parameters
    ----------
    kind
        What was found of the recommended policy.
    sentence
        The answer in one sentence.
    compared
        What was compared, in sentences.
    gains, costs
        Who gains, who loses, and what it costs, in sentences.
    next
        What to do next.
    """

    kind: Kind
    sentence: str
    compared: tuple[str, ...]
    gains: tuple[str, ...]
    costs: tuple[str, ...]
    next: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def verdict(study: "Study") -> Verdict:
    """Draw the conclusion.

    Parameters
    ----------
    study
        What was found.
    """
    why_not = _why_not(study)
    if why_not is not None:
        return Verdict(why_not.kind, why_not.sentence, (_COMPARED,), (), (), (why_not.next,))
    if not study.recommended:
        return Verdict("no time", _no_time(study), (), (), (), tuple(_next(study, "no time")))
    kind = _kind(study)
    told = kind != "nobody waits"
    return Verdict(
        kind,
        _sentence(study, kind),
        (_COMPARED, *_trust(study), *_queue(study)),
        tuple(_who(study)) if told else (),
        tuple(_costs(study)) if told else (),
        tuple(_next(study, kind)),
    )


def known_without_shakes(study: "Study") -> str:
    """Say why no shake would change the answer; empty where one may.

    Parameters
    ----------
    study
        What is known of the log as it is.
    """
    if _why_not(study) is not None:
        return "the log can't answer, however often it is simulated"
    if study.recommended and _kind(study) == "nobody waits":
        return "hardly a job waits, so that there is nothing to be told apart"
    return ""


def _why_not(study: "Study") -> Unanswerable | None:
    return unanswerable(study.log, ran=len(study.runs[0].ran))


def _kind(study: "Study") -> Kind:
    kinds = {_kind_of(study, found) for found in (study.recommended, *study.on_other_sizes)}
    # it is one answer where all sizes that the machine may have give it
    return kinds.pop() if len(kinds) == 1 else "size"


def _kind_of(study: "Study", found: Measures) -> Kind:
    wait, slowdown, tail = (found[name] for name in (WAIT, SLOWDOWN, TAIL))
    if max(wait.base.value or 0.0, wait.value.value or 0.0) < HARDLY:
        return "nobody waits"
    if not study.rounds.shakes:
        return "one run"
    signs = [_sign(one) for one in (wait, slowdown, tail)]
    if not any(signs[:2]):
        return "not told apart"
    if max(signs) <= 0:
        return "better"
    return "worse" if signs[0] > 0 and signs[1] >= 0 else "mixed"


def _sign(one: Found) -> int:
    """Return -1 where it is surely smaller, 1 where surely larger, else 0: of all in the table."""
    return surely(one.difference, one.holm)


# the first sentence


def _sentence(study: "Study", kind: Kind) -> str:
    found = _on_a_size(study, _FOUND[kind](study), kind)
    if kind == "nobody waits":
        return found
    if study.log.users == 1:
        return (
            "All jobs are of one user, so this is about that user's work and not about a site: "
            f"{_uncapitalised(found)}"
        )
    if study.log.walltimes.most_missing:
        given = study.log.walltimes.given
        same = "" if given is None else f" ({spoken(given)})"
        return (
            "The log has no walltimes, so EASY was simulated with the same one for all"
            f"{same} and knows nothing of any job; against that, {_uncapitalised(found)}"
        )
    return found


def _on_a_size(study: "Study", found: str, kind: Kind) -> str:
    """Say with the answer that its machine's size is a guess, or contradicted by the log."""
    size = study.log.size
    if size.guessed:
        return (
            f"If the machine has {size.processors:,} processors, which is a guess: "
            f"{_uncapitalised(found)}"
        )
    if size.others and kind != "size":
        tried = size.others[: len(study.on_other_sizes)]
        shown = (
            f"and as well on {listed(tried)}, which it shows"
            if tried
            else "with no time for those that it shows"
        )
        return (
            f"On {size.processors:,} processors, which the log contradicts, {shown}: "
            f"{_uncapitalised(found)}"
        )
    return found


def _size(study: "Study") -> str:
    sizes = (study.log.size.processors, *study.log.size.others)
    told = [
        f"{_change(found[WAIT])} on {size:,}"
        for size, found in zip(sizes, (study.recommended, *study.on_other_sizes), strict=True)
    ]
    return (
        "It depends on the machine's size, which the log contradicts: "
        f"{_in_which_queue(study)}with predictions a job waits {', '.join(told[:-1])} and "
        f"{told[-1]} processors."
    )


def _change(wait: Found) -> str:
    """Say how a mean wait changes, in a word or a share."""
    change = wait.difference.value
    if max(wait.base.value or 0.0, wait.value.value or 0.0) < HARDLY:
        return "hardly with or without them"
    if change is None or (wait.difference.told_apart is not None and not _sign(wait)):
        return "as long, as far as can be told,"
    return f"{100 * abs(change):.0f} % {'less' if change < 0 else 'more'}"


def _no_time(study: "Study") -> str:
    base = study.policies[BASE][WAIT].value.value or 0.0
    return (
        "Not known yet: the time was up before the scheduler with predictions had been through "
        f"the log once; under EASY a job waits {spoken(base)} on average."
    )


def _nobody_waits(study: "Study") -> str:
    base = study.recommended[WAIT].base
    mean = base.value or 0.0
    simulated = f"a job waits {spoken(mean) if mean >= 1.0 else 'under a second'} on average"
    real = study.check.recorded
    if real is None:
        return (
            "There is nothing to gain, if the log's submissions are when users submitted, which no "
            f"recorded wait confirms: simulated under EASY, {simulated}."
        )
    if study.check.answer == "impossible" or real.mean < HARDLY:
        return (
            f"There is nothing to gain: simulated under EASY, {simulated}, so that no order of the "
            "queue can shorten much."
        )
    return (
        f"Prediction would not shorten these waits: simulated under EASY, {simulated}, and in the "
        f"log {spoken(real.mean)}, so jobs wait there for something else than free processors."
    )


def _one_run(study: "Study") -> str:
    wait, slowdown = (study.recommended[name] for name in (WAIT, SLOWDOWN))
    return (
        f"Not sure yet: {_in_which_queue(study)}in one run of each, with predictions "
        f"{_waits(wait)} and {_slowdowns(slowdown)}, and without shakes nobody knows whether that "
        "is chance."
    )


def _not_told_apart(study: "Study") -> str:
    wait, slowdown = (study.recommended[name] for name in (WAIT, SLOWDOWN))
    base, where = duration_within(wait.base), _in_which_queue(study)
    if wait.same and slowdown.same:
        return (
            f"Nothing changes: {where}with predictions jobs wait just as under EASY, {base} on "
            "average."
        )
    return (
        f"No difference can be told: {where}with predictions {_waits(wait)} and "
        f"{_slowdowns(slowdown)}, but {study.rounds.shakes} shakes can't tell either from chance."
    )


def _better(study: "Study") -> str:
    wait = study.recommended[WAIT]
    recorded = study.check.recorded
    if study.check.answer == "shorter" and recorded is not None:
        saved = (wait.base.value or 0.0) - (wait.value.value or 0.0)
        if saved < SMALL_PART * recorded.mean:
            return (
                "Only a small part of these waits would be shorter: in the simulation with "
                f"predictions {_waits(wait)}, but in the log {spoken(recorded.mean)}, mostly for "
                "something else than free processors."
            )
    told = f"with predictions {_waits(wait)}"
    if _sign(wait) >= 0:
        told = (
            "with predictions the mean wait stays what it is, and "
            f"{_slowdowns(study.recommended[SLOWDOWN])}"
        )
    return {
        "alike": f"Yes: {told}, and the simulated queue is like this site's.",
        "little": f"Yes: {told}, though hardly a job waits, here and in the log.",
        "unknown": (
            f"Yes, if this site's queue is like EASY's, which the log does not tell: {told}."
        ),
        "impossible": (
            "Worth trying, but what it would gain here is not known: in the simulation "
            f"{told}, and the waits that the log recorded can't be right."
        ),
    }.get(
        study.check.answer,
        "Worth trying, but what it would gain here is not known: in the simulation "
        f"{told}, and the simulated queue is not this site's.",
    )


def _mixed(study: "Study") -> str:
    wait, slowdown, tail = (study.recommended[name] for name in (WAIT, SLOWDOWN, TAIL))
    parts = [
        (_waits(wait), _sign(wait)),
        (_slowdowns(slowdown), _sign(slowdown)),
        (f"the wait that 1 % of the jobs exceed is {_instead(tail, duration=True)}", _sign(tail)),
    ]
    good = " and ".join(text for text, sign in parts if sign < 0)
    bad = " and ".join(text for text, sign in parts if sign > 0)
    return f"It depends on who counts: {_in_which_queue(study)}with predictions {good}, but {bad}."


def _worse(study: "Study") -> str:
    return f"No: {_in_which_queue(study)}with predictions {_waits(study.recommended[WAIT])}."


def _in_which_queue(study: "Study") -> str:
    """Say that the queue is another than the log's, if it is."""
    return {
        "alike": "",
        "little": "",
        "unknown": "in a simulated queue that no recorded wait confirms, ",
        "impossible": "in a simulated queue that the log's waits, which can't be right, do not "
        "confirm, ",
    }.get(study.check.answer, "in a simulated queue that is not this site's, ")


_FOUND = {
    "size": _size, "nobody waits": _nobody_waits, "one run": _one_run,
    "not told apart": _not_told_apart, "better": _better, "mixed": _mixed, "worse": _worse,
}  # fmt: skip


def _waits(one: Found) -> str:
    return f"a job waits on average {_instead(one, duration=True)}"


def _slowdowns(one: Found) -> str:
    return f"the mean bounded slowdown is {_instead(one, duration=False)}"


def _instead(one: Found, *, duration: bool) -> str:
    write = duration_within if duration else figure_within
    new, old, change = write(one.value), write(one.base), one.difference.value
    if change is None:
        return f"{new} instead of {old}"
    return f"{new} instead of {old} ({100 * abs(change):.0f} % {'less' if change < 0 else 'more'})"


def _uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]


# who gains, who loses, what it costs


def _trust(study: "Study") -> Iterator[str]:
    """Say where the predictions were not gone by."""
    share = study.runs[1].measures([UNTRUSTED])[UNTRUSTED]
    if share > HARDLY_TRUSTED:
        yield (
            f"On the log as it is, {100 * share:.0f} % of the jobs started as by EASY, since the "
            "predictions had not shown yet, or did not show any more, that they tell short jobs "
            "from long ones."
        )


def _queue(study: "Study") -> Iterator[str]:
    """Say what the simulated waits are to the site's."""
    check = study.check
    if check.recorded is None or check.simulated is None:
        return
    real, simulated = spoken(check.recorded.mean), spoken(check.simulated.mean)
    why = {
        "shorter": "the difference has other causes (limits for users, partitions, priorities), "
        "which no prediction of run times removes",
        "longer": "the site has more room than was simulated or a better order than EASY, and so "
        "less to gain",
        "others": "as long, but other jobs wait",
    }.get(check.answer)
    if why is None:
        return
    yield f"In the log a job waited {real} on average, under simulated EASY {simulated}: {why}."


_COMPARED = (
    "Compared are EASY backfilling, which plans with the walltimes that users ask for, as batch "
    f"systems do today, and `{RECOMMENDED}`, which plans with run times predicted from past jobs; "
    "both simulated on this log."
)


def _who(study: "Study") -> Iterator[str]:
    assert study.compared is not None
    (against,) = study.compared.against_base
    if against.jobs:
        earlier, later = (
            number / against.jobs for number in (against.shorter_by_1_h, against.longer_by_1_h)
        )
        yield (
            f"On the log as it is, {_share(earlier)} of the jobs start at least an hour earlier "
            f"than under EASY, and {_share(later)} at least an hour later."
        )
    users = study.gains.get("user", [])
    if len(users) > 1:
        # with all users looked at together, for of hundreds some differ by chance
        sure = [one for one in users if one.surely]
        less = sum((one.difference.value or 0.0) < 0.0 for one in sure)
        more = len(sure) - less
        yield (
            f"Of {len(users):,} users {less:,} surely wait less on average and {more:,} surely "
            f"longer; of the other {len(users) - less - more:,} it can't be told."
        )
    for by, what in (("length", "jobs that run {}"), ("size", "jobs on {} processors")):
        groups = [one for one in study.gains.get(by, []) if one.surely]
        if len(groups) < 2:  # noqa: PLR2004 - it takes two to differ
            continue
        best = min(groups, key=lambda one: one.total)
        worst = max(groups, key=lambda one: one.total)
        said = [
            f"{what.format(one.group)} {word} most ({spoken(abs(one.difference.absolute or 0.0))} "
            f"{'less' if (one.difference.absolute or 0.0) < 0.0 else 'more'} a job)"
            for one, word in ((best, "gain"), (worst, "lose"))
            if (one.total < 0.0) == (word == "gain")
        ]
        if said:
            joined = "; ".join(said)
            yield f"By {by}, {joined}."


def _costs(study: "Study") -> Iterator[str]:
    tail, longest = (study.recommended[name] for name in (TAIL, LONGEST))
    said = [
        f"{what} is {_apart(one)}"
        for what, one in (
            ("the longest wait", longest),
            ("the wait that 1 % of the jobs exceed", tail),
        )
    ]
    text = " and ".join(said)
    yield f"{text[0].upper()}{text[1:]}."


def _apart(one: Found) -> str:
    if one.difference.told_apart is not None and not _sign(one):
        return f"the same as far as can be told (EASY {duration_within(one.base)})"
    return _instead(one, duration=True)


def _share(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or not share else f"{100 * share:.2g} %"  # noqa: PLR2004 - two digits


# what to do next


def _next(study: "Study", kind: Kind) -> Iterator[str]:
    if kind == "no time":
        yield (
            "Call it again with the same -o and more --minutes (as it ran for "
            f"{spoken(study.seconds)}, twice that or more), or study a part of the log "
            "(--clean 'submit<DATE')."
        )
    if study.log.size.others:
        yield (
            "Find out the machine's size at the time of the log (--slurm-conf, --processors or "
            "--platform), or whether its dates are right: it shows more processors than it is "
            "said to have."
        )
    if study.log.size.guessed:
        yield (
            "Give the machine's size (--slurm-conf, --processors or --platform): it is guessed, "
            "and everything depends on it."
        )
    if kind == "no time":
        return
    if study.log.walltimes.most_missing:
        yield (
            "Collect the jobs' time limits (`pred-aware sacct-command` asks for them), or give the "
            "usual one with --missing-walltime."
        )
    if kind == "nobody waits":
        yield (
            "If users complain of waits, look at limits, partitions and priorities: "
            "`pred-aware inspect LOG --base easy` shows what the dates tell."
        )
        return
    if study.check.is_our_queue is False:
        yield (
            "Find out what jobs wait for besides processors (limits for users, partitions, "
            "priorities): what the log shows of it stands below."
        )
    if kind in {"one run", "not told apart", "size"} or study.rounds.why == "time is up":
        yield "For narrower intervals call it again with the same -o: it goes on from its runs."
    if kind in {"better", "mixed"}:
        yield (
            "Try other bounds and orders in the folder's campaign.toml (`pred-aware campaign "
            "run`), and let predictions run beside the batch system before they decide anything "
            "(`pred-aware serve`)."
        )
