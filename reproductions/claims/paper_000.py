"""Paper 000: prediction and correction of walltimes for resource-constrained systems."""

from reproductions.checks.claim import Claim, in_order
from reproductions.checks.of_simulations import LeastAmong, PolicyDifference
from reproductions.checks.statement import About, Statement, below, on
from reproductions.claims.paper_000_logs import CLAIMS as OF_LOGS
from reproductions.claims.paper_000_logs import NOT_PUBLISHED, SYSTEMS
from reproductions.figures.figures import LOG, Figure, less_than_under
from reproductions.paper import Paper, Simulations

_SLOWDOWN = "mean_bounded_slowdown"
_PREDICTING = (
    "easy_plus_plus_simple",
    "easy_plus_plus_power",
    "regression_simple",
    "regression_power",
)
_CORRECTING = ("simple_only", "power_only")
_ALL = (*_CORRECTING, *_PREDICTING)
_COARE, _GAIA, _SETH, _CURIE = (("Saliksik",), ("Gaia",), ("HPC2N",), ("Curie",))

_NO_MONTH = (
    "of METACENTRUM-2013-3 the most recent month was taken; the log is not here to see which that "
    "is: `pred-aware fetch METACENTRUM-2013-3`, then a campaign with its `from`"
)


def _less_by(share: float, policies: tuple[str, ...]) -> tuple[Statement, ...]:
    """State that policies slow down less than users' estimates, by a share."""
    return tuple(
        Statement(PolicyDifference(one, "user_estimates", _SLOWDOWN), below(-share))
        for one in policies
    )


_OF_POLICIES = (
    Claim(
        "000.2",
        "6.1, table 4",
        "On COARE the policies' mean waits can hardly be told from each other (here: each within "
        "5 % of users' estimates).",
        checks=on(
            _COARE,
            *(Statement(PolicyDifference(one, "user_estimates"), About()) for one in _ALL),
        ),
    ),
    Claim(
        "000.3",
        "6.1",
        "On MetaCentrum2 every policy waits for less than half an hour, EASY++ with simple "
        "correction for 21 min, at most 7 min less than the others.",
        "21 min; 7 min",
        unchecked=_NO_MONTH,
    ),
    Claim(
        "000.4",
        "6.1, table 4",
        "On Gaia predictions of EASY++ wait less with simple than with power correction.",
        checks=on(_GAIA, PolicyDifference("easy_plus_plus_simple", "easy_plus_plus_power")),
    ),
    Claim(
        "000.5",
        "6.1, table 4",
        "On Gaia correction alone does far worse than users' estimates.",
        checks=on(_GAIA, *(PolicyDifference("user_estimates", one) for one in _CORRECTING)),
    ),
    Claim(
        "000.6",
        "6.1, table 4",
        "On Gaia regression waits longer than EASY++ and less than correction alone.",
        checks=on(
            _GAIA,
            PolicyDifference("easy_plus_plus_simple", "regression_simple"),
            PolicyDifference("regression_simple", "simple_only"),
            PolicyDifference("regression_power", "power_only"),
        ),
    ),
    Claim(
        "000.7",
        "6.1, table 4",
        "On Seth EASY++ waits longer than regression and than correction alone.",
        checks=on(
            _SETH,
            PolicyDifference("regression_simple", "easy_plus_plus_simple"),
            PolicyDifference("regression_power", "easy_plus_plus_power"),
            PolicyDifference("simple_only", "easy_plus_plus_simple"),
            PolicyDifference("power_only", "easy_plus_plus_power"),
        ),
    ),
    Claim(
        "000.8",
        "6.1, table 4",
        "On Curie every policy waits less than users' estimates.",
        checks=on(_CURIE, *(PolicyDifference(one, "user_estimates") for one in _ALL)),
    ),
    Claim(
        "000.9",
        "6.1, table 4",
        "On Curie correction alone takes the most off the mean wait.",
        "-160 min",
        checks=on(_CURIE, *(LeastAmong(one, _PREDICTING) for one in _CORRECTING)),
    ),
    Claim(
        "000.10",
        "6.1, table 4",
        "On Curie regression waits less than EASY++.",
        checks=on(
            _CURIE,
            PolicyDifference("regression_simple", "easy_plus_plus_simple"),
            PolicyDifference("regression_power", "easy_plus_plus_power"),
        ),
    ),
    Claim(
        "000.11",
        "6.1, table 4",
        "On Curie simple and power correction alone wait for about the same (here: within 5 %).",
        checks=on(_CURIE, Statement(PolicyDifference("simple_only", "power_only"), About())),
    ),
    Claim(
        "000.12",
        "6.2, table 5",
        "On COARE jobs are slowed down 29,447 times under users' estimates.",
        "29,447",
        unchecked=NOT_PUBLISHED,
    ),
    Claim(
        "000.13",
        "6.2, table 5",
        "On COARE prediction with correction takes nearly all of the slowdown away (here: more "
        "than 90 %).",
        "-98.95 %",
        checks=on(_COARE, *_less_by(0.9, _PREDICTING)),
    ),
    Claim(
        "000.14",
        "6.2, table 5",
        "On COARE correction alone takes even more of the slowdown away (here: more than 90 %, and "
        "more than any prediction).",
        "-99.90 %",
        checks=on(
            _COARE,
            *_less_by(0.9, _CORRECTING),
            *(LeastAmong(one, _PREDICTING, _SLOWDOWN) for one in _CORRECTING),
        ),
    ),
    Claim(
        "000.15",
        "6.2, table 5",
        "On COARE, Gaia and Curie regression slows down more than EASY++.",
        "less than 567",
        checks=on(
            ("Saliksik", "Gaia", "Curie"),
            PolicyDifference("easy_plus_plus_simple", "regression_simple", _SLOWDOWN),
            PolicyDifference("easy_plus_plus_power", "regression_power", _SLOWDOWN),
        ),
    ),
    Claim(
        "000.16",
        "6.2, table 5",
        "On Curie correction alone slows down less than any prediction.",
        checks=on(_CURIE, *(LeastAmong(one, _PREDICTING, _SLOWDOWN) for one in _CORRECTING)),
    ),
    Claim(
        "000.17",
        "6.2, table 5",
        "Simple and power correction slow down alike on every system, alone and with either "
        "prediction (here: within 5 %).",
        checks=on(
            SYSTEMS,
            *(
                Statement(PolicyDifference(simple, power, _SLOWDOWN), About())
                for simple, power in (
                    _CORRECTING,
                    ("easy_plus_plus_simple", "easy_plus_plus_power"),
                    ("regression_simple", "regression_power"),
                )
            ),
        ),
    ),
    Claim(
        "000.18",
        "6.2, table 5",
        "On Seth EASY++ slows down the most.",
        "650, of 29,447 on COARE",
        checks=on(
            _SETH,
            *(
                LeastAmong(
                    one,
                    ("user_estimates", *_CORRECTING, "regression_simple", "regression_power"),
                    _SLOWDOWN,
                    most=True,
                )
                for one in ("easy_plus_plus_simple", "easy_plus_plus_power")
            ),
        ),
    ),
    Claim(
        "000.19",
        "6.2, table 5",
        "On MetaCentrum2 correction takes the slowdown from 739 to 6.",
        "739; 6",
        unchecked=_NO_MONTH,
    ),
    Claim(
        "000.20",
        "6.2, 6.3, 7",
        "On every system any prediction or correction slows down less than users' estimates.",
        checks=on(SYSTEMS, *(PolicyDifference(one, "user_estimates", _SLOWDOWN) for one in _ALL)),
    ),
    Claim(
        "000.21",
        "6.3",
        "Prediction beside correction takes a little off the slowdown on every system (here: any).",
        "up to 822",
        checks=on(
            SYSTEMS,
            PolicyDifference("easy_plus_plus_simple", "simple_only", _SLOWDOWN),
            PolicyDifference("easy_plus_plus_power", "power_only", _SLOWDOWN),
        ),
    ),
    Claim(
        "000.30",
        "6.1, table 4",
        "On Seth, as on Gaia, correction alone waits longer than regression.",
        checks=on(
            _SETH,
            PolicyDifference("regression_simple", "simple_only"),
            PolicyDifference("regression_power", "power_only"),
        ),
    ),
    Claim(
        "000.31",
        "6.2, table 5",
        "On Gaia and Seth slowdown says the same of regression and correction alone as the wait: "
        "regression is the better.",
        checks=on(
            ("Gaia", "HPC2N"),
            PolicyDifference("regression_simple", "simple_only", _SLOWDOWN),
            PolicyDifference("regression_power", "power_only", _SLOWDOWN),
        ),
    ),
    Claim(
        "000.32",
        "6.2, table 5",
        "On COARE, Gaia and Curie correction alone takes most of the slowdown away (here: more "
        "than half).",
        checks=on(("Saliksik", "Gaia", "Curie"), *_less_by(0.5, _CORRECTING)),
    ),
    Claim(
        "000.33",
        "6.1, 6.2, table 4, table 5",
        "On MetaCentrum2, where users estimate better than on COARE, waits gain the least, and "
        "users' estimates slow down almost as much as prediction with correction.",
        unchecked=_NO_MONTH,
    ),
)

PAPER = Paper(
    "000",
    "Walltime prediction and correction for resource-constrained HPC (DOST-ASTI COARE)",
    in_order(*OF_LOGS, *_OF_POLICIES),
    (
        Simulations(
            {name: {} for name in ("user_estimates", *_ALL)},
            {
                "Saliksik": {"clean": ["paper000"]},
                "Gaia": {"clean": ["paper000"]},
                "Curie": {"clean": ["paper000-curie"]},
                "HPC2N": {"clean": ["paper000-seth"]},
            },
        ),
    ),
    own=("Gaia", "Curie", "HPC2N"),
    quick=("Saliksik", "Gaia"),
    figures=tuple(
        Figure(
            f"6, {place}",
            f"{what}, less than under users' estimates",
            less_than_under("user_estimates"),
            SYSTEMS,
            (
                (
                    "",
                    tuple(
                        (
                            LOG,
                            name.replace("_", " "),
                            PolicyDifference(name, "user_estimates", measure),
                        )
                        for name in _ALL
                    ),
                ),
            ),
        )
        for place, what, measure in (
            ("table 4", "mean wait", "mean_waiting_time"),
            ("table 5", "mean bounded slowdown", _SLOWDOWN),
        )
    ),
)
