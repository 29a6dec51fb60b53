"""The named schedulers: schedulers of the papers, of batsched, and other combinations of parts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from predictors.options import JsonValue
from predictors.registry import PartSpec
from schedulers.core.scheduler import ROLES
from schedulers.options import OPTIONS

POLICY_OPTIONS = tuple(sorted(OPTIONS))
"""The options of a combination; see `schedulers.options.PolicyOptions`."""

_OWN_OPTIONS = tuple(option for option in POLICY_OPTIONS if option != "backfilling")
_OF_BATCH_SYSTEMS = tuple(
    option
    for option in _OWN_OPTIONS
    if option not in ("candidates", "reservations", "max_wait", "min_concordance")
)


@dataclass(frozen=True, slots=True)
class Combination:
    """A named scheduler."""

    origin: str
    """The scheduler's source or idea, in words."""
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The options of `policy` that define the scheduler."""
    settable: tuple[str, ...] = _OWN_OPTIONS
    """The options that users may set."""
    predicted: tuple[str, ...] = ROLES
    """The roles whose estimates come from the option `predictor`. Other roles use walltimes."""

    def predicting(self, predictor: PartSpec) -> PartSpec:
        """Return the option `estimates` that uses a predictor for the predicted roles."""
        return predictor if self.predicted == ROLES else dict.fromkeys(self.predicted, predictor)

    @property
    def made_of(self) -> dict[str, Any]:
        """The equivalent options of `policy`. The predictor is given only for predicted roles."""
        options = dict(self.options)
        if self.predicted != ROLES and "predictor" in options:
            options["estimates"] = self.predicting(options.pop("predictor"))
        return options


def _combination(
    origin: str, *, predicted: tuple[str, ...] = ROLES, **options: JsonValue
) -> Combination:
    return Combination(origin, MappingProxyType(options), predicted=predicted)


def _wfp(origin: str, *actual: str) -> Combination:
    roles = {role: "actual" if role in actual else "walltime" for role in ROLES}
    return _combination(
        f"Tang et al. (paper 004): WFP, {origin}", order="wfp", backfilling="easy", estimates=roles
    )


_TEN_MINUTES = MappingProxyType({"name": "constant", "seconds": 600})
_BACKLOG = MappingProxyType({"backlog": 1.2})
_BACKLOG_AHEAD = MappingProxyType({"backlog": 1.0, "ahead": 1})
_THREE = MappingProxyType(
    {
        "name": "geometric_mean",
        "predictors": [{"name": "log_boosting", "target": ["log", "fraction"]}, "knn"],
        "weights": [2, 1],
    }
)
# without weights in the site's table, this is the order of submission
_SITES_PRIORITY = MappingProxyType({"name": "multifactor", "slurm": MappingProxyType({})})
_MILDER = MappingProxyType({"name": "lxf", "head_start": 7200, "exponent": 0.7})
_THREE_RESERVE = MappingProxyType({"name": "easy", "reservations": 3})
_SHORTEST = MappingProxyType({"name": "easy", "candidates": "shortest"})

COMBINATIONS: Mapping[str, Combination] = MappingProxyType(
    {
        "conservative": _combination("conservative backfilling", backfilling="conservative"),
        "conservative_bf": Combination(
            "batsched's conservative_bf, processor by processor", settable=("rjms_delay",)
        ),
        "easy": _combination("plain EASY, which counts processors", backfilling="easy"),
        "easy_bf": Combination(
            "batsched's easy_bf, processor by processor", settable=("rjms_delay",)
        ),
        "easy_plus_plus": _combination(
            "EASY++ of Tsafrir et al. (2007): predictions, shortest candidate first",
            backfilling=_SHORTEST, predictor="last_two", correction="tsafrir",
        ),
        "easy_plus_plus_power": _combination(
            "COARE (paper 000): EASY++ predictions, power correction",
            backfilling="easy", predictor="last_two", correction="power",
        ),
        "easy_plus_plus_simple": _combination(
            "COARE (paper 000): EASY++ predictions, simple correction",
            backfilling="easy", predictor="last_two", correction="simple",
        ),
        "easy_sjbf": _combination("EASY, shortest candidate first", backfilling=_SHORTEST),
        "fcfs": Combination(
            "first come, first served, no job overtakes",
            MappingProxyType({"backfilling": "none"}), settable=("allocation", "machine", "site"),
        ),
        "filler": Combination(
            "batsched's filler: every job that fits starts, in the order of the queue",
            MappingProxyType({"ties": "id", "backfilling": "filler"}),
            settable=("allocation", "machine", "site"),
        ),
        "openpbs": Combination(
            "OpenPBS's scheduler, by the site's table openpbs",
            MappingProxyType(
                {
                    "order": MappingProxyType({"name": "pbs", "openpbs": MappingProxyType({})}),
                    "backfilling": MappingProxyType(
                        {"name": "openpbs", "strict_ordering": None, "scheduler_iteration": None}
                    ),
                    "correction": "openpbs",
                }
            ),
            settable=_OF_BATCH_SYSTEMS,
        ),
        "policy": Combination("any combination", settable=POLICY_OPTIONS),
        "power_only": _combination(
            "COARE (paper 000): estimates begin at 10 min, power correction",
            backfilling="easy", predictor=_TEN_MINUTES, correction="power",
        ),
        "pred_aware": _combination(
            "Marconi100 report (paper 001): shortest prediction first, every job that fits starts",
            order="sjf", backfilling="filler", predictor="decision_tree",
        ),
        "recommended": _combination(
            "version 5: waits are bounded; predictions are used while they rank jobs well",
            order=_MILDER, backfilling=_THREE_RESERVE, predictor=_THREE,
            predicted=("queueing", "backfilling"), max_wait=_BACKLOG, min_concordance=0.55,
        ),
        "recommended_v4": _combination(
            "version 4 of recommended: small jobs wait less, but large jobs wait longer",
            order="lxf", backfilling=_SHORTEST, predictor=_THREE,
            predicted=("queueing", "backfilling"), max_wait=_BACKLOG_AHEAD, min_concordance=0.55,
        ),
        "regression_power": _combination(
            "COARE (paper 000): AdaBoost on past jobs, power correction",
            backfilling="easy", predictor="ada_boost", correction="power",
        ),
        "regression_simple": _combination(
            "COARE (paper 000): AdaBoost on past jobs, simple correction",
            backfilling="easy", predictor="ada_boost", correction="simple",
        ),
        "simple_only": _combination(
            "COARE (paper 000): estimates begin at 10 min, simple correction",
            backfilling="easy", predictor=_TEN_MINUTES, correction="simple",
        ),
        "slurm": Combination(
            "Slurm's priority, main scheduler and backfill, by the site's table slurm",
            MappingProxyType({"order": _SITES_PRIORITY, "backfilling": "slurm"}),
            settable=_OF_BATCH_SYSTEMS,
        ),
        "soft_conservative": _combination(
            "Le Hai et al. (paper 002): conservative backfilling, soft walltimes by kNN",
            backfilling="conservative", predictor="knn", correction="doubling",
        ),
        "soft_walltime": _combination(
            "CERIT-SC (paper 003): soft walltimes, doubled when a job outlives them",
            backfilling="easy", predictor="pbs_v3", correction="doubling",
        ),
        "user_estimates": _combination(
            "COARE (paper 000): EASY with users' walltimes, the paper's baseline",
            backfilling="easy",
        ),
        "wfp": _wfp("walltimes for every role"),
        "wfp_adjusted": _combination(
            "Tang et al. (paper 004): WFP, adjusted estimates for every role",
            order="wfp", backfilling="easy", predictor="ratio_combined",
        ),
        "wfp_s001": _wfp("exact run times for running jobs", "running"),
        "wfp_s010": _wfp("exact run times for backfilling", "backfilling"),
        "wfp_s100": _wfp("exact run times for queueing", "queueing"),
        "wfp_s110": _wfp("exact run times for queueing and backfilling", "queueing", "backfilling"),
        "wfp_s111": _wfp("exact run times for every role", *ROLES),
        "wfp_selective": _combination(
            "Tang et al. (paper 004): WFP, adjusted estimates for queueing and backfilling only",
            order="wfp", backfilling="easy", predictor="ratio_combined",
            predicted=("queueing", "backfilling"),
        ),
    }
)  # fmt: skip
"""The schedulers by name."""
