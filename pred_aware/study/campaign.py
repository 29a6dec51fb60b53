"""The campaign of a study: what it asks for, with more and more shakes."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pred_aware.campaign.campaign import Campaign
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.run_maker import Maker
from pred_aware.campaign.specification import RunKey
from pred_aware.errors import PredAwareError
from pred_aware.metrics.table import OF_SIZES

PREDICTORS = ("last_two", "similar", "pbs_v3", "knn", "log_boosting", "decision_tree")
"""Those that are measured, the cheapest first."""


LOG = "log"
"""What the campaign calls the log, whose name may not be for everybody."""

OF_JOBS = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip
OF_PROCESSORS = ("area_weighted_waiting_time", *OF_SIZES)
"""Beside them, since large jobs that wait can make a mean over jobs better (Boëzennec, Dufossé
and Pallez, "Optimization Metrics for the Evaluation of Batch Schedulers in HPC", JSSPP 2023)."""
MEASURES = (*OF_JOBS, *OF_PROCESSORS)


class StudyCampaign:
    """The runs of a study.

    Parameters
    ----------
    workload
        The workload's file.
    platform
        The machine's file.
    store
        Where the runs are kept.
    workers
        How many processes simulate; with 1 it is this one.
    site
        The site's file, if there is one.
    definitions
        The policies as a campaign's file has them: the baseline, the judged one, the others.

    Attributes
    ----------
    policies : list of str
        By name, the baseline first; without those that cannot be simulated.
    failed : dict
        Those that cannot, with the reason.
    """

    def __init__(
        self,
        workload: Path,
        platform: Path,
        store: Path,
        *,
        workers: int,
        definitions: Mapping[str, Mapping[str, Any]],
        site: Path | None = None,
    ) -> None:
        self.workload = workload.absolute()
        self.site = None if site is None else site.absolute()
        self.platform = platform.absolute()
        self.store = store.absolute()
        self.workers = workers
        self.policies = list(definitions)
        self.definitions = definitions
        self.baseline, self.judged = self.policies[:2]
        self.failed: dict[str, str] = {}

    def content(self, shakes: int) -> dict[str, Any]:
        """Return what the campaign's file says."""
        return {
            "baseline": self.baseline,
            **({} if self.site is None else {"site": str(self.site)}),
            "store": str(self.store),
            "measures": list(MEASURES),
            "logs": {LOG: {"file": str(self.workload), "platform": str(self.platform)}},
            "policies": {name: dict(self.definitions[name]) for name in self.policies},
            "shakes": {"at_least": shakes, "at_most": shakes},
        }

    def inventory(self, shakes: int) -> Inventory:
        """Return its runs with so many shakes."""
        return self._as_it_is.with_shakes(shakes)

    @cached_property
    def _as_it_is(self) -> Inventory:
        return Campaign.of(self.content(0), name="study").inventory

    @cached_property
    def maker(self) -> Maker:
        """Who makes its runs in this process."""
        return Maker(self._as_it_is.specification)

    def known_by(self, name: str) -> tuple[RunKey, str]:
        """Return the place of a policy's run of the log as it is, and by what it is known.

        Raises
        ------
        PredAwareError
            The log cannot be read.
        """
        inventory = self.inventory(0)
        place = RunKey(0, self.policies.index(name))
        digest = inventory.digest(place)
        if digest is None:
            raise PredAwareError(inventory.unreadable[LOG])
        return place, digest

    def leave_out_failed(self, inventory: Inventory) -> None:
        """Go on without policies that cannot be simulated.

        Raises
        ------
        PredAwareError
            The baseline or the judged one cannot, and there is nothing to compare.
        """
        agenda = inventory.agenda()
        for place in agenda.failed:
            name = inventory.specification.policies[place.policy].name
            reason = dict(inventory.failures(agenda)).get(inventory.told(place), "it failed")
            if name in {self.baseline, self.judged}:
                raise PredAwareError(
                    f"{name} cannot be simulated: {reason}; `pred-aware study` continues "
                    "from what is there"
                )
            self.failed.setdefault(name, reason)
        if agenda.failed:
            self.policies = [name for name in self.policies if name not in self.failed]
            # which know policies by their places
            self.__dict__.pop("_as_it_is", None)
            self.__dict__.pop("maker", None)
