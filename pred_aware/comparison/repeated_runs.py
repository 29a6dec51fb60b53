"""Simulating runs again on shakes and resamples of their workload, by a campaign's workers."""

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from pickle import PicklingError
from typing import Any

from pred_aware.campaign.making.dispatch import each
from pred_aware.campaign.making.maker import InProcess
from pred_aware.campaign.making.workers import Team, Workers
from pred_aware.campaign.messages import Task
from pred_aware.campaign.run_key import RunKey
from pred_aware.campaign.specification import Limits
from pred_aware.comparison.copies import Perturbed, Resampled
from pred_aware.comparison.copy_maker import CopyMaker, Recipes, simulated
from pred_aware.comparison.over_copies import OneCopy, perturbed_of, resampled_of
from pred_aware.effects.bounds import BoundedMeasure, bounded
from pred_aware.errors import PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.execution.exact import exact_options
from pred_aware.execution.rerun import recipe_of, workload_of
from pred_aware.log.copies import Copy, Resample, Shake
from pred_aware.log.workload import Workload
from pred_aware.metrics.lower_bound import lower_bound
from pred_aware.metrics.run_measures import measures as figures_of
from pred_aware.runs.provenance import RunRecipe
from pred_aware.runs.run import Run

LEAST = 2

WORTH_A_PROCESS = 20_000
"""To begin a process takes about as long as to simulate so many jobs."""

Progress = Callable[[int, int], None]
"""Told now and then how much is done, of how much."""


@dataclass(frozen=True)
class RepeatedRuns:
    """Runs that are simulated again on copies of their workload; see `pred_aware.compare`."""

    runs: Sequence[Run]
    """The first is the baseline."""
    shown: Mapping[str, Any]
    """What is compared: measures, their `tau`, groups."""
    platform: Path | None = None
    """The platform's file, where it is not where it was."""
    own_parts: bool = False
    """Whether parts are imported that a file names; see `recipe_of`."""
    workers: int | None = None
    """How many processes; by default one per core. With 1 it is this one. What comes out is the
    same."""
    progress: Progress | None = None
    """Called after each copy."""

    @cached_property
    def _recipes(self) -> Recipes:
        return {
            run.name: recipe_of(run, self.platform, own_parts=self.own_parts) for run in self.runs
        }

    @cached_property
    def _workload(self) -> Workload:
        baseline, *others = self.runs
        workload = workload_of(baseline)
        for run in others:
            other = workload_of(run)
            if other is not workload and other.sha256 != workload.sha256:
                raise PredAwareError(
                    f"{run.name} and {baseline.name} are runs of different workloads"
                )
        return workload

    def on_shakes(self, seeds: Sequence[int], *, max_shift: float) -> Perturbed:
        """Simulate the runs on shakes.

        Raises
        ------
        PredAwareError
            They cannot be made again as they were, or there is a single shake.
        """
        return perturbed_of(
            self._on([Shake(seed, max_shift) for seed in seeds], "shake"),
            seeds=seeds,
            max_shift=max_shift,
        )

    def on_resamples(self, seeds: Sequence[int]) -> Resampled:
        """Simulate the runs on resamples.

        Raises
        ------
        PredAwareError
            They cannot be made again as they were, or there is a single resample.
        """
        return resampled_of(self._on([Resample(seed) for seed in seeds], "resample"), seeds=seeds)

    def bounds(self) -> tuple[BoundedMeasure, ...]:
        """Say what no schedule of the workload goes below, and what exact run times would give.

        Raises
        ------
        PredAwareError
            The runs cannot be made again.
        """
        workload, measures = self._workload, bounded(self.shown["measures"])
        exact = {name: _exact(workload, recipe, name) for name, recipe in self._recipes.items()}
        known = next((run for run in exact.values() if run is not None), None)
        if known is None:
            name, recipe = next(iter(self._recipes.items()))
            known = simulated(workload, recipe, name)
        # a run that was read need not know how large the machine is, and the bound needs it
        bounds = {measure: lower_bound(known, measure) for measure in measures}
        rows = []
        for run in self.runs:
            own, same = figures_of(run, measures), exact[run.name]
            best = {} if same is None else figures_of(same, measures)
            rows += [
                BoundedMeasure("", run.name, one, own[one], best.get(one), bounds[one])
                for one in measures
            ]
        return tuple(rows)

    def _on(self, copies: Sequence[Copy], what: str) -> list[OneCopy]:
        """Simulate each run on each copy, and compare them on each, in the order of the copies.

        A run that was read from files is first made again on its own workload, which must give the
        same schedule.
        """
        if len(copies) < LEAST:
            raise PredAwareError(
                f"one {what} gives no interval: give at least 2, and better 10 or more"
            )
        recipes, workload = self._recipes, self._workload
        here = CopyMaker(lambda: workload, recipes, self.shown)
        # what is wrong with the largest shift or the workload is told before anything is started
        copies[0].of(workload)
        old = [place for place, recipe in enumerate(recipes.values()) if recipe.jobs_sha256]
        tasks = [Task(RunKey(0, place), "") for place in old]
        tasks += [Task(RunKey(0, 0, copy), "") for copy in copies]
        workers = self.workers
        if workers is None:
            jobs = len(workload) * len(recipes) * len(copies)
            workers = cores() if jobs >= WORTH_A_PROCESS else 1
        found: dict[Task, OneCopy] = {}
        with self._team(here, min(workers, len(tasks))) as team:
            for done, (task, answer) in enumerate(each(team, tasks), 1):
                wrong = answer.failed or (answer.value if task.run.copy is None else None)
                if wrong is not None:
                    raise PredAwareError(wrong)
                found[task] = answer.value
                if self.progress is not None:
                    self.progress(done, len(tasks))
        return [found[task] for task in tasks[len(old) :]]

    @contextmanager
    def _team(self, here: CopyMaker, number: int) -> Iterator[Team]:
        """Yield who simulates: this process, or others if all that is simulated can be sent."""
        with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder, ExitStack() as ended:
            team: Workers | InProcess = InProcess(here)
            if number > 1:
                path = Path(folder) / "workload.json"
                self._workload.write(path)
                read = partial(_read, path, self._workload.name)
                there = CopyMaker(read, self._recipes, self.shown)
                # a part of one's own that holds what no other process can have
                with suppress(PicklingError, TypeError, AttributeError):
                    team = Workers(there, number, limits=Limits(memory=math.inf))
            ended.enter_context(team)
            yield team


def _read(path: Path, name: str) -> Workload:
    return Workload.of(path.read_bytes(), name)


def _exact(workload: Workload, recipe: RunRecipe, name: str) -> Run | None:
    """Simulate a recipe that knows run times; ``None`` where it cannot be told them."""
    options = exact_options(recipe.policy, recipe.options, delays=recipe.delays)
    if options is None:
        return None
    return simulated(workload, replace(recipe, options=options), name)
