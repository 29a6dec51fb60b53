"""Paper 000: mean waits under prediction and correction (6.1)."""

from reproductions.checks.claim import Claim
from reproductions.checks.of_simulations import LeastAmong, PolicyDifference
from reproductions.checks.statement import About, Statement, on
from reproductions.claims.paper_000_trying import (
    ALL,
    BY_TABLE_4,
    COARE,
    CORRECTING,
    CURIE,
    GAIA,
    NO_MONTH,
    PREDICTING,
    SETH,
)


def _least_of_all(policy: str) -> LeastAmong:
    return LeastAmong(policy, tuple(one for one in ("user_estimates", *ALL) if one != policy))


CLAIMS = (
    Claim(
        "000.2",
        "6.1, table 4",
        "On COARE the policies' mean waits can hardly be told from each other (here: each within "
        "5 % of users' estimates).",
        checks=on(
            (COARE,),
            *(Statement(PolicyDifference(one, "user_estimates"), About()) for one in ALL),
        ),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.3",
        "6.1",
        "On MetaCentrum2 every policy waits for less than half an hour, EASY++ with simple "
        "correction for 21 min, at most 7 min less than the others.",
        "21 min; 7 min",
        untried=NO_MONTH,
    ),
    Claim(
        "000.4",
        "6.1, table 4",
        "On Gaia predictions of EASY++ wait less with simple than with power correction.",
        checks=on((GAIA,), PolicyDifference("easy_plus_plus_simple", "easy_plus_plus_power")),
        answer=f"{BY_TABLE_4}; of Gaia they took version 2014-2",
    ),
    Claim(
        "000.5",
        "6.1, table 4",
        "On Gaia correction alone does far worse than users' estimates.",
        checks=on((GAIA,), *(PolicyDifference("user_estimates", one) for one in CORRECTING)),
        answer=f"{BY_TABLE_4}; of Gaia they took version 2014-2",
    ),
    Claim(
        "000.6",
        "6.1, table 4",
        "On Gaia regression waits longer than EASY++ and less than correction alone.",
        checks=on(
            (GAIA,),
            PolicyDifference("easy_plus_plus_simple", "regression_simple"),
            PolicyDifference("regression_simple", "simple_only"),
            PolicyDifference("regression_power", "power_only"),
        ),
        answer=f"{BY_TABLE_4}; of Gaia they took version 2014-2",
    ),
    Claim(
        "000.7",
        "6.1, table 4",
        "On Seth EASY++ waits longer than regression and than correction alone.",
        checks=on(
            (SETH,),
            PolicyDifference("regression_simple", "easy_plus_plus_simple"),
            PolicyDifference("regression_power", "easy_plus_plus_power"),
            PolicyDifference("simple_only", "easy_plus_plus_simple"),
            PolicyDifference("power_only", "easy_plus_plus_power"),
        ),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.8",
        "6.1, table 4",
        "On Curie every policy waits less than users' estimates.",
        checks=on((CURIE,), *(PolicyDifference(one, "user_estimates") for one in ALL)),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.9",
        "6.1, table 4",
        "On Curie correction alone takes the most off the mean wait.",
        "-160 min",
        checks=on((CURIE,), *(LeastAmong(one, PREDICTING) for one in CORRECTING)),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.10",
        "6.1, table 4",
        "On Curie regression waits less than EASY++ (the paper reads from it that it predicts more "
        "accurately).",
        checks=on(
            (CURIE,),
            PolicyDifference("regression_simple", "easy_plus_plus_simple"),
            PolicyDifference("regression_power", "easy_plus_plus_power"),
        ),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.11",
        "6.1, table 4",
        "On Curie simple and power correction alone wait for about the same (here: within 5 %).",
        checks=on((CURIE,), Statement(PolicyDifference("simple_only", "power_only"), About())),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.30",
        "6.1, table 4",
        "On Seth, as on Gaia, correction alone waits longer than regression.",
        checks=on(
            (SETH,),
            PolicyDifference("regression_simple", "simple_only"),
            PolicyDifference("regression_power", "power_only"),
        ),
        answer=BY_TABLE_4,
    ),
    Claim(
        "000.33",
        "6.1, 6.2, table 4, table 5",
        "On MetaCentrum2, where users estimate better than on COARE, waits gain very little, and "
        "users' estimates slow down almost as much as prediction with correction.",
        untried=NO_MONTH,
    ),
    Claim(
        "000.41",
        "6.1, table 4",
        "On Gaia and Seth simple correction with a fitting prediction waits the least (here: with "
        "EASY++ on Gaia, with regression on Seth).",
        checks=(
            *on((GAIA,), _least_of_all("easy_plus_plus_simple")),
            *on((SETH,), _least_of_all("regression_simple")),
        ),
        answer=BY_TABLE_4,
    ),
)
