"""Kinds of outcomes of a study for the recommended policy."""

from collections.abc import Mapping
from typing import Literal

from pred_aware.effects.effect import Effect
from pred_aware.recorded_queue.answer import HARDLY
from pred_aware.study.studied import Studied
from pred_aware.study.unanswerable import Unanswerable, Unanswered, unanswerable

Measures = Mapping[str, Effect]
Kind = Literal[
    Unanswered, "no time", "size", "nobody waits", "one run", "not significant", "better", "mixed",
    "worse",
]  # fmt: skip
WAIT, SLOWDOWN, TAIL, LONGEST = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip


def why_not(study: Studied) -> Unanswerable | None:
    """Return why the log can't answer, if it can't."""
    return unanswerable(study.log, ran=len(study.runs[0].ran))


def kind_of(study: Studied) -> Kind:
    """Return what was found, on all sizes that the machine may have."""
    kinds = {_on_a_size(study, found) for found in (study.recommended, *study.on_other_sizes)}
    # it is one answer where all of them give it
    return kinds.pop() if len(kinds) == 1 else "size"


def _on_a_size(study: Studied, found: Measures) -> Kind:
    wait, slowdown, tail = (found[name] for name in (WAIT, SLOWDOWN, TAIL))
    if max(wait.baseline.value or 0.0, wait.value.value or 0.0) < HARDLY:
        return "nobody waits"
    if not study.rounds.shakes:
        return "one run"
    signs = [one.surely for one in (wait, slowdown, tail)]
    if not any(signs[:2]):
        return "not significant"
    if max(signs) <= 0:
        return "better"
    return "worse" if signs[0] > 0 and signs[1] >= 0 else "mixed"
