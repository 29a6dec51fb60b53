"""The campaign of a study: whole rounds of shakes until the time is up or enough is known."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs_by
from pred_aware.campaign.making.maker import InProcess
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.results.collecting import leftovers, remove_leftovers
from pred_aware.campaign.specification import RunKey
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.study.campaign import StudyCampaign
from pred_aware.study.request import OnProgress, StudyEffort

if TYPE_CHECKING:
    from pred_aware.campaign.making.run_maker import Maker

KNOWN = ("mean_waiting_time", "mean_bounded_slowdown")
"""The measures of which the precision is asked."""

FEWEST = 2
FIRST = 5
"""So many shakes at first, if there is time for them."""
MOST = 1000


@dataclass(frozen=True, slots=True)
class Rounds:
    """What the rounds have made."""

    inventory: Inventory
    """The campaign with as many shakes as all of its policies have."""
    shakes: int
    """How many these are."""
    why: str
    """Why there are no more, in words."""
    unfinished: str
    """What was begun and is of no use to this page, in words; empty where nothing was."""
    failed: Mapping[str, str]
    """What could not be made, with the reason."""

    @property
    def agenda(self) -> Agenda:
        """What was found, over these shakes."""
        return self.inventory.agenda()

    @property
    def policies(self) -> list[str]:
        """The policies that were simulated, the baseline first."""
        return [policy.name for policy in self.inventory.specification.policies]


class Simulating:
    """Makes the rounds.

    Parameters
    ----------
    campaign
        Their runs.
    """

    def __init__(self, campaign: StudyCampaign) -> None:
        self._campaign = campaign
        self._unfinished = ""
        # those of the last round, and what they make runs with
        self._workers: tuple[Maker, Workers] | None = None

    def run(
        self,
        effort: StudyEffort,
        *,
        until: float | None,
        known: str = "",
        on_progress: OnProgress,
    ) -> Rounds:
        """Simulate the log as it is, and then round by round.

        Parameters
        ----------
        effort
            How much is to be done.
        until
            When the time is up, by the monotonic clock; ``None`` for as long as it takes.
        known
            Why no shake would change the answer, in words; then none are made unless they were
            asked for.
        on_progress
            Called with what is done.

        Raises
        ------
        PredAwareError
            The baseline or the recommended policy cannot be simulated.
        """
        try:
            return self._rounds(effort, until=until, known=known, on_progress=on_progress)
        finally:
            self._end_workers()

    def _rounds(
        self, effort: StudyEffort, *, until: float | None, known: str, on_progress: OnProgress
    ) -> Rounds:
        """Make the rounds; see `run`."""
        remove_leftovers(leftovers(self._campaign.inventory(0)))
        whole = self._make(0, on_progress=on_progress, until=until)
        there = self._there()
        why = "" if whole else "time is up"
        if known and effort.shakes is None:
            why = known
        while not why:
            # twice as many each time, to look now and then whether enough is known
            wanted = min(MOST, max(FIRST, 2 * there)) if effort.shakes is None else effort.shakes
            if effort.shakes is None and there >= FIRST and self._known(there, effort.precision):
                why = f"precision {effort.precision:g} reached"
            elif wanted <= there:
                why = "all requested copies are done"
            elif not self._make(wanted, on_progress=on_progress, until=until):
                there, why = self._there(), "time is up"
            else:
                there = max(wanted, self._there())
        # a store may have more than the rounds of this time
        shakes = there if effort.shakes is None else min(effort.shakes, there)
        return Rounds(
            self._campaign.inventory(shakes),
            shakes,
            why,
            self._unfinished,
            dict(self._campaign.failed),
        )

    @property
    def as_far_as_it_is(self) -> Rounds:
        """What there is without any shake."""
        return Rounds(self._campaign.inventory(0), 0, "", "", {})

    def _make(self, shakes: int, *, on_progress: OnProgress, until: float | None) -> bool:
        """Make the runs that are missing of so many shakes; say whether all of them are there."""
        what = f"{shakes} perturbed copies" if shakes else "the log as it is"
        last = Progress()

        def tell(progress: Progress) -> None:
            nonlocal last
            last = progress
            if until is not None and monotonic() >= until:
                raise TimeIsUp
            done, all_of_them = progress.there + progress.made, progress.to_do
            on_progress(f"Simulating {what}: {done:,} of {done + all_of_them:,} runs")

        inventory = self._campaign.inventory(shakes)
        try:
            make_runs_by(lambda _: self._team(until), inventory, on_progress=tell, in_order=True)
        except TimeIsUp:
            self._end_workers()
            begun = min(self._campaign.workers, last.to_do)
            done = last.there + last.made
            self._unfinished = (
                f"of {what} {done:,} of {done + last.to_do:,} runs are made, from which the next "
                f"call goes on; unfinished runs that were discarded: {begun:,}"
            )
            return False
        self._campaign.leave_out_failed(inventory)
        return True

    def _team(self, until: float | None) -> AbstractContextManager[Workers] | InProcess:
        """Return who makes runs: this process alone, or others, which take time to start.

        These go on from round to round, with what they have read and loaded.
        """
        maker = self._campaign.maker
        if self._campaign.workers == 1:
            return InProcess(maker, progress=ends_at(until))
        if self._workers is None or self._workers[0] is not maker:
            self._end_workers()
            number = self._campaign.workers
            self._workers = maker, Workers.of(maker.campaign, number)
        return nullcontext(self._workers[1])

    def _end_workers(self) -> None:
        if self._workers is not None:
            self._workers[1].end()
        self._workers = None

    def _there(self) -> int:
        """Return how many shakes of all policies are there."""
        inventory = self._campaign.inventory(MOST)
        there = inventory.agenda().figures
        (log,) = inventory.specification.logs
        shakes = 0
        while all(
            RunKey(0, policy, log.shake(shakes + 1)) in there
            for policy in range(len(self._campaign.policies))
        ):
            shakes += 1
        return shakes if shakes >= FEWEST else 0

    def _known(self, shakes: int, precision: float) -> bool:
        agenda = self._campaign.inventory(shakes).agenda()
        policy = self._campaign.policies.index(self._campaign.judged)
        found = [agenda.difference(0, policy, name) for name in KNOWN]
        return all(one.value is None or one.known_to(precision) for one in found)
