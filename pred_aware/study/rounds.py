"""The runs of a study: first the unperturbed log, then rounds of perturbed copies."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, make_runs
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
"""The measures whose changes must reach the requested precision."""

FEWEST = 2
FIRST = 5
"""The number of perturbed copies in the first round."""
MOST = 1000


@dataclass(frozen=True, slots=True)
class Rounds:
    """The results of all rounds of perturbed copies."""

    inventory: Inventory
    """The campaign with the perturbed copies that all policies have."""
    shakes: int
    """The number of these copies."""
    why: str
    """The reason for ending the rounds, in words."""
    failed: Mapping[str, str]
    """For each policy that could not be simulated: its name and the reason."""

    @property
    def agenda(self) -> Agenda:
        """The results over the perturbed copies."""
        return self.inventory.agenda()


class Simulating:
    """Makes the runs of a study in rounds.

    Parameters
    ----------
    campaign
        The runs of the study.
    """

    def __init__(self, campaign: StudyCampaign) -> None:
        self._campaign = campaign
        # the workers of the last round and their maker
        self._workers: tuple[Maker, Workers] | None = None

    def run(
        self,
        effort: StudyEffort,
        *,
        until: float | None,
        known: str = "",
        on_progress: OnProgress,
    ) -> Rounds:
        """Simulate the unperturbed log, then rounds of perturbed copies.

        Parameters
        ----------
        effort
            The limits of the study, and the number of copies if it was requested.
        until
            The value of `time.monotonic` at which to stop; ``None`` for no limit.
        known
            The reason why no perturbed copy would change the answer, else empty. With a reason,
            copies are made only if `effort` has a number of copies.
        on_progress
            Called with a description of the current step.

        Raises
        ------
        PredAwareError
            The baseline or the judged policy cannot be simulated.
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
        whole = self._make_runs(0, on_progress=on_progress, until=until)
        there = self._there()
        why = "" if whole else "time is up"
        if known and effort.shakes is None:
            why = known
        while not why:
            # each round doubles the number of copies; the loop then checks the precision
            wanted = min(MOST, max(FIRST, 2 * there)) if effort.shakes is None else effort.shakes
            if effort.shakes is None and there >= FIRST and self._known(there, effort.precision):
                why = f"precision {effort.precision:g} reached"
            elif wanted <= there:
                why = "all requested copies are done"
            elif not self._make_runs(wanted, on_progress=on_progress, until=until):
                there, why = self._there(), "time is up"
            else:
                there = max(wanted, self._there())
        # the store of an earlier study may have more copies
        shakes = there if effort.shakes is None else min(effort.shakes, there)
        return Rounds(
            self._campaign.inventory(shakes),
            shakes,
            why,
            dict(self._campaign.failed),
        )

    @property
    def without_copies(self) -> Rounds:
        """The results without perturbed copies."""
        return Rounds(self._campaign.inventory(0), 0, "", {})

    def _make_runs(self, shakes: int, *, on_progress: OnProgress, until: float | None) -> bool:
        """Simulate the missing runs of the first `shakes` copies; return whether all finished."""
        what = f"{shakes} perturbed copies" if shakes else "the unperturbed log"

        def tell(progress: Progress) -> None:
            if until is not None and monotonic() >= until:
                raise TimeIsUp
            done, all_of_them = progress.there + progress.made, progress.to_do
            on_progress(f"Simulating {what}: {done:,} of {done + all_of_them:,} runs")

        inventory = self._campaign.inventory(shakes)
        try:
            make_runs(inventory, lambda _: self._team(until), on_progress=tell, in_order=True)
        except TimeIsUp:
            self._end_workers()
            return False
        self._campaign.leave_out_failed(inventory)
        return True

    def _team(self, until: float | None) -> AbstractContextManager[Workers] | InProcess:
        """Return this process as the worker, or worker processes that stay alive between rounds."""
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
        """Return the number of copies that all policies have, 0 if below `FEWEST`."""
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
    """Return the effects by policy, including the baseline, and by measure.

    Means are over the perturbed copies. Without copies the effects are those of the unperturbed
    log, without an interval. As in `campaign table`, p values are corrected for all comparisons.
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
    return over_shakes(old, new, policy=name, measure=measure, unperturbed=once)


def unperturbed_run(
    campaign: StudyCampaign,
    name: str,
    *,
    folder: Path,
    on_progress: OnProgress,
    until: float | None,
) -> Run | None:
    """Simulate the unperturbed log, or read the run that an earlier call has written.

    Parameters
    ----------
    campaign
        All runs of the study.
    name
        The name of the policy and of the run's files.
    folder
        The folder of the run's files.
    on_progress
        Called with a description of the current step.
    until
        The value of `time.monotonic` at which to stop; ``None`` for no limit.

    Returns
    -------
    Run or None
        The run, ``None`` if the time was up before the run was finished.

    Raises
    ------
    PredAwareError, SchedulerError, SimulationError
        No job can be simulated, or the files cannot be written.
    """
    place, digest = campaign.known_by(name)
    on_progress(f"Simulating the log under {name}")
    run = _earlier_run(campaign, folder / name, digest)
    if run is not None:
        return run
    if until is not None and monotonic() >= until:
        return None
    try:
        run, _, _ = campaign.maker.make(place, digest=digest, progress=ends_at(until))
    except TimeIsUp:
        return None
    # several policies of a study may use one scheduler, whose name the run has
    run.name = name
    if run.ran.empty:
        reasons = ", ".join(f"{why}: {count:,}" for why, count in run.rejections.items())
        raise PredAwareError(f"no job can be simulated under {name} ({reasons})")
    run.write(folder / name)
    return run


def _earlier_run(campaign: StudyCampaign, prefix: Path, digest: str) -> Run | None:
    """Return the run that an earlier call has written, if it equals the run in the store."""
    store = Store(campaign.store)
    if not store.has(digest):
        return None
    try:
        run = read_run(prefix, workload=campaign.workload)
        same = run.jobs_sha256 == store.read(digest)["jobs_sha256"]
    except PredAwareError:
        # the files are missing or incomplete, because an earlier call was stopped
        return None
    return run if same and run.provenance else None
