"""Paper 001, part 2: jobs scheduled by predicted run times, on two machines."""

from reproductions.checks.claim import DATA, THEIRS, Claim
from reproductions.checks.of_the_day import DAY, DayCounts, DayShares
from reproductions.checks.statement import About, Size, Statement, above, below, on
from reproductions.claims.paper_001_trying import (
    BIG,
    ORDERED_BY,
    SMALL,
    both,
    digits,
    shares,
    source_of,
    table_of,
    waits_of,
)
from reproductions.day import LARGEST_LAST

CLAIMS = (
    Claim(
        "001.9",
        "2 experiments 1-2",
        "batsched's easy_bf gives these figures on 512 processors.",
        "mean wait 163,846.31 s, and six others",
        checks=digits(SMALL, "easy_bf", table_of(SMALL, "easy_bf")),
    ),
    Claim(
        "001.10",
        "2 experiments 3-4",
        "batsched's easy_bf gives these figures on 15,680 processors.",
        "mean wait 953.38 s, and six others",
        checks=digits(BIG, "easy_bf", table_of(BIG, "easy_bf")),
    ),
    Claim(
        "001.11",
        "2 experiments 1-2",
        "On 512 processors shortest predicted first ends the last job sooner.",
        "-5.99 %, as it divides; -5.65 % of easy_bf's",
        checks=both(SMALL, "makespan"),
    ),
    Claim(
        "001.12",
        "2 experiments 1-2",
        "On 512 processors pred_aware's mean wait is shorter.",
        "-28.54 %, where its figures divide to -28.53 %; -22.20 % of easy_bf's",
        checks=both(SMALL, "mean_waiting_time"),
    ),
    Claim(
        "001.13",
        "2 experiments 1-2",
        "On 512 processors pred_aware's mean turnaround is shorter.",
        "-28.21 %, where its figures divide to -28.20 %; -22.00 % of easy_bf's",
        checks=both(SMALL, "mean_turnaround_time"),
    ),
    Claim(
        "001.14",
        "2 experiments 1-2",
        "On 512 processors pred_aware's mean slowdown is larger.",
        "+11.80 %, as it divides; +13.38 % of easy_bf's",
        checks=both(SMALL, "mean_slowdown", above(0.0)),
    ),
    Claim(
        "001.15",
        "2 experiments 1-2",
        "On 512 processors pred_aware's longest wait is shorter.",
        "-3.21 %, where its figures divide to -3.23 %; -3.13 % of easy_bf's",
        checks=both(SMALL, "max_waiting_time"),
    ),
    Claim(
        "001.16",
        "2 experiments 1-2",
        "On 512 processors pred_aware's largest slowdown is smaller.",
        "-128.09 %, where its figures divide to -127.82 %; -56.11 % of easy_bf's",
        checks=both(SMALL, "max_slowdown"),
    ),
    Claim(
        "001.17",
        "2 experiments 1-2",
        "Nearly eight times as many jobs wait for less than 10 min.",
        "22.76 % instead of 2.95 %; 1004 and 130 jobs, where 22.76 % are 1003",
        checks=both(SMALL, "waits under 10 min", above(0.0)),
    ),
    Claim(
        "001.18",
        "2 experiments 3-4",
        "On 15,680 processors pred_aware's mean wait is shorter.",
        "-11.21 %",
        checks=both(BIG, "mean_waiting_time"),
    ),
    Claim(
        "001.19",
        "2 experiments 3-4",
        "On 15,680 processors pred_aware's mean slowdown is far smaller.",
        "-94.96 %",
        checks=both(BIG, "mean_slowdown"),
    ),
    Claim(
        "001.20",
        "2 experiments 3-4",
        "On 15,680 processors pred_aware's longest wait is longer.",
        "+34.88 %, where its figures divide to +34.86 %",
        checks=both(BIG, "max_waiting_time", above(0.0)),
    ),
    Claim(
        "001.21",
        "2 experiments 3-4",
        "On 15,680 processors pred_aware's largest slowdown is far smaller.",
        "-97.85 %",
        checks=both(BIG, "max_slowdown"),
    ),
    Claim(
        "001.22",
        "2 experiments 3-4",
        "Some more jobs wait for less than 10 min.",
        "88.56 % instead of 84.41 %; 3903 and 3720 jobs",
        checks=both(BIG, "waits under 10 min", above(0.0)),
    ),
    Claim(
        "001.23",
        "2 experiments 1-2, 2 experiments 3-4",
        "How long the scheduler computes.",
        "210 and 195 s; 38 and 241 s",
        untried="it was measured on another machine, and includes fitting the tree",
    ),
    Claim(
        "001.24",
        "2 experiments 1-2",
        "On 512 processors pred_aware's longest turnaround is shorter.",
        "-0.37 %",
        checks=both(SMALL, "max_turnaround_time"),
    ),
    Claim(
        "001.25",
        "2 experiments 1-2",
        "Under batsched's easy_bf these shares of the jobs wait for less than 1 min, 10 min, 1 h, "
        "6 h and 24 h.",
        "2.06; 2.95; 15.95; 56.93; 71.84 %",
        checks=digits(SMALL, "easy_bf", waits_of(SMALL, "easy_bf")),
    ),
    Claim(
        "001.26",
        "2 experiments 1-2",
        "More jobs wait for less than 1 min, and for less than 1 h, with shortest predicted first.",
        "13.09 % instead of 2.06 %; 32.92 % instead of 15.95 %",
        checks=(
            *both(SMALL, "waits under 1 min", above(0.0)),
            *both(SMALL, "waits under 1 h", above(0.0)),
        ),
    ),
    Claim(
        "001.27",
        "2 experiments 1-2",
        "On 512 processors fewer jobs wait for less than 6 h, and for less than a day: almost 5 % "
        "more wait for longer.",
        "55.84 % instead of 56.93 %; 66.94 % instead of 71.84 %; 1457 and 1241 jobs over a day",
        checks=(*both(SMALL, "waits under 6 h"), *both(SMALL, "waits under 24 h")),
    ),
    Claim(
        "001.28",
        "2 experiments 1-2",
        "Jobs of the largest size wait for the end: nearly all are among the last 700 (here: more "
        "than 90 % of them).",
        "685 of 689",
        checks=shares(LARGEST_LAST, above(0.9), 685 / 689, processors=SMALL),
    ),
    Claim(
        "001.29",
        "2 data preparation, 2 simulation inputs, 2 experiments 1-2",
        "The day has 4,407 jobs of 1,807 profiles, of 256 processors at most; 689 ask for these.",
        "4,407; 1,807; 256; 689",
        kind=DATA,
        checks=on(
            (DAY,),
            Statement(
                DayCounts({"jobs": 4407, "profiles": 1807, "largest size": 256, "largest": 689}),
                source=THEIRS,
            ),
        ),
    ),
    Claim(
        "001.30",
        "2 experiments 3-4",
        "On 15,680 processors the last job ends at the same time, and the longest turnaround is "
        "the same (here: within 0.1 %).",
        "+0.00 %; +0.00 %",
        checks=(
            *both(BIG, "makespan", About(0.001), sized=False),
            *both(BIG, "max_turnaround_time", About(0.001), sized=False),
        ),
    ),
    Claim(
        "001.31",
        "2 experiments 3-4",
        "On 15,680 processors pred_aware's mean turnaround is shorter.",
        "-4.35 %",
        checks=both(BIG, "mean_turnaround_time"),
    ),
    Claim(
        "001.32",
        "2 experiments 3-4",
        "There these shares of the jobs wait for less than 1 min, 10 min, 1 h and 6 h under "
        "easy_bf.",
        "80.58; 84.41; 89.88; 100.00 %",
        checks=digits(BIG, "easy_bf", waits_of(BIG, "easy_bf")),
    ),
    Claim(
        "001.33",
        "2 experiments 3-4",
        "There, too, more jobs wait for less than 1 min, and for less than 1 h; all for less than "
        "6 h (here: more than 99.9 %).",
        "84.86 % instead of 80.58 %; 91.49 % instead of 89.88 %; 100.00 %",
        checks=(
            *both(BIG, "waits under 1 min", above(0.0)),
            *both(BIG, "waits under 1 h", above(0.0)),
            *shares("waits under 6 h", above(0.999)),
        ),
    ),
    Claim(
        "001.34",
        "2 experiments 3-4",
        "There nine tenths of the jobs wait no longer than under easy_bf (here: more than half).",
        "90.58 %, 3992 jobs",
        checks=shares("wait no longer", above(0.5), 0.9058),
    ),
    Claim(
        "001.35",
        "2 experiments 3-4",
        "There more jobs wait for 10 min less than for 10 min more, and for an hour less than for "
        "an hour more.",
        "8.24 and 5.74 %; 4.52 and 3.47 %",
        checks=tuple(
            Statement(
                DayShares(BIG, f"wait {time} more", f"wait {time} less", one),
                log=DAY,
                size=Size(more / less - 1.0),
                source=source_of(one),
            )
            for time, more, less in (("10 min", 5.74, 8.24), ("1 h", 3.47, 4.52))
            for one in ORDERED_BY
        ),
    ),
    Claim(
        "001.36",
        "2 experiments 3-4",
        "There fewer than 2 % of the jobs wait for longer than the longest under easy_bf.",
        "85 of 4,407",
        checks=shares("wait beyond easy_bf's longest", below(0.02), 85 / 4407),
    ),
    Claim(
        "001.54",
        "2 experiments 1-2",
        "On 512 processors its scheduler gives these figures, and shares of the jobs by their "
        "waits.",
        "mean wait 127,474.56 s, and six others; 13.09; 22.76; 32.92; 55.84; 66.94 %",
        checks=digits(
            SMALL,
            "pred_aware",
            {**table_of(SMALL, "pred_aware"), **waits_of(SMALL, "pred_aware")},
        ),
    ),
    Claim(
        "001.55",
        "2 experiments 3-4",
        "On 15,680 processors it gives these.",
        "mean wait 846.54 s, and six others; 84.86; 88.56; 91.49; 100.00 %",
        checks=digits(
            BIG, "pred_aware", {**table_of(BIG, "pred_aware"), **waits_of(BIG, "pred_aware")}
        ),
    ),
)
