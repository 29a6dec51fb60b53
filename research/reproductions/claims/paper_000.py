"""Paper 000: prediction and correction of walltimes for resource-constrained systems."""

from reproductions.checks.claim import in_order
from reproductions.checks.of_simulations import PolicyDifference
from reproductions.claims.paper_000_logs import CLAIMS as OF_LOGS
from reproductions.claims.paper_000_slowdowns import CLAIMS as OF_SLOWDOWNS
from reproductions.claims.paper_000_trying import (
    ALL,
    COARE,
    CURIE,
    DEFAULT,
    EASY_PLUS_PLUS,
    GAIA,
    METACENTRUM,
    OTHERS,
    REGRESSION,
    SETH,
    SLOWDOWN,
    SYSTEMS,
)
from reproductions.claims.paper_000_waits import CLAIMS as OF_WAITS
from reproductions.figures.figures import LOG, Figure, less_than_under
from reproductions.paper import OwnLog, Paper, Simulations

PAPER = Paper(
    "000",
    "Walltime prediction and correction for resource-constrained HPC (DOST-ASTI COARE)",
    in_order(*OF_LOGS, *OF_WAITS, *OF_SLOWDOWNS),
    (
        Simulations(
            {name: {} for name in ("user_estimates", *ALL)},
            {
                "COARE": {"clean": ["paper000"]},
                "Saliksik": {"clean": ["paper000"]},
                "Gaia": {"clean": ["paper000"]},
                "Curie": {"clean": ["paper000-curie"]},
                "HPC2N": {"clean": ["paper000-seth"]},
            },
        ),
    ),
    predictors={
        EASY_PLUS_PLUS: "last_two",
        REGRESSION: "ada_boost",
        DEFAULT: {"name": "constant", "seconds": 600},
    },
    replayed=(GAIA, SETH, CURIE),
    own={
        COARE: OwnLog("ASTI-COARE-2018"),
        GAIA: OwnLog("UniLu-Gaia-2014-2"),
        METACENTRUM: OwnLog("METACENTRUM-2013-3"),
        CURIE: OwnLog("CEA-Curie-2011-2.1-cln"),
        SETH: OwnLog("HPC2N-2002-2.2-cln"),
    },
    quick=(*OTHERS, GAIA),
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
                        for name in ALL
                    ),
                ),
            ),
        )
        for place, what, measure in (
            ("table 4", "mean wait", "mean_waiting_time"),
            ("table 5", "mean bounded slowdown", SLOWDOWN),
        )
    ),
)
