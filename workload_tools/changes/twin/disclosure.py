"""Risk of disclosure: what a twin could still reveal of its original."""

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
"""Seconds that a date known to somebody may be off."""
LINK_RUN_TIME = 0.1
"""By which part a run time known to somebody may be off."""

SHORTEST = 1e-3
"""Seconds: shorter run times are not told apart."""

Kind = tuple[int, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What somebody who knows a part of the original could find in the twin.

    All shares are from 0 to 1.
    """

    jobs: int
    users: int
    """How many there are."""
    copied: float
    """Share of the twin's jobs whose size, walltime and run time together are those of exactly one
    job of the original."""
    same_second: float
    """Share of the twin's jobs submitted in the second in which the same user submitted one."""
    in_place: float
    """Share of the twin's jobs in the session in which they were."""
    found: float
    """Share of the original's jobs for which the twin has a job with the same size and walltime, a
    run time within 10 %, submitted within an hour: what somebody sees who looks for a job."""
    found_right: float
    """Share for which there is only one such job, and it was made of that very job."""
    known_by_count: int
    """How many users keep a number of jobs that nobody else has: whoever knows how many jobs each
    user had knows them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as they are written to JSON."""
        return asdict(self)


def disclosure(pairs: "Sequence[TwinPair]") -> Disclosure:
    """Measure what a twin could still reveal.

    Dates are compared as if somebody knew by how much the twin's are shifted as a whole, which
    can be found out from either log's days and nights.

    Parameters
    ----------
    pairs
        Those of a `TwinLog`; at least one.
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
    """Count the originals that somebody would find in the twin, and those found rightly."""
    # pairs come by the twins' submission, so that these lists are sorted
    shelves: dict[tuple[Kind, int], list[TwinPair]] = {}
    for pair in pairs:
        shelves.setdefault((_kind(pair.twin), _shelf(pair.twin.run_time)), []).append(pair)
    dates = {key: [pair.twin.submit_time for pair in alike] for key, alike in shelves.items()}
    found = right = 0
    for pair in pairs:
        # whether there are more than two makes no difference, so that a flurry costs no more
        candidates = list(islice(_candidates(pair.original, shelves, dates), 2))
        found += bool(candidates)
        right += len(candidates) == 1 and candidates[0] is pair
    return found, right


def _candidates(
    job: "Job",
    shelves: "Mapping[tuple[Kind, int], Sequence[TwinPair]]",
    dates: "Mapping[tuple[Kind, int], Sequence[float]]",
) -> "Iterator[TwinPair]":
    """Yield the twin's jobs that may be made of a job; on its own shelf, all near its date are."""
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
    """Return the power of 1.1 below a run time: one within 10 % is two lower to one higher."""
    return math.floor(math.log(max(run_time, SHORTEST), 1.0 + LINK_RUN_TIME))


def _known_by_count(pairs: "Sequence[TwinPair]") -> int:
    """Count the users who alone have their number of jobs, in both logs the same."""
    before = Counter(pair.original.user for pair in pairs)
    after = Counter(pair.submitter for pair in pairs)
    holders = Counter(before.values())
    return sum(holders[count] == 1 and after[user] == count for user, count in before.items())
