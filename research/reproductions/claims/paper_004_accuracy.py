"""Claims of paper 004 about its traces, and about accurate estimates (section IV)."""

from itertools import pairwise

from reproductions.checks.claim import DATA, GENERAL, Claim
from reproductions.checks.of_counts import Count
from reproductions.checks.of_simulations import LeastAmong, PolicyDifference
from reproductions.checks.statement import Between, Equal, Size, Statement, above, below, on
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
    SLOWDOWN,
    UWAIT,
    WAIT,
    WFP,
    alike,
    by_july,
    counted_and_blocked,
    less,
)

_TRACED = (BEFORE, JULY, "Mira")

TRACES = (
    Claim(
        "004.1",
        "IV.A, table I",
        "From January to June Intrepid had 48,056 jobs of 207 users.",
        "48,056; 207",
        kind=DATA,
        checks=on(
            (BEFORE,),
            Statement(Count("jobs", ""), Equal(48056)),
            Statement(Count("users", ""), Equal(207)),
        ),
        answer="the archive's log is another release, with 52,699 jobs of these months",
    ),
    Claim(
        "004.2",
        "IV.A, table I",
        "In July it had 10,479 jobs of 103 users.",
        "10,479; 103",
        kind=DATA,
        checks=on(
            (JULY,),
            Statement(Count("jobs", ""), Equal(10479)),
            Statement(Count("users", ""), Equal(103)),
        ),
        answer="the archive's log is another release, with 8,258 jobs of July",
    ),
    Claim(
        "004.3",
        "IV.B, figure 3",
        "A fifth of the jobs run a little longer than their walltimes (here: 15 to 25 % run longer "
        "at all).",
        "20 %",
        kind=DATA,
        checks=on(
            _TRACED,
            Statement(Count("run beyond walltime"), Between(0.15, 0.25), size=Size(0.2)),
        ),
        answer=by_july("figure 3"),
    ),
    Claim(
        "004.4",
        "IV.B, figure 3",
        "The estimates of 11 to 13 % are accurate (here: of jobs that use 0.9 to all of theirs; "
        "the paper does not say what is).",
        "11 to 13 %",
        kind=DATA,
        checks=on(
            _TRACED,
            Statement(Count("used 0.9 to 1"), Between(0.11, 0.13)),
        ),
        answer="figure 3 decides, and what they take for accurate, which is not said",
    ),
    Claim(
        "004.5",
        "IV.B, figure 3",
        "Most jobs run for less than half of theirs (here: more than 50 %).",
        kind=DATA,
        checks=on(_TRACED, Statement(Count("used under 0.5"), above(0.5))),
        answer='"most estimates are not accurate (R < 0.5)" may be of the jobs that are neither '
        "accurate nor over 1",
    ),
    Claim(
        "004.6",
        "IV.B, figure 3",
        "More than a fifth run for less than a fifth of theirs.",
        "over 20 %",
        kind=DATA,
        checks=on(_TRACED, Statement(Count("used under 0.2"), above(0.2))),
        answer=by_july("figure 3"),
    ),
)

ACCURACY = (
    Claim(
        "004.7",
        "IV.C, table III",
        "WFP is better than FCFS in the mean wait, unitless wait and slowdown.",
        "62.9 and 80.9 min; 0.96 and 1.92; 6.36 and 10.14",
        checks=less(
            "WFP", "FCFS", sizes=(62.9 / 80.9 - 1.0, 0.96 / 1.92 - 1.0, 6.36 / 10.14 - 1.0)
        ),
        answer=by_july("table III"),
    ),
    Claim(
        "004.8",
        "IV.C, table III",
        "WFP is better than FCFS without the top 1 %, too.",
        "50.9 and 65.5 min; 0.64 and 1.18; 3.65 and 5.79",
        checks=less(
            "WFP",
            "FCFS",
            BELOW,
            sizes=(50.9 / 65.5 - 1.0, 0.64 / 1.18 - 1.0, 3.65 / 5.79 - 1.0),
        ),
        answer=by_july("table III"),
    ),
    Claim(
        "004.9",
        "IV.C, table III",
        "WFP backfills fewer jobs than FCFS.",
        "1293 and 1791",
        checks=less("WFP", "FCFS", BACKFILLED, sizes=(1293 / 1791 - 1.0,)),
        answer=by_july("table III"),
    ),
    Claim(
        "004.10",
        "IV.C, figure 4a",
        "Under FCFS an accuracy of 0.25 takes a little off the mean wait.",
        "less than 5 %",
        checks=less("FCFS a=0.25", "FCFS", WAIT, sizes=(Size(-0.05, 0.0),)),
        answer=by_july("figure 4a"),
    ),
    Claim(
        "004.11",
        "IV.C, figure 4a",
        "Under FCFS exact run times leave the mean wait where it was (here: within 5 %).",
        "almost the same",
        checks=alike("FCFS a=1", "FCFS", MEASURES[0]),
        answer=by_july("figure 4a"),
    ),
    Claim(
        "004.12",
        "IV.C, figure 4a",
        "Under FCFS accuracies of 0.5 and 0.75 make the mean wait nearly 10 % longer.",
        "10 %",
        checks=tuple(
            check
            for name in ("FCFS a=0.5", "FCFS a=0.75")
            for check in less("FCFS", name, WAIT, sizes=(1.0 / 1.1 - 1.0,))
        ),
        answer=by_july("figure 4a"),
    ),
    Claim(
        "004.13",
        "IV.C, figure 4a",
        "Under FCFS the unitless wait is worse with any accuracy than with the users' estimates.",
        checks=tuple(check for name in FCFS[1:] for check in less("FCFS", name, UWAIT)),
        answer=by_july("figure 4a"),
    ),
    Claim(
        "004.14",
        "IV.C, figure 4a",
        "Under FCFS the slowdown gains with any accuracy but 0.5.",
        checks=tuple(
            check
            for name in ("FCFS a=0.25", "FCFS a=0.75", "FCFS a=1")
            for check in less(name, "FCFS", SLOWDOWN)
        ),
        answer=by_july("figure 4a"),
    ),
    Claim(
        "004.15",
        "IV.C, figure 4b",
        "Without the top 1 % accuracy mostly gains under FCFS, too.",
        checks=tuple(check for name in FCFS[1:] for check in less(name, "FCFS", BELOW)),
        answer=by_july("figure 4b"),
    ),
    Claim(
        "004.16",
        "IV.C, figure 4c",
        "More accurate estimates arguably let more jobs be backfilled under FCFS (here: each "
        "step).",
        kind=GENERAL,
        checks=tuple(
            check for low, high in pairwise(FCFS) for check in less(low, high, BACKFILLED)
        ),
        answer='they say "arguably"; figure 4c decides, of the steps together and not of each',
    ),
    Claim(
        "004.17",
        "IV.C, figure 5a",
        "Under WFP exact run times gain 30 to over 50 % in all three.",
        "30 to 50 %",
        checks=less(EXACT, "WFP", sizes=(Size(-0.55, -0.3),)),
        answer=by_july("figure 5a"),
    ),
    Claim(
        "004.18",
        "IV.C, figure 5a",
        "Under WFP the more accurate, the better (here: each step).",
        checks=tuple(check for low, high in pairwise(WFP) for check in less(high, low)),
        answer='"almost completely" leaves room for a step that is none; figure 5a decides',
    ),
    Claim(
        "004.19",
        "IV.C, figure 5b",
        "Under WFP exact run times gain without the top 1 %, too.",
        checks=less(EXACT, "WFP", BELOW),
        answer=by_july("figure 5b"),
    ),
    Claim(
        "004.20",
        "IV.C, figure 5c",
        "Under WFP the more accurate, the more jobs start from the head of the queue (here: each "
        "step).",
        checks=tuple(check for low, high in pairwise(WFP) for check in less(low, high, HEAD)),
        answer=by_july("figure 5c"),
    ),
    Claim(
        "004.49",
        "IV.C, figure 4a",
        "Under FCFS an accuracy of 0.25 is probably the best, and exact run times are the second "
        "best.",
        checks=counted_and_blocked(
            *(
                Statement(LeastAmong(name, others, measure), log=log)
                for log in LOGS
                for measure in MEASURES
                for name, others in (
                    ("FCFS a=0.25", ("FCFS a=0.5", "FCFS a=0.75", "FCFS a=1")),
                    ("FCFS a=1", ("FCFS a=0.5", "FCFS a=0.75")),
                )
            )
        ),
        answer='they say "probably", and that it is hard to tell which accuracy is the best; '
        "figure 4a decides",
    ),
    Claim(
        "004.50",
        "IV.C, VI, figure 4a",
        "FCFS is not sensitive to users' estimates (here: with exact run times wait, unitless wait "
        "and slowdown are within 10 %).",
        kind=GENERAL,
        checks=tuple(
            check
            for measure in MEASURES
            for check in alike("FCFS a=1", "FCFS", measure, within=0.1)
        ),
        answer="it looks at the mean wait; its slowdown, too, gains with three of four accuracies "
        "(004.14)",
    ),
    Claim(
        "004.51",
        "IV.C, table III, figure 7",
        "Performance is more sensitive to the order than to the number of backfillings (here: WFP "
        "backfills fewer jobs than FCFS and waits less, S100 fewer than S010 and waits less).",
        kind=GENERAL,
        checks=tuple(
            check
            for one, other in (("WFP", "FCFS"), ("S100", "S010"))
            for check in less(one, other, (*BACKFILLED, *WAIT))
        ),
        answer="they call it implicit in table III, and weigh neither against the other; its "
        "waits and counts decide, of their jobs of July",
    ),
    Claim(
        "004.52",
        "VI",
        "More accurate estimates considerably improve policies that favour short jobs (here: exact "
        "run times take more than a tenth off WFP's wait, unitless wait and slowdown).",
        kind=GENERAL,
        checks=counted_and_blocked(
            *(
                Statement(PolicyDifference(EXACT, "WFP", measure), below(-0.1), log)
                for log in LOGS
                for measure in MEASURES
            )
        ),
        answer=by_july("figure 5a"),
    ),
)
