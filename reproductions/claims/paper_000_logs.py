"""Paper 000: what it says of logs, and of corrections by themselves."""

from reproductions.checks.claim import Claim
from reproductions.checks.of_counts import Count, Steps
from reproductions.checks.statement import NO_LOG, Statement, above, below, on

SYSTEMS = ("Saliksik", "Gaia", "Curie", "HPC2N")
NOT_PUBLISHED = (
    "the log of COARE's first cluster is not in the archive; Saliksik, its second, is tried "
    "instead where a claim is about the order of policies"
)
_HOUR, _DAY = 3600.0, 86400.0

CLAIMS = (
    Claim(
        "000.1",
        "2.1, table 1",
        "99.5 % of COARE's jobs waited for less than three days, and 142 for more than seven.",
        "99.5 %; 142 jobs",
        unchecked=NOT_PUBLISHED,
    ),
    Claim(
        "000.22",
        "3.1, 6.1, figure 1",
        "On COARE walltimes are far longer than run times (here: by more than a day on the mean), "
        "on Gaia, Seth and Curie they are nearer (here: by less than a day).",
        checks=(
            Statement(Count("walltime beyond run time", "h"), above(_DAY), log="Saliksik"),
            *on(
                ("Gaia", "HPC2N", "Curie"),
                Statement(Count("walltime beyond run time", "h"), below(_DAY)),
            ),
        ),
    ),
    Claim(
        "000.23",
        "3.1, figure 1",
        "Most of COARE's jobs have one of two walltimes.",
        "7 or 14 days",
        checks=on(("Saliksik",), Statement(Count("two commonest walltimes"), above(0.5))),
    ),
    Claim(
        "000.24",
        "1",
        "Most of COARE's jobs need less than a day.",
        checks=on(("Saliksik",), Statement(Count("run up to 1 day"), above(0.5))),
    ),
    Claim(
        "000.25",
        "4.4, figure 6",
        "On every system most jobs run for less than an hour.",
        checks=on(SYSTEMS, Statement(Count("run under 1 h"), above(0.5))),
    ),
    Claim(
        "000.26",
        "3.2, figure 2",
        "COARE's jobs, and Gaia's and Seth's, are mostly small (here: most ask for 32 processors "
        "at most and run for a day at most).",
        checks=on(
            ("Saliksik", "Gaia", "HPC2N"),
            Statement(Count("up to 32 processors"), above(0.5)),
            Statement(Count("run up to 1 day"), above(0.5)),
        ),
    ),
    Claim(
        "000.27",
        "3.2, figure 3",
        "Curie's jobs run for less than a day and ask for very many processors (here: most for "
        "more than 32).",
        checks=on(
            ("Curie",),
            Statement(Count("run up to 1 day"), above(0.5)),
            Statement(Count("up to 32 processors"), below(0.5)),
        ),
    ),
    Claim(
        "000.28",
        "5.1, table 3",
        "Curie has more than 93,000 processors.",
        "93,000",
        checks=on(("Curie",), Statement(Count("processors", ""), above(93_000.0))),
    ),
    Claim(
        "000.29",
        "2.1",
        "On COARE's second cluster, too, nearly all jobs wait for less than three days, and hardly "
        "any for more than seven (here: more than 99 %, and fewer than 1 %).",
        "99.5 %; 142 of some 199,000",
        checks=on(
            ("Saliksik",),
            Statement(Count("waits under 3 days"), above(0.99)),
            Statement(Count("waits over 7 days"), below(0.01)),
        ),
    ),
    Claim(
        "000.34",
        "4.2, figure 4",
        "Of a user of COARE 80 % of the jobs run for 15 to 165 h, of another 65 % for 15 to 25 h: "
        "EASY++ will predict the second better.",
        "80 %; 65 %",
        unchecked=NOT_PUBLISHED,
    ),
    Claim(
        "000.35",
        "4.4, figure 5",
        "From a prediction near the run time simple correction reaches it in fewer steps, from one "
        "far below power correction does (here: 8 h from 6 h, and from 2 h).",
        checks=on(
            (NO_LOG,),
            Steps(6 * _HOUR, 8 * _HOUR, "simple", "power"),
            Steps(2 * _HOUR, 8 * _HOUR, "power", "simple"),
        ),
    ),
    Claim(
        "000.36",
        "5.1",
        "One user's jobs are more than 55 % of Seth's whole log.",
        "55 %",
        unchecked="the archive's cleaned log is without them: its header counts 305,178 of 527,371",
    ),
    Claim(
        "000.37",
        "2.1",
        "30.5 % of COARE's users who answered have reservations about the service.",
        "30.5 %",
        unchecked="it is from a survey of its users",
    ),
)
