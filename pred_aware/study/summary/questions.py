"""The questions of a study's summary, and their answers, in the order of the page."""

from collections.abc import Iterable, Iterator

from pred_aware.effects.gain_bars import GainBars
from pred_aware.report.page import Question
from pred_aware.report.page.content import PageBlock
from pred_aware.report.sentence import Remark, remarks
from pred_aware.site_configuration.soft_limits import slurm_version
from pred_aware.study.campaign import OF_PROCESSORS
from pred_aware.study.consequences import costs, jobs_affected
from pred_aware.study.studied import Studied
from pred_aware.study.study import Study
from pred_aware.study.summary.batch_system import (
    can_do,
    changes,
    failing,
    system_of,
    undoing,
)
from pred_aware.study.summary.certainty import certainty, ended, unanswered
from pred_aware.study.summary.estimates_alone import estimates_alone, order_of
from pred_aware.study.summary.hours import hours
from pred_aware.study.summary.queue import our_queue

ASKED = "Is it worth it?"
"""The question that the first sentence answers."""
TITLES = {
    "who": "Who gains, who loses?",
    "hours": "Hours and node-hours",
    "sure": "How sure is this?",
    "queue": "Is this our queue?",
    "risks": "What can go wrong?",
    "scheduler": "How much of this can our scheduler do?",
    "change": "What do we change?",
    "undo": "How do we go back?",
    "cost": "What does it cost?",
    "cannot": "What can't the log answer?",
    "next": "What to do next",
}
"""The other questions by their anchors, in the order of the page."""
UNTOLD = "Not known, for the reason above."
NOBODY = {
    "who": "Nobody noticeably: hardly a job waits in the simulation.",
    "hours": "None: hardly a job waits in the simulation, and the same jobs run for as long.",
}
"""What is told of these where hardly a job waits."""
NOTHING = "Nothing, on this evidence. If it should come to that:"
REHEARSED = "Nothing until a rehearsal and a dry run show that it is worth it:"
COST = (
    "It is free software. The service answers in 0.1 ms and takes 72 MB of memory; the hook adds 2 "
    "ms to a qsub (measured on 11,553 jobs of a PBS log). Staff: a rehearsal on a copy of the "
    "accounting files (`pred-aware service shadow`), the installation, and some days of watching "
    "a dry run."
)
GAINS_TITLES = {"size": "Change of the mean wait, by processors", "length": "By run time"}
NO_GROUP = "No group of jobs, by processors or by run time, waits significantly more or less."
AREA_WEIGHTED = OF_PROCESSORS[0]
FOR_IT = frozenset({"better", "mixed"})
"""Kinds of answers after which somebody may want to change something."""


def questions(study: Study) -> tuple[Question, ...]:
    """Return the questions with their answers; the same ones for every study."""
    answers = _answers(study)
    return tuple(
        Question(anchor, title, _blocks(answers[anchor])) for anchor, title in TITLES.items()
    )


def _answers(study: Study) -> dict[str, Iterable[str | Remark | PageBlock]]:
    system, version = system_of(study.log), slurm_version(study.log.site)
    kind = study.verdict.kind
    told = bool(study.verdict.costs)
    found = bool(study.recommended) and told
    untold = NOBODY if kind == "nobody waits" else dict.fromkeys(NOBODY, UNTOLD)
    nothing = () if kind in FOR_IT else (NOTHING,)
    if kind in FOR_IT and study.check.answer == "impossible":
        nothing = (REHEARSED,)
    return {
        "who": gains_and_losses(study) if found else (untold["who"],),
        "hours": hours(study) if found else (untold["hours"],),
        "sure": (*certainty(study), *((ended(study),) if study.rounds.why == "time is up" else ())),
        "queue": our_queue(study),
        "risks": (*(costs(study) if found else ()), *failing(system, version)),
        "scheduler": (
            f"{can_do(system, version)} {order_of(study)}",
            *(estimates_alone(study) if found else ()),
        ),
        "change": (*nothing, *changes(system, version)),
        "undo": undoing(system, version),
        "cost": (COST,),
        "cannot": (unanswered(study),),
        "next": study.verdict.next,
    }


def _blocks(some: Iterable[str | Remark | PageBlock]) -> tuple[PageBlock, ...]:
    """Return what was said as blocks: sentences that follow each other are one list."""
    return tuple(_gathered(some))


def _gathered(some: Iterable[str | Remark | PageBlock]) -> Iterator[PageBlock]:
    said: list[Remark] = []
    for one in some:
        if isinstance(one, str):
            said.append(Remark(one))
        elif isinstance(one, Remark):
            said.append(one)
        else:
            if said:
                yield tuple(said)
                said = []
            yield one
    if said:
        yield tuple(said)


def gains_and_losses(study: Studied) -> Iterator[PageBlock]:
    """Yield the groups as bars, and who gains and loses in sentences."""
    told = {by: study.gains[by] for by in GAINS_TITLES if study.gains.get(by)}
    if told and not any(one.significant_sign for groups in told.values() for one in groups):
        yield remarks([NO_GROUP])
    else:
        yield from (GainBars(GAINS_TITLES[by], groups) for by, groups in told.items())
    yield remarks((*jobs_affected(study), *by_work(study)))


def by_work(study: Studied) -> Iterator[str]:
    """Say what becomes of the wait where work counts, and not jobs."""
    one = study.recommended[AREA_WEIGHTED]
    if one.significant_sign:
        word = "shorter" if one.significant_sign < 0 else "longer"
        yield (
            "Where each job counts by its work (processors x run time), the mean wait is "
            f"{100 * abs(one.change.value or 0.0):.0f} % {word}."
        )
