"""Claims of paper 004 about its traces, and about accurate estimates (section IV)."""

from itertools import pairwise

from reproductions.checks.claim import Claim
from reproductions.checks.of_counts import Count
from reproductions.checks.of_simulations import LeastAmong
from reproductions.checks.statement import Equal, Statement, above, below, on
from reproductions.claims.paper_004_trying import (
    BACKFILLED,
    BEFORE,
    BELOW,
    EXACT,
    FCFS,
    HEAD,
    JULY,
    LOGS,
    MEASURES,
    ROLES,
    SLOWDOWN,
    UWAIT,
    WAIT,
    WFP,
    alike,
    counted_and_blocked,
    less,
)

_TRACED = (BEFORE, JULY, "Mira")

TRACES = (
    Claim(
        "",
        "IV.A, table I",
        "From January to June Intrepid had 48,056 jobs of 207 users.",
        "48,056; 207",
        checks=on(
            (BEFORE,),
            Statement(Count("jobs", ""), Equal(48056)),
            Statement(Count("users", ""), Equal(207)),
        ),
    ),
    Claim(
        "",
        "IV.A, table I",
        "In July it had 10,479 jobs of 103 users.",
        "10,479; 103",
        checks=on(
            (JULY,),
            Statement(Count("jobs", ""), Equal(10479)),
            Statement(Count("users", ""), Equal(103)),
        ),
    ),
    Claim(
        "",
        "IV.B, figure 3",
        "A fifth of the jobs run a little longer than their walltimes (here: 15 to 25 %).",
        "20 %",
        checks=on(
            _TRACED,
            Statement(Count("run beyond walltime"), above(0.15)),
            Statement(Count("run beyond walltime"), below(0.25)),
        ),
    ),
    Claim(
        "",
        "IV.B, figure 3",
        "The estimates of 11 to 13 % are accurate (here: of those that use 0.9 to all of theirs).",
        "11 to 13 %",
        checks=on(
            _TRACED,
            Statement(Count("used 0.9 to 1"), above(0.11)),
            Statement(Count("used 0.9 to 1"), below(0.13)),
        ),
    ),
    Claim(
        "",
        "IV.B, figure 3",
        "Most jobs run for less than half of theirs (here: more than 50 %).",
        checks=on(_TRACED, Statement(Count("used under 0.5"), above(0.5))),
    ),
    Claim(
        "",
        "IV.B, figure 3",
        "More than a fifth run for less than a fifth of theirs.",
        "over 20 %",
        checks=on(_TRACED, Statement(Count("used under 0.2"), above(0.2))),
    ),
)

ACCURACY = (
    Claim(
        "",
        "IV.C, table III",
        "WFP is better than FCFS in the mean wait, unitless wait and slowdown.",
        "62.9 and 80.9 min; 0.96 and 1.92; 6.36 and 10.14",
        checks=less("WFP", "FCFS"),
    ),
    Claim(
        "",
        "IV.C, table III",
        "WFP is better than FCFS without the top 1 %, too.",
        "50.9 and 65.5 min; 0.64 and 1.18; 3.65 and 5.79",
        checks=less("WFP", "FCFS", BELOW),
    ),
    Claim(
        "",
        "IV.C, table III",
        "WFP backfills fewer jobs than FCFS.",
        "1293 and 1791",
        checks=less("WFP", "FCFS", BACKFILLED),
    ),
    Claim(
        "",
        "IV.C, figure 4a",
        "Under FCFS an accuracy of 0.25 takes a little off the mean wait.",
        "less than 5 %",
        checks=less("FCFS a=0.25", "FCFS", WAIT),
    ),
    Claim(
        "",
        "IV.C, figure 4a",
        "Under FCFS exact run times leave the mean wait where it was (here: within 5 %).",
        "almost the same",
        checks=alike("FCFS a=1", "FCFS", MEASURES[0]),
    ),
    Claim(
        "",
        "IV.C, figure 4a",
        "Under FCFS accuracies of 0.5 and 0.75 make the mean wait nearly 10 % longer.",
        "10 %",
        checks=(*less("FCFS", "FCFS a=0.5", WAIT), *less("FCFS", "FCFS a=0.75", WAIT)),
    ),
    Claim(
        "",
        "IV.C, figure 4a",
        "Under FCFS the unitless wait is worse with any accuracy than with the users' estimates.",
        checks=tuple(check for name in FCFS[1:] for check in less("FCFS", name, UWAIT)),
    ),
    Claim(
        "",
        "IV.C, figure 4a",
        "Under FCFS the slowdown gains with any accuracy but 0.5.",
        checks=tuple(
            check
            for name in ("FCFS a=0.25", "FCFS a=0.75", "FCFS a=1")
            for check in less(name, "FCFS", SLOWDOWN)
        ),
    ),
    Claim(
        "",
        "IV.C, figure 4b",
        "Without the top 1 % accuracy mostly gains under FCFS, too.",
        checks=tuple(check for name in FCFS[1:] for check in less(name, "FCFS", BELOW)),
    ),
    Claim(
        "",
        "IV.C, figure 4c",
        "More accurate estimates arguably let more jobs be backfilled under FCFS: each step.",
        checks=tuple(
            check for low, high in pairwise(FCFS) for check in less(low, high, BACKFILLED)
        ),
    ),
    Claim(
        "",
        "IV.C, figure 5a",
        "Under WFP exact run times gain 30 to over 50 % in all three.",
        "30 to 50 %",
        checks=less(EXACT, "WFP"),
    ),
    Claim(
        "",
        "IV.C, figure 5a",
        "Under WFP the more accurate, the better: each step.",
        checks=tuple(check for low, high in pairwise(WFP) for check in less(high, low)),
    ),
    Claim(
        "",
        "IV.C, figure 5b",
        "Under WFP exact run times gain without the top 1 %, too.",
        checks=less(EXACT, "WFP", BELOW),
    ),
    Claim(
        "",
        "IV.C, figure 5c",
        "Under WFP the more accurate, the more jobs start from the head of the queue: each step.",
        checks=tuple(check for low, high in pairwise(WFP) for check in less(low, high, HEAD)),
    ),
)

IN_ROLES = (
    Claim(
        "",
        "IV.C, figure 6",
        "Run times in any of the three roles are better than none.",
        checks=tuple(check for name in ROLES for check in less(name, "WFP")),
    ),
    Claim(
        "",
        "IV.C, figure 6",
        "Run times in the order of the queue gain more than in the choice of jobs to backfill, and "
        "than in draining.",
        checks=(*less("S100", "S010"), *less("S100", "S001")),
    ),
    Claim(
        "",
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
    ),
    Claim(
        "",
        "IV.C, figure 6",
        "Without the top 1 % S110 waits a little less than S111.",
        checks=less("S110", EXACT, BELOW[:1]),
    ),
    Claim(
        "",
        "IV.C, figure 6",
        "Over all jobs S110 has a larger unitless wait and slowdown than S111.",
        checks=less(EXACT, "S110", MEASURES[1:]),
    ),
    Claim(
        "",
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
    ),
)
