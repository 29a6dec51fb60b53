"""The policies that a study puts beside each other."""

from dataclasses import dataclass

BASELINE = "easy"
RECOMMENDED = "recommended"


@dataclass(frozen=True, slots=True)
class Named:
    """A named scheduler, and what it is to somebody who has never heard of it."""

    name: str
    """The scheduler's."""
    what: str
    """In a few words."""


POLICIES = (
    Named(
        BASELINE,
        "EASY backfilling on the users' walltimes, as batch systems do it today; the baseline",
    ),
    Named("easy_plus_plus", "EASY++: EASY on the mean of the user's last two run times"),
    Named("pred_aware", "paper 001: shortest predicted job first, whatever fits starts"),
    Named(
        RECOMMENDED,
        "what pred-aware would try first: who waited longest for their length, by predictions "
        "while these tell short jobs from long ones; nobody is overtaken who has waited for about "
        "as long as EASY lets jobs wait",
    ),
)
"""The first is the baseline."""

PREDICTORS = ("last_two", "similar", "pbs_v3", "knn", "log_boosting", "decision_tree")
"""Those that are measured, the cheapest first."""
