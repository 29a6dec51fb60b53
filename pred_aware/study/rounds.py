"""The runs of a study: the log as it is, then rounds of perturbed copies; and what they show."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs_by
from pred_aware.campaign.making.maker import InProcess
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.results.collecting import leftovers, remove_leftovers
from pred_aware.campaign.results.differences import compared
from pred_aware.campaign.specification import RunKey
from pred_aware.campaign.store import Store
from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import over_shakes
from pred_aware.errors import PredAwareError
from pred_aware.execution.deadline import TimeIsUp, ends_at
from pred_aware.runs.reading import read_run
from pred_aware.runs.run import Run
from pred_aware.study.campaign import MEASURES, StudyCampaign
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
    failed: Mapping[str, str]
    """What could not be made, with the reason."""

    @property
    def agenda(self) -> Agenda:
        """What was found, over these shakes."""
        return self.inventory.agenda()


class Simulating:
    """Makes the rounds.

    Parameters
    ----------
    campaign
        Their runs.
    """

    def __init__(self, campaign: StudyCampaign) -> None:
        self._campaign = campaign
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
            dict(self._campaign.failed),
        )

    @property
    def as_far_as_it_is(self) -> Rounds:
        """What there is without any shake."""
        return Rounds(self._campaign.inventory(0), 0, "", {})

    def _make(self, shakes: int, *, on_progress: OnProgress, until: float | None) -> bool:
        """Make the runs that are missing of so many shakes; say whether all of them are there."""
        what = f"{shakes} perturbed copies" if shakes else "the log as it is"

        def tell(progress: Progress) -> None:
            if until is not None and monotonic() >= until:
                raise TimeIsUp
            done, all_of_them = progress.there + progress.made, progress.to_do
            on_progress(f"Simulating {what}: {done:,} of {done + all_of_them:,} runs")

        inventory = self._campaign.inventory(shakes)
        try:
            make_runs_by(lambda _: self._team(until), inventory, on_progress=tell, in_order=True)
        except TimeIsUp:
            self._end_workers()
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


def found(agenda: Agenda) -> dict[str, dict[str, Effect]]:
    """Return the effects by policy, with the baseline, and by measure.

    Means are over the shakes. Without shakes they are of the log as it is, without an interval.
    The p values are those of `campaign table`, which counts all comparisons of the campaign.
    """
    names = [policy.name for policy in agenda.campaign.policies]
    together = {(row.policy, row.measure): row.holm for row in compared(agenda)}
    return {
        name: {
            measure: replace(_effect(agenda, place, measure), holm=together.get((name, measure)))
            for measure in MEASURES
        }
        for place, name in enumerate(names)
        if {RunKey(0, place), RunKey(0, agenda.baseline)} <= agenda.figures.keys()
    }


def _effect(agenda: Agenda, policy: int, measure: str) -> Effect:
    once = (
        agenda.figures[RunKey(0, agenda.baseline)][measure],
        agenda.figures[RunKey(0, policy)][measure],
    )
    old, new = agenda.both(0, policy, measure)
    if not old:
        old, new = [once[0]], [once[1]]
    name = agenda.campaign.policies[policy].name
    return over_shakes(old, new, policy=name, measure=measure, as_it_is=once)


def unperturbed_run(
    campaign: StudyCampaign,
    name: str,
    *,
    folder: Path,
    on_progress: OnProgress,
    until: float | None,
) -> Run | None:
    """Simulate the log as it is, or read the run that an earlier call has written.

    Parameters
    ----------
    campaign
        All runs of the study.
    name
        The policy, by which the run's files are named.
    folder
        Where they are.
    on_progress
        Called with what is done.
    until
        When the time is up, by the monotonic clock; ``None`` for as long as it takes.

    Returns
    -------
    Run or None
        ``None`` where the time was up before it was made.

    Raises
    ------
    PredAwareError, SchedulerError, SimulationError
        No job can be simulated, or the files can't be written.
    """
    place, digest = campaign.known_by(name)
    on_progress(f"Simulating the log under {name}")
    run = _kept(campaign, folder / name, digest)
    if run is not None:
        return run
    if until is not None and monotonic() >= until:
        return None
    try:
        run, _, _ = campaign.maker.make(place, digest=digest, progress=ends_at(until))
    except TimeIsUp:
        return None
    # several policies of a study may be one scheduler
    run.name = name
    if run.ran.empty:
        reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
        raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
    run.write(folder / name)
    return run


def _kept(campaign: StudyCampaign, prefix: Path, digest: str) -> Run | None:
    """Return a run that an earlier call has written, if it is that of the store."""
    store = Store(campaign.store)
    if not store.has(digest):
        return None
    try:
        run = read_run(prefix, workload=campaign.workload)
        same = run.jobs_sha256 == store.read(digest)["jobs_sha256"]
    except PredAwareError:
        # not there, or not whole: an earlier call was stopped before
        return None
    return run if same and run.provenance else None
