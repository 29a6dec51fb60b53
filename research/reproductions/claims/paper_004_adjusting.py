"""Claims of paper 004 about estimates that are adjusted by past jobs (section V)."""

from reproductions.checks.claim import Claim
from reproductions.checks.of_simulations import PolicyDifference
from reproductions.checks.statement import Size, Statement
from reproductions.claims.paper_004_trying import (
    BACKFILLED,
    BELOW,
    LENGTHS,
    LOGS,
    MEASURES,
    SIZES,
    SLOWDOWN,
    alike,
    by_class,
    by_july,
    by_projects,
    combined,
    counted_and_blocked,
    first_gains_more,
    in_classes,
    less,
    of_schemes,
)

_NO_PROJECTS = "the log that the archive has tells no projects; Mira's does"

ADJUSTED = (
    Claim(
        "004.27",
        "V.B, VI, figure 8",
        "Adjusting by user and project together (combined) is better than by user alone, and than "
        "by project alone.",
        checks=(
            *less("combined", "user-based", logs=("Mira",)),
            *less("combined", "project-based", logs=("Mira",)),
        ),
        answer="their projects decide, which the archive's log of Intrepid does not tell; Mira "
        "is another machine with others",
    ),
    Claim(
        "004.28",
        "V.B, figure 8",
        "By user alone is worse than by project alone.",
        checks=less("project-based", "user-based", logs=("Mira",)),
        answer="their projects decide, which the archive's log of Intrepid does not tell; Mira "
        "is another machine with others",
    ),
    Claim(
        "004.29",
        "V.B, figure 8",
        "The selective scheme (not for draining) is better than by user alone, and by project "
        "alone, too.",
        checks=(
            *less("selective", "user-based"),
            *less("selective", "project-based", logs=("Mira",)),
        ),
        answer=by_projects("figure 8"),
    ),
    Claim(
        "004.30",
        "V.B, figure 8",
        "Combined gains in wait, unitless wait and slowdown.",
        "10.0; 17.7; 20.0 %",
        checks=less("combined", "WFP", logs=("Mira",), sizes=(-0.1, -0.177, -0.2)),
        answer="their projects decide, which the archive's log of Intrepid does not tell; Mira "
        "is another machine with others",
    ),
    Claim(
        "004.31",
        "V.B, figure 8",
        "Selective gains in all three, too.",
        "10.2; 20.21; 12.3 %",
        checks=less("selective", "WFP", sizes=(-0.102, -0.2021, -0.123)),
        answer=by_projects("figure 8"),
    ),
    Claim(
        "004.32",
        "V.B, figure 8",
        "Without the top 1 % both gain up to 25 %.",
        "25 %",
        checks=(
            *less("combined", "WFP", BELOW, logs=("Mira",), sizes=(Size(-0.25, 0.0),)),
            *less("selective", "WFP", BELOW, sizes=(Size(-0.25, 0.0),)),
        ),
        answer=by_projects("figure 8"),
    ),
    Claim(
        "004.33",
        "V.B, figure 8",
        "Selective is better than combined without the top 1 % (Intrepid: than by user).",
        checks=of_schemes(BELOW, better="selective"),
        answer=by_projects("figure 8"),
    ),
    Claim(
        "004.34",
        "V.B, figure 8",
        "Over all jobs selective is not as good as combined (in the slowdown).",
        "12.3 and 20.0 %",
        checks=of_schemes(SLOWDOWN, than="selective"),
        answer=by_projects("figure 8"),
    ),
    Claim(
        "004.35",
        "V.B, figure 8",
        "Combined and selective gain as accuracies of 0.75 do, in comparable size (here: within 10 "
        "% of each other's means, over all jobs and without the top 1 %; Intrepid: selective by "
        "user).",
        checks=tuple(
            check
            for scheme, logs in (("combined", ("Mira",)), ("selective", LOGS))
            for measure in (*MEASURES, *BELOW)
            for check in alike(scheme, "WFP a=0.75", measure, logs=logs, within=0.1)
        ),
        answer='"comparable" has no number, and may be said of the gains without the top 1 % '
        "alone; figures 5 and 8 decide, and their projects",
    ),
    Claim(
        "004.36",
        "V.B, figure 8c",
        "The schemes backfill about as many jobs (here: within 10 % of walltimes).",
        checks=(
            *alike("user-based", "WFP", BACKFILLED[0], within=0.1),
            *alike("project-based", "WFP", BACKFILLED[0], logs=("Mira",), within=0.1),
            *alike("combined", "WFP", BACKFILLED[0], logs=("Mira",), within=0.1),
            *alike("selective", "WFP", BACKFILLED[0], within=0.1),
        ),
        answer=by_projects("figure 8c"),
    ),
    Claim(
        "004.37",
        "V.B, figure 8",
        "Combined gains as much on Intrepid, with its projects.",
        "10.0; 17.7; 20.0 %",
        untried=_NO_PROJECTS,
    ),
    Claim(
        "004.54",
        "V.B, VI",
        "Adjusted estimates improve scheduling by up to 20 % (here: the mean slowdown by combined; "
        "Intrepid: by user alone).",
        "20.0 %",
        checks=counted_and_blocked(
            *(
                Statement(
                    PolicyDifference(combined(log), "WFP", MEASURES[2]), log=log, size=Size(-0.2)
                )
                for log in LOGS
            )
        ),
        answer=by_projects("figure 8"),
    ),
)

IN_CLASSES = (
    Claim(
        "004.39",
        "V.B, figure 9",
        "The smaller the job, the shorter it waits (here: each of five classes of sizes and the "
        "next; the paper has four).",
        checks=by_class(SIZES, MEASURES[0]),
        answer=by_july("figure 9, with its four classes of sizes,"),
    ),
    Claim(
        "004.40",
        "V.B, figure 9",
        "Combined and selective wait less than walltimes in most classes of sizes (Intrepid: "
        "user-based in place of combined).",
        checks=(
            *in_classes(SIZES, than="WFP"),
            *in_classes(SIZES, better="selective", than="WFP"),
        ),
        answer=by_projects("figure 9, with its four classes of sizes,"),
    ),
    Claim(
        "004.41",
        "V.B, figure 9",
        "Small jobs gain more than large ones (here: the first of five classes, and the last; the "
        "paper has four).",
        checks=first_gains_more(SIZES, MEASURES),
        answer=by_projects("figure 9, with its four classes of sizes,"),
    ),
    Claim(
        "004.42",
        "V.B, figure 9",
        "Small jobs wait less under selective than under combined (here: the first of five "
        "classes; Intrepid: than by user).",
        checks=in_classes(SIZES[:1], better="selective"),
        answer=by_projects("figure 9, with its four classes of sizes,"),
    ),
    Claim(
        "004.43",
        "V.B, figure 9",
        "Large jobs wait longer under selective than under combined (here: the last of five "
        "classes; Intrepid: than by user).",
        checks=in_classes(SIZES[-1:], than="selective"),
        answer=by_projects("figure 9, with its four classes of sizes,"),
    ),
    Claim(
        "004.44",
        "V.B, figure 10",
        "The longer the job, the longer it waits (here: each class of lengths and the next).",
        checks=by_class(LENGTHS, MEASURES[0]),
        answer=by_july("figure 10, with its own classes of lengths,"),
    ),
    Claim(
        "004.45",
        "V.B, figure 10",
        "The longer the job, the smaller its unitless wait and slowdown (here: each class and the "
        "next).",
        checks=(
            *by_class(LENGTHS, MEASURES[1], rising=False),
            *by_class(LENGTHS, MEASURES[2], rising=False),
        ),
        answer=by_july("figure 10, with its own classes of lengths,"),
    ),
    Claim(
        "004.46",
        "V.B, figure 10",
        "Combined and selective wait less than walltimes in almost all classes of lengths.",
        checks=(
            *in_classes(LENGTHS, than="WFP"),
            *in_classes(LENGTHS, better="selective", than="WFP"),
        ),
        answer=by_projects("figure 10, with its own classes of lengths,"),
    ),
    Claim(
        "004.47",
        "V.B, figure 10",
        "Short jobs gain more than long ones (here: the first class, and the last).",
        checks=first_gains_more(LENGTHS, MEASURES),
        answer=by_projects("figure 10, with its own classes of lengths,"),
    ),
    Claim(
        "004.48",
        "V.B, figure 10",
        "Selective waits less than combined but for the longest jobs.",
        checks=(
            *in_classes(LENGTHS[:-1], better="selective"),
            *in_classes(LENGTHS[-1:], than="selective"),
        ),
        answer=by_projects("figure 10, with its own classes of lengths,"),
    ),
)
