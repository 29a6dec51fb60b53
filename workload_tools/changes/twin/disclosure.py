"""Risk of disclosure: what a twin could still reveal about its original."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workload_tools.changes.twin.twin_log import TwinPair
    from workload_tools.job import Job

LINK_TIME = 3600.0
"""Tolerance of an attacker's knowledge of a date, in seconds."""
LINK_RUN_TIME = 0.1
"""Relative tolerance of an attacker's knowledge of a run time."""

SHORTEST = 1e-3
"""Shorter run times, in seconds, are treated as equal."""

Kind = tuple[int, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What an attacker who knows a part of the original could find in the twin.

    All shares are between 0 and 1.
    """

    jobs: int
    users: int
    """Numbers of jobs and users."""
    copied: float
    """Share of the twin's jobs that match one job of the original in size, walltime and run time.
    """
    same_second: float
    """Share of the twin's jobs submitted in the same second as an original job of the same user.
    """
    in_place: float
    """Share of the twin's jobs that stayed in their session."""
    found: float
    """Share of the original's jobs for which an attacker finds a match in the twin.

    A match has the same size and walltime, a run time within 10 %, and a submission within an hour.
    """
    found_right: float
    """Share of the original's jobs with exactly one match, which was derived from that job."""
    known_by_count: int
    """Number of users whose number of jobs is unique, and the same in both logs.

    An attacker who knows the users' job counts can identify them.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return asdict(self)


def disclosure(pairs: "Sequence[TwinPair]") -> Disclosure:
    """Measure what a twin could still reveal.

    Dates are compared as if the attacker knew the overall date shift, which the daily pattern of
    the twin may reveal.

    Parameters
    ----------
    pairs
        The pairs of a `TwinLog`; at least one.
    """
    count = len(pairs)
    combinations = Counter(_combination(pair.original) for pair in pairs)
    seconds = {(pair.original.user, pair.original.submit_time) for pair in pairs}
    same_second = sum((pair.submitter, pair.twin.submit_time) in seconds for pair in pairs)
    found, right = _links(pairs)
    return Disclosure(
        jobs=count,
        users=len({pair.original.user for pair in pairs}),
        copied=sum(combinations[_combination(pair.twin)] == 1 for pair in pairs) / count,
        same_second=same_second / count,
        in_place=sum(not pair.moved for pair in pairs) / count,
        found=found / count,
        found_right=right / count,
        known_by_count=_known_by_count(pairs),
    )


def _combination(job: "Job") -> tuple[int, float | None, float]:
    return job.processors, job.walltime, job.run_time


def _links(pairs: "Sequence[TwinPair]") -> tuple[int, int]:
    """Count the original's jobs with a match in the twin, and those with the right match."""
    # pairs are sorted by the twins' submissions, and so are these lists
    shelves: dict[tuple[Kind, int], list[TwinPair]] = {}
    for pair in pairs:
        shelves.setdefault((_kind(pair.twin), _shelf(pair.twin.run_time)), []).append(pair)
    dates = {key: [pair.twin.submit_time for pair in alike] for key, alike in shelves.items()}
    found = right = 0
    for pair in pairs:
        # two candidates are enough to decide, so a flurry costs no more
        candidates = list(islice(_candidates(pair.original, shelves, dates), 2))
        found += bool(candidates)
        right += len(candidates) == 1 and candidates[0] is pair
    return found, right


def _candidates(
    job: "Job",
    shelves: "Mapping[tuple[Kind, int], Sequence[TwinPair]]",
    dates: "Mapping[tuple[Kind, int], Sequence[float]]",
) -> "Iterator[TwinPair]":
    """Yield the twin's jobs that match a job."""
    own = _shelf(job.run_time)
    margin = LINK_RUN_TIME * job.run_time
    for shelf in (own, own - 1, own + 1, own - 2):
        key = _kind(job), shelf
        if key not in shelves:
            continue
        begin = bisect_left(dates[key], job.submit_time - LINK_TIME)
        end = bisect_right(dates[key], job.submit_time + LINK_TIME)
        for place in range(begin, end):
            other = shelves[key][place]
            if abs(other.twin.run_time - job.run_time) <= margin:
                yield other


def _kind(job: "Job") -> Kind:
    return job.processors, job.walltime


def _shelf(run_time: float) -> int:
    """Return the exponent of a run time to the base 1.1.

    Run times within 10 % differ by -2 to 1.
    """
    return math.floor(math.log(max(run_time, SHORTEST), 1.0 + LINK_RUN_TIME))


def _known_by_count(pairs: "Sequence[TwinPair]") -> int:
    """Count the users whose number of jobs is unique, and the same in both logs."""
    before = Counter(pair.original.user for pair in pairs)
    after = Counter(pair.submitter for pair in pairs)
    holders = Counter(before.values())
    return sum(holders[count] == 1 and after[user] == count for user, count in before.items())
