"""Repeat runs on perturbed copies and resamples of their workload, in worker processes."""

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
from pred_aware.campaign.specification import Limits, RunKey
from pred_aware.comparison.copies import Perturbed, Resampled
from pred_aware.comparison.copy_maker import CopyMaker, Recipes, simulated
from pred_aware.comparison.over_copies import OneCopy, perturbed_of, resampled_of
from pred_aware.effects.bounds import BoundedMeasure, bounded
from pred_aware.errors import PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.execution.exact import exact_options
from pred_aware.execution.rerun import recipe_of, workload_of
from pred_aware.log.workload import Copy, Resample, Shake, Workload
from pred_aware.metrics.lower_bound import lower_bound
from pred_aware.metrics.run_measures import measures as figures_of
from pred_aware.runs.provenance import RunRecipe
from pred_aware.runs.run import Run

LEAST = 2

WORTH_A_PROCESS = 20_000
"""Simulating this number of jobs takes about as long as starting a process."""

Progress = Callable[[int, int], None]
"""Called with the number of finished tasks and the total number of tasks."""


@dataclass(frozen=True)
class RepeatedRuns:
    """Repeats runs on copies of their workload; see `pred_aware.compare`."""

    runs: Sequence[Run]
    """The runs; the first is the baseline."""
    shown: Mapping[str, Any]
    """The options of the comparison: measures, `tau`, groups."""
    platform: Path | None = None
    """The platform's file, if it has moved."""
    own_parts: bool = False
    """Whether to import modules for parts that a run's file names; see `recipe_of`."""
    workers: int | None = None
    """The number of processes; by default one per core, and this process if it is 1. The number
    does not change the results."""
    progress: Progress | None = None
    """Called after each task; ``None`` to show no progress."""

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
                    f"{run.name} and {baseline.name} are runs of different workloads; compare runs "
                    "of one workload"
                )
        return workload

    def on_shakes(self, seeds: Sequence[int], *, max_shift: float) -> Perturbed:
        """Repeat the runs on perturbed copies.

        Raises
        ------
        PredAwareError
            The runs cannot be repeated exactly, or there is only one copy.
        """
        return perturbed_of(
            self._on([Shake(seed, max_shift) for seed in seeds], "shake"),
            seeds=seeds,
            max_shift=max_shift,
        )

    def on_resamples(self, seeds: Sequence[int]) -> Resampled:
        """Repeat the runs on resamples.

        Raises
        ------
        PredAwareError
            The runs cannot be repeated exactly, or there is only one resample.
        """
        return resampled_of(self._on([Resample(seed) for seed in seeds], "resample"), seeds=seeds)

    def bounds(self) -> tuple[BoundedMeasure, ...]:
        """Return lower bounds for all schedules, and the results with exact run times.

        Raises
        ------
        PredAwareError
            The runs cannot be repeated.
        """
        workload, measures = self._workload, bounded(self.shown["measures"])
        exact = {name: _exact(workload, recipe, name) for name, recipe in self._recipes.items()}
        known = next((run for run in exact.values() if run is not None), None)
        if known is None:
            name, recipe = next(iter(self._recipes.items()))
            known = simulated(workload, recipe, name)
        # the bound needs the machine's size, which a run that was read from files may lack
        bounds = {measure: lower_bound(known, measure) for measure in measures}
        rows = []
        for run in self.runs:
            measured, same = figures_of(run, measures), exact[run.name]
            best = {} if same is None else figures_of(same, measures)
            rows += [
                BoundedMeasure("", run.name, one, measured[one], best.get(one), bounds[one])
                for one in measures
            ]
        return tuple(rows)

    def _on(self, copies: Sequence[Copy], what: str) -> list[OneCopy]:
        """Repeat and compare the runs on each copy, in the order of the copies.

        A run that was read from files is first repeated on its own workload. The schedules must be
        equal.
        """
        if len(copies) < LEAST:
            raise PredAwareError(
                f"one {what} gives no interval: give at least 2, better 10 or more"
            )
        recipes, workload = self._recipes, self._workload
        here = CopyMaker(lambda: workload, recipes, self.shown)
        # report errors of the shift or the workload before any process starts
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
        """Yield worker processes, or this process if the runs cannot be sent to other processes."""
        with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder, ExitStack() as ended:
            team: Workers | InProcess = InProcess(here)
            if number > 1:
                path = Path(folder) / "workload.json"
                self._workload.write(path)
                read = partial(_read, path, self._workload.name)
                there = CopyMaker(read, self._recipes, self.shown)
                # a user's own part may have a value that cannot be pickled
                with suppress(PicklingError, TypeError, AttributeError):
                    team = Workers(there, number, limits=Limits(memory=math.inf))
            ended.enter_context(team)
            yield team


def _read(path: Path, name: str) -> Workload:
    return Workload.of(path.read_bytes(), name)


def _exact(workload: Workload, recipe: RunRecipe, name: str) -> Run | None:
    """Simulate a recipe with exact run times; ``None`` if the policy cannot use run times."""
    options = exact_options(recipe.policy, recipe.options, delays=recipe.delays)
    if options is None:
        return None
    return simulated(workload, replace(recipe, options=options), name)
