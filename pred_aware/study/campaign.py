"""The campaign of a study, with a growing number of perturbed copies."""

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
"""The predictors that a study measures, the fastest first."""


LOG = "log"
"""The campaign's name for the log, because the log's own name may be confidential."""

OF_JOBS = (
    "mean_waiting_time", "mean_bounded_slowdown", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip
OF_PROCESSORS = ("area_weighted_waiting_time", *OF_SIZES)
"""Measures of processor time and of large jobs. They are needed because a policy can shorten the
mean wait over jobs by delaying large jobs (Boëzennec, Dufossé and Pallez, "Optimization Metrics for
the Evaluation of Batch Schedulers in HPC", JSSPP 2023)."""
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
        The folder of the runs.
    workers
        The number of processes that simulate; with 1 this process simulates.
    site
        The site's file, if there is one.
    definitions
        The policies in the format of a campaign's file: the baseline, the judged policy, the rest.

    Attributes
    ----------
    policies : list of str
        Names of the policies that can be simulated, the baseline first.
    failed : dict
        For each policy that cannot be simulated: its name and the reason.
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
        """Return the content of the campaign's file."""
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
        """Return the runs of the log and of its first `shakes` perturbed copies."""
        return self._unperturbed.with_shakes(shakes)

    @cached_property
    def _unperturbed(self) -> Inventory:
        return Campaign.of(self.content(0), name="study").inventory

    @cached_property
    def maker(self) -> Maker:
        """The object that makes runs in this process."""
        return Maker(self._unperturbed.specification)

    def known_by(self, name: str) -> tuple[RunKey, str]:
        """Return the key and the digest of a policy's run of the unperturbed log.

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
        """Remove the policies that cannot be simulated.

        Raises
        ------
        PredAwareError
            The baseline or the judged policy cannot be simulated.
        """
        agenda = inventory.agenda()
        for place in agenda.failed:
            name = inventory.specification.policies[place.policy].name
            reason = dict(inventory.failures(agenda)).get(inventory.run_name(place), "it failed")
            if name in {self.baseline, self.judged}:
                raise PredAwareError(
                    f"{name} cannot be simulated: {reason}. The folder keeps the finished runs. "
                    "To continue, repeat `pred-aware study`"
                )
            self.failed.setdefault(name, reason)
        if agenda.failed:
            self.policies = [name for name in self.policies if name not in self.failed]
            # the cached objects refer to policies by index
            self.__dict__.pop("_unperturbed", None)
            self.__dict__.pop("maker", None)
