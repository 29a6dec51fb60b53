"""The answer of a study, in plain words."""

from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.study.consequences import costs, queue, trust, what_next, who
from pred_aware.study.first_sentence import first_sentence, no_time
from pred_aware.study.kinds import Kind, kind_of, why_not
from pred_aware.study.policies import RECOMMENDED
from pred_aware.study.studied import Studied

_COMPARED = (
    "Compared are EASY backfilling, which plans with the walltimes that users ask for, as batch "
    f"systems do today, and `{RECOMMENDED}`, which plans with run times predicted from past jobs; "
    "both simulated on this log."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer."""

    kind: Kind
    """What was found of the recommended policy."""
    sentence: str
    """The answer in one sentence."""
    compared: tuple[str, ...]
    """What was compared, in sentences."""
    gains: tuple[str, ...]
    costs: tuple[str, ...]
    next: tuple[str, ...]
    """What to do next."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def verdict(study: Studied) -> Verdict:
    """Draw the conclusion."""
    unanswered = why_not(study)
    if unanswered is not None:
        return Verdict(
            unanswered.kind, unanswered.sentence, (_COMPARED,), (), (), (unanswered.next,)
        )
    if not study.recommended:
        return Verdict("no time", no_time(study), (), (), (), tuple(what_next(study, "no time")))
    kind = kind_of(study)
    told = kind != "nobody waits"
    return Verdict(
        kind,
        first_sentence(study, kind),
        (_COMPARED, *trust(study), *queue(study)),
        tuple(who(study)) if told else (),
        tuple(costs(study)) if told else (),
        tuple(what_next(study, kind)),
    )


def known_without_shakes(study: Studied) -> str:
    """Say why no shake would change the answer; empty where one may.

    Parameters
    ----------
    study
        What is known of the log as it is.
    """
    if why_not(study) is not None:
        return "the log can't answer, however often it is simulated"
    if study.recommended and kind_of(study) == "nobody waits":
        return "hardly a job waits, so that no difference can be significant"
    return ""
