"""The comparison with the recorded queue, in plain words."""

from typing import TYPE_CHECKING

from pred_aware.report.durations import spoken
from pred_aware.report.sentence import Remark

if TYPE_CHECKING:
    from pred_aware.recorded_queue.baseline_check import BaselineCheck

NOT_SIMULATED = (
    "the site has limits, partitions, memory or priorities that are not simulated, so comparisons "
    "with this baseline are about a queue other than this site's"
)


LONGER = (
    "the site started jobs that the baseline keeps waiting, as on more processors than are "
    "simulated, or its own order is better"
)
_ALIKE = {
    "alike": "; the baseline is like the recorded queue{}",
    "little": ": too little waiting to compare",
    "others": "; that is as long, but other jobs wait{}",
}


def baseline_sentence(check: "BaselineCheck") -> str:
    """Return the answer with its figures, in one sentence."""
    baseline, log = check.baseline, check.log
    if check.answer == "unknown":
        return f"Whether {baseline} gives the queue of {log} is not known: {check.reason}."
    assert check.recorded is not None
    assert check.simulated is not None
    real, simulated = spoken(check.recorded.mean), spoken(check.simulated.mean)
    if check.answer == "impossible":
        return (
            f"The waits recorded in {log} cannot be right, or the machine's size is wrong: by them "
            f"up to {check.most_busy:,} of {check.processors:,} processors were busy at once, "
            f"{_percent(check.time_beyond)} of the time more than there are, and "
            f"{_percent(check.work_beyond)} of the work was done on processors that do not exist; "
            f"so comparing the mean wait there ({real}) with that under {baseline} ({simulated}) "
            "says nothing."
        )
    told = f"Under {baseline} a job waits {simulated} on average, in {log} {real}"
    if check.answer in _ALIKE:
        return f"{told}{_ALIKE[check.answer].format(_figures(check))}."
    why = LONGER if check.answer == "longer" else NOT_SIMULATED
    return f"{told}{_figures(check)}: {why}."


def baseline_sentences(check: "BaselineCheck") -> tuple[str, ...]:
    """Return all that is to be said: a guessed size first, the answer, and what the log shows."""
    said = [check.about_size] if check.about_size else []
    said.append(baseline_sentence(check))
    if check.answer != "impossible" and check.time_beyond > 0.001:  # noqa: PLR2004 - as `inspect` has it
        said.append(
            f"By the recorded dates more processors were busy than there are for "
            f"{_percent(check.time_beyond)} of the time, up to {check.most_busy:,} of "
            f"{check.processors:,} ({_percent(check.work_beyond)} of the work)."
        )
    if check.recorded_clues is not None and check.answer in {"shorter", "others"}:
        said += [f"The log shows: {cause}." for cause in check.recorded_clues.sentences]
    if check.is_our_queue is False:
        said.append(check.about_base)
    return tuple(said)


def _figures(check: "BaselineCheck") -> str:
    """Return median and rank correlation, in brackets."""
    assert check.recorded is not None
    assert check.simulated is not None
    medians = [spoken(side.quantiles["median"]) for side in (check.simulated, check.recorded)]
    ranks = "" if check.ranks is None else f", rank correlation {check.ranks:.2f}"
    return f" (median {medians[0]} and {medians[1]}{ranks})"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def remarks(check: "BaselineCheck", *, briefly: bool = False) -> tuple[Remark, ...]:
    """Return what is to be said, marked where the queue is another or its size a guess.

    Parameters
    ----------
    check
        What was found.
    briefly
        Only a guessed size and the answer.
    """
    return tuple(
        Remark(sentence, odd=check.warns or sentence == check.about_size)
        for sentence in check.sentences
        if not briefly or sentence in {check.sentence, check.about_size}
    )
