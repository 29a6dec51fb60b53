"""Describe a comparison with the recorded queue in sentences."""

from typing import TYPE_CHECKING

from pred_aware.report.durations import timespan
from pred_aware.report.sentence import Remark

if TYPE_CHECKING:
    from pred_aware.recorded_queue.baseline_check import BaselineCheck

_MEANINGS = {
    "alike": "; the waits are similar{}",
    "little": ": jobs wait too little for a comparison",
    "others": "; the mean waits are similar, but different jobs wait{}",
    "shorter": "{}: the site has limits, partitions, memory or priorities that the simulation "
    "ignores",
    "longer": "{}: the site started jobs earlier than the baseline does, because it has more "
    "processors than the simulation or a better priority order",
}


def baseline_sentence(check: "BaselineCheck") -> str:
    """Return the answer with the mean waits, in one sentence."""
    baseline, log = check.baseline, check.log
    if check.answer == "unknown":
        return f"Cannot compare {baseline} with the recorded queue of {log}: {check.reason}."
    assert check.recorded is not None
    assert check.simulated is not None
    real, simulated = timespan(check.recorded.mean), timespan(check.simulated.mean)
    if check.answer == "impossible":
        return (
            f"The waits recorded in {log} cannot be right, or the machine's size is wrong. By the "
            f"recorded dates, up to {check.most_busy:,} of {check.processors:,} processors were "
            f"busy at once. For {_percent(check.time_beyond)} of the time, more processors were "
            f"busy than exist; {_percent(check.work_beyond)} of the work exceeded the size. "
            f"Do not compare the recorded mean wait ({real}) with the mean wait under {baseline} "
            f"({simulated})."
        )
    of_site = check.base == "fitted" or check.answer not in {"shorter", "longer"}
    so = "" if of_site else ", so results with this baseline are not valid for the site"
    meaning = _MEANINGS[check.answer].format(_figures(check))
    return f"The mean wait is {simulated} under {baseline}, and {real} in {log}{meaning}{so}."


def baseline_sentences(check: "BaselineCheck") -> tuple[str, ...]:
    """Return all sentences: a guessed size, the answer, and causes that the log shows."""
    said = [check.about_size] if check.about_size else []
    said.append(baseline_sentence(check))
    if check.answer != "impossible" and check.time_beyond > 0.001:  # noqa: PLR2004 - as in `pred-aware inspect`
        said.append(
            f"By the recorded dates, more processors were busy than exist for "
            f"{_percent(check.time_beyond)} of the time, up to {check.most_busy:,} of "
            f"{check.processors:,} ({_percent(check.work_beyond)} of the work)."
        )
    if check.recorded_clues is not None and check.answer in {"shorter", "others"}:
        said += [f"The log shows: {cause}." for cause in check.recorded_clues.sentences]
    if check.base is not None:
        said.append(check.about_base)
    return tuple(said)


def _figures(check: "BaselineCheck") -> str:
    """Return the medians and the rank correlation in brackets."""
    assert check.recorded is not None
    assert check.simulated is not None
    medians = [timespan(side.quantiles["median"]) for side in (check.simulated, check.recorded)]
    ranks = "" if check.ranks is None else f", rank correlation {check.ranks:.2f}"
    return f" (median {medians[0]} and {medians[1]}{ranks})"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def remarks(check: "BaselineCheck") -> tuple[Remark, ...]:
    """Return the sentences of a check, marked as odd if the check warns or the size is a guess."""
    return tuple(
        Remark(sentence, odd=check.warns or sentence == check.about_size)
        for sentence in check.sentences
    )
