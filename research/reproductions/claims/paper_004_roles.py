"""Claims of paper 004 about run times in some roles of a schedule (section IV)."""

from reproductions.checks.claim import GENERAL, Claim
from reproductions.checks.of_simulations import LeastAmong
from reproductions.checks.statement import Statement
from reproductions.claims.paper_004_trying import (
    BACKFILLED,
    BELOW,
    EXACT,
    LOGS,
    MEASURES,
    ROLES,
    alike,
    by_july,
    counted_and_blocked,
    less,
)

IN_ROLES = (
    Claim(
        "004.21",
        "IV.C, figure 6",
        "Run times in any of the three roles, and in all but draining (S110), are better than "
        "none.",
        checks=tuple(check for name in ROLES for check in less(name, "WFP")),
        answer=by_july("figure 6"),
    ),
    Claim(
        "004.22",
        "IV.C, VI, figure 6",
        "Run times in the order of the queue gain more than in the choice of jobs to backfill, and "
        "than in draining.",
        kind=GENERAL,
        checks=(*less("S100", "S010"), *less("S100", "S001")),
        answer=by_july("figure 6"),
    ),
    Claim(
        "004.23",
        "IV.C, figure 6",
        "Run times in all roles (S111), or in all but draining (S110), gain the most.",
        checks=tuple(
            counted_and_blocked(
                *(
                    Statement(LeastAmong(policy, ("S001", "S010", "S100")), log=log)
                    for log in LOGS
                    for policy in (EXACT, "S110")
                )
            )
        ),
        answer=by_july("figure 6"),
    ),
    Claim(
        "004.24",
        "IV.C, figure 6",
        "Without the top 1 % S110 waits a little less than S111.",
        checks=less("S110", EXACT, BELOW[:1]),
        answer=by_july("figure 6"),
    ),
    Claim(
        "004.25",
        "IV.C, figure 6",
        "Over all jobs S110 has a larger unitless wait and slowdown than S111.",
        checks=less(EXACT, "S110", MEASURES[1:]),
        answer=by_july("figure 6"),
    ),
    Claim(
        "004.26",
        "IV.C, figure 7",
        "S010 backfills the most jobs, then S110; S111 the fewest.",
        checks=(
            *less("S110", "S010", BACKFILLED),
            *(
                check
                for other in ("WFP", "S001", "S100", EXACT)
                for check in less(other, "S110", BACKFILLED)
            ),
            *counted_and_blocked(
                *(
                    Statement(LeastAmong(EXACT, ("WFP", *ROLES), BACKFILLED[0]), log=log)
                    for log in LOGS
                )
            ),
        ),
        answer=by_july("figure 7"),
    ),
    Claim(
        "004.53",
        "IV.C, figure 6",
        "Over all jobs S110 and S111 wait for very nearly as long (here: within 5 %).",
        checks=alike("S110", EXACT, MEASURES[0]),
        answer='"very close" has no number; figure 6 decides, by the 10,479 jobs that they '
        "counted in July, where the archive's release has 8,258",
    ),
)
