"""How sure a result is, and what a log can't answer."""

from collections.abc import Iterator

from pred_aware.effects.words import ITS_INTERVAL, ONE_LOG
from pred_aware.recorded_queue.trust import ERROR_BAR
from pred_aware.report.sentence import Remark
from pred_aware.study.first_sentence import why_not
from pred_aware.study.on_base import JUDGED
from pred_aware.study.rounds import FIRST
from pred_aware.study.studied import Studied


def certainty(study: Studied) -> Iterator[Remark]:
    """Say what is chance and what is not."""
    rounds = study.rounds
    if not study.recommended or why_not(study) is not None:
        yield Remark("There is no figure to be sure of, for the reason above.", odd=True)
    elif rounds.shakes:
        few = "; so few make wide intervals" if rounds.shakes < FIRST else ""
        yield Remark(
            f"Figures are means over {rounds.shakes} shakes of the log (each user's sessions moved "
            f"by up to ten minutes), with the {ITS_INTERVAL}{few}. It {ONE_LOG}",
            odd=bool(few),
        )
    else:
        yield Remark(
            "One run of each: how much of the difference is chance is not known.", odd=True
        )
    yield from error_of_base(study)


def error_of_base(study: Studied) -> Iterator[Remark]:
    """Say how far a change may be off since the simulated queue is not quite the recorded one."""
    base = study.base
    if base is not None and base.verdict != "none" and study.check.answer in JUDGED:
        yield Remark(f"Error bar: {ERROR_BAR:.0f} points, by sites that another simulator made.")


def ended(study: Studied) -> Remark:
    """Say why there are no more shakes."""
    rounds = study.rounds
    told = f"{rounds.why}{'; ' if rounds.unfinished else ''}{rounds.unfinished}"
    return Remark(f"Ended: {told}.", odd=bool(rounds.unfinished))


def unanswered(study: Studied) -> str:
    """Say in one sentence what the log can't answer."""
    parts = ["how users would react", "what another year would bring"]
    log = study.log
    if why_not(study) is not None:
        parts.insert(0, "what prediction would change")
    if study.check.recorded is None:
        parts.append("how long jobs really waited")
    if log.walltimes.most_missing:
        parts.append("what limits users would have asked for")
    if not log.users:
        parts.append("whose jobs they are")
    if log.site is None:
        parts.append("what partitions, limits and priorities do to waits")
    return f"The log can't tell {', '.join(parts[:-1])} or {parts[-1]}."
