"""Contents of the papers, to tick off: each table, figure and section with a finding.

A sentence is counted where it tells a figure or a comparison that the paper itself found. What
other papers found, how an experiment was set up, and examples made up to explain are not.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from reproductions.checks.claim import Claim

_PLURAL = re.compile(r"\b(figure|table)s (\w+) and (\w+)")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a paper."""

    name: str
    """A table, a figure or a section, as claims name it."""
    shows: str
    """What is there, in our words."""
    sentences: int = 0
    """How many of its sentences tell a figure or a comparison that the paper found."""
    none: str = ""
    """Why no claim is of it, where none is."""
    tables: int = 0
    figures: int = 0
    """How many it has that have no number of their own."""

    @property
    def kind(self) -> str:
        """What it is: ``table``, ``figure`` or ``section``."""
        word = self.name.partition(" ")[0]
        return word if word in ("table", "figure") else "section"


def places_of(claim: Claim) -> list[str]:
    """Return the names of the places that a claim is from.

    Examples
    --------
    >>> places_of(Claim("004.25", "V.B, figures 9 and 10", ""))
    ['V.B', 'figure 9', 'figure 10']
    """
    return _PLURAL.sub(r"\1 \2, \1 \3", claim.place).split(", ")


def ticked(paper: str, claims: Iterable[Claim]) -> list[tuple[Place, list[str]]]:
    """Return each place of a paper with the names of the claims that are from it."""
    named: dict[str, list[str]] = {place.name: [] for place in CONTENTS[paper]}
    for claim in claims:
        for name in places_of(claim):
            named[name].append(claim.name)
    return [(place, named[place.name]) for place in CONTENTS[paper]]


_POLICIES = "names what is compared"
_DRAWING = "a drawing that explains"

CONTENTS: Mapping[str, tuple[Place, ...]] = MappingProxyType(
    {
        "000": (
            Place("1", "introduction", 1),
            Place("2.1", "waits on COARE", 3),
            Place("table 1", "COARE's jobs by their waits"),
            Place("3.1", "walltimes and run times of five systems", 6),
            Place("figure 1", "daily means of both"),
            Place("3.2", "sizes and run times of their jobs", 5),
            Place("figure 2", "COARE's, Gaia's, MetaCentrum2's and Seth's jobs"),
            Place("figure 3", "Curie's jobs"),
            Place("table 2", "the policies", none=_POLICIES),
            Place("4.2", "two users of COARE", 3),
            Place("figure 4", "their run times"),
            Place("4.4", "corrections", 3),
            Place("figure 5", "estimates step by step"),
            Place("figure 6", "run times on five systems"),
            Place("5.1", "the logs", 2),
            Place("table 3", "the machines and logs"),
            Place("6.1", "waits", 14),
            Place("table 4", "mean waits by system and policy"),
            Place("6.2", "slowdowns", 17),
            Place("table 5", "mean bounded slowdowns by system and policy"),
            Place("6.3", "all together", 2),
            Place("7", "conclusion", 1),
        ),
        "001": (
            Place("0 dataset", "the jobs, and those left out", 6),
            Place(
                "1 preliminary analysis",
                "a table of eight columns' quartiles",
                3,
                tables=1,
                figures=1,
            ),
            Place("1 experiment 1", "two tables of errors", 2, tables=2),
            Place("1 experiment 2", "two tables of errors: the best users", 3, tables=2),
            Place(
                "1 experiment 3", "two tables of errors: means of users as features", 2, tables=2
            ),
            Place("1 experiment 4", "two tables of errors: the last jobs as test", 4, tables=2),
            Place("1 conclusions", "of the predictions", 5),
            Place("2 data preparation", "the day", 1),
            Place("2 simulation inputs", "platforms and profiles", 1),
            Place("2 experiments 1-2", "two tables: 512 processors", 6, tables=2),
            Place("2 experiments 3-4", "two tables and a list: 15,680 processors", 11, tables=2),
            Place(
                "2 conclusions",
                "of the schedules",
                2,
                none="sums up experiments 1 to 4",
            ),
        ),
        "002": (
            Place(
                "User Walltime Prediction",
                "a table of four logs, and a picture of users",
                2,
                tables=1,
                figures=1,
            ),
            Place("Prediction Accuracy", "deviation ratios", 1, figures=1),
            Place("Accuracy Improvement Heatmap", "by size and run time of jobs", figures=1),
            Place("Average Waiting Time", "mean waits (figure 6)", 1, figures=1),
            Place("Waiting time Improvement Heatmap", "by size and run time of jobs", figures=1),
            Place("Conclusion", "and future work", 3),
        ),
        "003": (
            Place("2.1", "users' estimates", 2),
            Place("figure 1", "distributions of walltimes and run times"),
            Place("figure 2", "how soft walltimes are made", none=_DRAWING),
            Place("2.3", "the predictors", 4),
            Place("figure 3", "a user's run times"),
            Place("3.1", "three predictors on one workload", 5),
            Place("figure 4", "their errors in order"),
            Place("3.2", "three predictors in production", 10),
            Place("figure 5", "errors by length of jobs, and how many jobs"),
            Place("figure 6", "errors by user"),
            Place("3.3", "queues", 5),
            Place("figure 7", "errors by length and by queue, and how many jobs"),
            Place("4", "the two periods", 3),
            Place("4.1", "their jobs", 7),
            Place("figure 8", "jobs by length in both"),
            Place("figure 9", "jobs and work by size, and by run time and walltime, in both"),
            Place("4.2", "waits and slowdowns of both", 7),
            Place("figure 10", "both by length of jobs"),
        ),
        "004": (
            Place("II.B", "Intrepid", none="describes the machine"),
            Place("figure 1", "draining and backfilling", none=_DRAWING),
            Place("III.A", "accuracy of estimates elsewhere", none="other papers' figures"),
            Place("IV.A", "the log", 3),
            Place("table I", "its two parts"),
            Place(
                "figure 2", "jobs by size and length", none="its shares are in the picture alone"
            ),
            Place("IV.B", "accuracy of users' estimates", 4),
            Place("figure 3", "run times by walltimes"),
            Place("table II", "the roles of run times", none=_POLICIES),
            Place("IV.C", "what accurate estimates change", 27),
            Place("table III", "FCFS and WFP"),
            Place("figure 4a", "FCFS by accuracy, all jobs"),
            Place("figure 4b", "FCFS by accuracy, without the top 1 %"),
            Place("figure 4c", "FCFS by accuracy, how jobs were started"),
            Place("figure 5a", "WFP by accuracy, all jobs"),
            Place("figure 5b", "WFP by accuracy, without the top 1 %"),
            Place("figure 5c", "WFP by accuracy, how jobs were started"),
            Place("figure 6", "means by role and share of the jobs"),
            Place("figure 7", "how jobs were started, by role"),
            Place("V.B", "what adjusted estimates change", 20),
            Place("figure 8", "four schemes"),
            Place("figure 8c", "four schemes, how jobs were started"),
            Place("figure 9", "schemes by size of jobs"),
            Place("figure 10", "schemes by length of jobs"),
            Place("VI", "conclusion", 5),
        ),
    }
)
"""By paper, in its order."""
