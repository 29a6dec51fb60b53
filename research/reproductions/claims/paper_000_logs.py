"""Paper 000: what it says of logs, of corrections by themselves, and of predictions."""

from reproductions.checks.claim import DATA, GENERAL, OURS, Check, Claim
from reproductions.checks.of_counts import Count, Steps
from reproductions.checks.of_replays import WeeklyDifference
from reproductions.checks.statement import NO_LOG, Equal, Size, Statement, above, below, on
from reproductions.claims.paper_000_trying import (
    COARE,
    CURIE,
    DEFAULT,
    EASY_PLUS_PLUS,
    GAIA,
    METACENTRUM,
    OTHERS,
    REGRESSION,
    SETH,
    SIMULATED,
)

_HOUR, _DAY = 3600.0, 86400.0


def _nearer(one: str, other: str, log: str) -> Check:
    """Check that one predicts with a smaller mean absolute error than another."""
    return Statement(WeeklyDifference(one, other, "absolute_error"), log=log)


CLAIMS = (
    Claim(
        "000.1",
        "2.1, table 1",
        "99.5 % of COARE's jobs waited for less than three days, and 142 for more than seven.",
        "99.5 %; 142 jobs",
        kind=DATA,
        checks=on(
            (COARE,),
            Statement(Count("waits under 3 days"), above(0.99), size=Size(0.995)),
            Statement(Count("jobs that wait over 7 days", ""), Equal(142)),
        ),
        answer="table 1 counts their log before it was cleaned; the one that they publish is",
    ),
    Claim(
        "000.22",
        "3.1, 6.1, figure 1",
        "On COARE and MetaCentrum2 walltimes are far longer than run times (here: by more than a "
        "day on the mean), on Gaia, Seth and Curie they are nearer (here: by less than a day).",
        kind=DATA,
        checks=(
            *on(
                (COARE, METACENTRUM),
                Statement(Count("walltime beyond run time", "h"), above(_DAY)),
            ),
            *on(
                (GAIA, SETH, CURIE), Statement(Count("walltime beyond run time", "h"), below(_DAY))
            ),
        ),
        answer="figure 1 has daily means, which hide jobs that ask for weeks; its "
        "values are not in the text",
    ),
    Claim(
        "000.23",
        "3.1, figure 1",
        "Most of COARE's jobs ask for 7 or 14 days.",
        kind=DATA,
        checks=on((COARE, *OTHERS), Statement(Count("walltimes of 7 or 14 days"), above(0.5))),
        answer="figure 1 has daily means; their log decides",
    ),
    Claim(
        "000.24",
        "1",
        "Most of COARE's jobs need less than a day.",
        kind=DATA,
        checks=on((COARE, *OTHERS), Statement(Count("run up to 1 day"), above(0.5))),
        answer="it is said in the introduction, without a figure; their log decides",
    ),
    Claim(
        "000.25",
        "4.4, figure 6",
        "On every system most jobs run for less than an hour.",
        kind=DATA,
        checks=on(
            (*SIMULATED, METACENTRUM, *OTHERS), Statement(Count("run under 1 h"), above(0.5))
        ),
        answer="figure 6 has the distributions; of Gaia they took version 2014-2",
    ),
    Claim(
        "000.26",
        "3.2, figure 2",
        "COARE's, MetaCentrum2's, Gaia's and Seth's jobs are mostly small (here: most ask for 32 "
        "processors at most and run for a day at most).",
        kind=DATA,
        checks=on(
            (COARE, METACENTRUM, GAIA, SETH, *OTHERS),
            Statement(Count("up to 32 processors"), above(0.5)),
            Statement(Count("run up to 1 day"), above(0.5)),
        ),
        answer="figure 2's bins decide, and what is small, of which the text has no number",
    ),
    Claim(
        "000.27",
        "3.2, figure 3",
        "Curie's jobs run for less than a day and ask for very many processors (here: most for "
        "more than 32).",
        kind=DATA,
        checks=on(
            (CURIE,),
            Statement(Count("run up to 1 day"), above(0.5)),
            Statement(Count("up to 32 processors"), below(0.5)),
        ),
        answer='figure 3\'s bins decide; "huge" has no number in the text, 32 processors are '
        "what we call small of the other systems (000.26), and it need not be said of "
        "most jobs",
    ),
    Claim(
        "000.28",
        "5.1, table 3",
        "Curie has more than 93,000 processors.",
        "93,000",
        kind=DATA,
        checks=on((CURIE,), Statement(Count("processors", ""), above(93_000.0))),
        answer="table 3 has the number",
    ),
    Claim(
        "000.29",
        "2.1",
        "On COARE's second cluster, too, nearly all jobs wait for less than three days, and hardly "
        "any for more than seven (here: more than 99 %, and fewer than 1 %).",
        kind=OURS,
        checks=on(
            OTHERS,
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
        kind=DATA,
        untried="the users are called user67 and user37, and the log's numbers of users are others",
    ),
    Claim(
        "000.35",
        "4.4, figure 5",
        "From a prediction near the run time simple correction reaches it in fewer steps, from one "
        "far below power correction does (here: 8 h from 6 h, and from 2 h).",
        kind=GENERAL,
        checks=on(
            (NO_LOG,),
            Steps(6 * _HOUR, 8 * _HOUR, "simple", "power"),
            Steps(2 * _HOUR, 8 * _HOUR, "power", "simple"),
        ),
        answer="figure 5 has the steps",
    ),
    Claim(
        "000.36",
        "5.1",
        "One user's jobs are more than 55 % of Seth's whole log.",
        "55 %",
        kind=DATA,
        untried="the archive's cleaned log is without them: its header counts 305,178 of 527,371",
    ),
    Claim(
        "000.37",
        "2.1",
        "30.5 % of COARE's users who answered have reservations about the service.",
        "30.5 %",
        kind=DATA,
        untried="it is from a survey of its users",
    ),
    Claim(
        "000.38",
        "6.1",
        "On Gaia EASY++ predicts better than regression, and regression better than the default "
        "that is corrected (here: by the mean absolute error).",
        checks=(
            _nearer(EASY_PLUS_PLUS, REGRESSION, GAIA),
            _nearer(REGRESSION, DEFAULT, GAIA),
        ),
        answer="no figure of theirs is of accuracy: they read it off the waits of table 4",
    ),
    Claim(
        "000.39",
        "6.1",
        "On Seth EASY++ predicts worse than regression, and even than the default that is "
        "corrected (here: by the mean absolute error).",
        checks=(
            _nearer(REGRESSION, EASY_PLUS_PLUS, SETH),
            _nearer(DEFAULT, EASY_PLUS_PLUS, SETH),
        ),
        answer="no figure of theirs is of accuracy: they read it off the waits of table 4",
    ),
    Claim(
        "000.40",
        "6.1",
        "On Curie regression predicts better than EASY++ (here: by the mean absolute error).",
        checks=(_nearer(REGRESSION, EASY_PLUS_PLUS, CURIE),),
        answer="no figure of theirs is of accuracy: they read it off the waits of table 4",
    ),
)
