"""Simulating runs again on shakes and resamples of their workload, in several processes."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pred_aware.comparison.bounds import AtBest, bounded
from pred_aware.comparison.one_run_each import one_run_each
from pred_aware.comparison.resamples import Resampled, resampled_of
from pred_aware.comparison.shaken import OneShake, Shaken, shaken_of
from pred_aware.comparison.shaken_groups import frames_of
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.execution.cores import cores
from pred_aware.execution.exact import exact_options
from pred_aware.execution.rerun import recipe_of, workload_of
from pred_aware.execution.simulate import simulate
from pred_aware.log.copies import Resample, Shake
from pred_aware.log.workload import Workload
from pred_aware.metrics.lower_bound import lower_bound
from pred_aware.metrics.run_measures import measures as figures_of
from pred_aware.runs.recipe import RunRecipe
from pred_aware.runs.run import Run

LEAST = 2

WORTH_A_PROCESS = 20_000
"""To begin a process takes about as long as to simulate so many jobs."""

Recipes = Mapping[str, RunRecipe]
"""By what the runs are called; the first is the base."""

Progress = Callable[[int, int], None]
"""Told now and then how much is done, of how much."""


Copies = Sequence[Shake] | Sequence[Resample]


@dataclass(frozen=True)
class Again:
    """Runs that are simulated again on copies of their workload; see `pred_aware.compare`.

    Parameters
    ----------
    runs
        The runs; the first is the base.
    platform
        The platform's file, where it is not where it was.
    own_parts
        Whether parts are imported that a file names; see `recipe_of`.
    workers
        How many processes; by default one a core. With 1 it is this one. What comes out is the
        same.
    progress
        Called after each copy.
    shown
        What is compared: measures, their `tau`, groups; see `compare`.
    """

    runs: Sequence[Run]
    shown: Mapping[str, Any]
    platform: Path | None = None
    own_parts: bool = False
    workers: int | None = None
    progress: Progress | None = None

    @cached_property
    def _recipes(self) -> Recipes:
        return {
            run.name: recipe_of(run, self.platform, own_parts=self.own_parts) for run in self.runs
        }

    @cached_property
    def _workload(self) -> Workload:
        base, *others = self.runs
        workload = workload_of(base)
        for run in others:
            if workload_of(run).sha256 != workload.sha256:
                raise PredAwareError(f"{run.name} and {base.name} are runs of different workloads")
        return workload

    def on_shakes(self, seeds: Sequence[int], *, reach: float) -> Shaken:
        """Simulate the runs on shakes.

        Raises
        ------
        PredAwareError
            They can't be made again as they were, or there is a single shake.
        """
        found = self._on([Shake(seed, reach) for seed in seeds], "shake")
        return shaken_of(found, seeds=seeds, reach=reach)

    def on_resamples(self, seeds: Sequence[int]) -> Resampled:
        """Simulate the runs on resamples.

        Raises
        ------
        PredAwareError
            They can't be made again as they were, or there is a single resample.
        """
        found = self._on([Resample(seed) for seed in seeds], "resample")
        return resampled_of([one.comparison for one in found], seeds=seeds)

    def at_best(self) -> AtBest:
        """Say what no schedule of the workload goes below, and what exact run times would give.

        Raises
        ------
        PredAwareError
            The runs can't be made again.
        """
        workload, measures = self._workload, bounded(self.shown["measures"])
        exact = {name: _exact(workload, recipe, name) for name, recipe in self._recipes.items()}
        known = next((run for run in exact.values() if run is not None), None)
        if known is None:
            name, recipe = next(iter(self._recipes.items()))
            known = _simulated(workload, recipe, name)
        # a run that was read need not know how large the machine is, and the bound needs it
        return AtBest(
            {measure: lower_bound(known, measure) for measure in measures},
            {run.name: figures_of(run, measures) for run in self.runs},
            {
                name: None if run is None else figures_of(run, measures)
                for name, run in exact.items()
            },
        )

    def _on(self, copies: Copies, what: str) -> list[OneShake]:
        """Simulate each run on each copy, and compare them on each, in the order of the copies.

        A run that was read from files is first made again on its own workload, which must give the
        same schedule.
        """
        if len(copies) < LEAST:
            raise PredAwareError(
                f"one {what} gives no interval: give at least 2, and better 10 or more"
            )
        recipes, workload = self._recipes, self._workload
        # what is wrong with seeds and reach is told before anything is started
        for copy in copies:
            copy.of(workload)
        old = [name for name, recipe in recipes.items() if recipe.jobs_sha256]
        tasks: list[tuple[Any, ...]] = [(_made_again, recipes[name], name) for name in old]
        tasks += [(_compared, recipes, copy, self.shown) for copy in copies]
        results: list[Any] = []
        workers = self.workers
        if workers is None:
            jobs = len(workload) * len(recipes) * len(copies)
            workers = cores() if jobs >= WORTH_A_PROCESS else 1
        for result in _done(tasks, workload, workers=min(workers, len(tasks))):
            if isinstance(result, str):
                raise PredAwareError(result)
            results.append(result)
            if self.progress is not None:
                self.progress(len(results), len(tasks))
        return results[len(old) :]


def _done(tasks: Sequence[tuple[Any, ...]], workload: Workload, *, workers: int) -> Iterator[Any]:
    """Yield what comes of the tasks, in their order."""
    if workers == 1:
        for task, *arguments in tasks:
            yield task(workload, *arguments)
        return
    # classes that a script or a notebook has are sent as they are, by cloudpickle, and no script
    # has to be written for it, as it has to be where processes begin with the script anew
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        path = Path(folder) / "workload.json"
        workload.write(path)
        calls = (delayed(_in_a_worker)(path, workload.name, *task) for task in tasks)
        try:
            yield from Parallel(n_jobs=workers, batch_size=1, return_as="generator")(calls)
        finally:
            get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _in_a_worker(path: Path, name: str, task: Any, *arguments: Any) -> Any:  # noqa: ANN401
    """Do a task; an error becomes its text, since not every error can be sent."""
    try:
        return task(_read(path, name), *arguments)
    except USER_ERRORS as error:
        return str(error)


@lru_cache(maxsize=1)
def _read(path: Path, name: str) -> Workload:
    """Read the workload once in a process."""
    return Workload.of(path.read_bytes(), name)


def _simulated(workload: Workload, recipe: RunRecipe, name: str) -> Run:
    return simulate(
        workload,
        recipe.policy,
        options=recipe.options,
        platform=recipe.platform,
        delays=recipe.delays,
        name=name,
    )


def _exact(workload: Workload, recipe: RunRecipe, name: str) -> Run | None:
    """Simulate a recipe that knows run times; ``None`` where it can't be told them."""
    options = exact_options(recipe.policy, recipe.options, delays=recipe.delays)
    if options is None:
        return None
    return _simulated(workload, replace(recipe, options=options), name)


def _made_again(workload: Workload, recipe: RunRecipe, name: str) -> str | None:
    """Say what is wrong with a run that is made again, if anything is."""
    run = _simulated(workload, recipe, name)
    if run.jobs_sha256 == recipe.jobs_sha256:
        return None
    return (
        f"{name} comes out otherwise when it is simulated again: another version, another library "
        "or a part of your own that has changed; run it again, and compare then"
    )


def _compared(
    workload: Workload, recipes: Recipes, copy: Shake | Resample, shown: Mapping[str, Any]
) -> OneShake:
    on = copy.of(workload)
    runs = [_simulated(on, recipe, name) for name, recipe in recipes.items()]
    found = one_run_each(runs, anyway=True, **shown)
    frames = frames_of(found) if isinstance(copy, Shake) else {}
    return OneShake(replace(found, compared=(), base_queue=None), frames)
