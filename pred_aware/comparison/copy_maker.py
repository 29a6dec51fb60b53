"""The work of a worker process: repeat runs on copies of their workload."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import cloudpickle

from pred_aware.campaign.messages import Task, WorkerAnswer
from pred_aware.comparison.one_run_each import runs_side_by_side
from pred_aware.comparison.over_copies import OneCopy, frames_of
from pred_aware.execution.simulate import simulate
from pred_aware.log.workload import Shake, Workload
from pred_aware.runs.provenance import RunRecipe
from pred_aware.runs.run import Run

Recipes = Mapping[str, RunRecipe]
"""Recipes by the names of the runs. The first is the baseline."""


class CopyMaker:
    """Repeats runs on a copy of their workload and compares the repeated runs.

    A task without a copy repeats a single run on the original workload, to verify the run. The
    answer is then how the repeated run differs, or ``None``.

    Parameters
    ----------
    read
        A function that returns the workload. It is called once, in the worker process.
    recipes
        The recipes for repeating the runs.
    shown
        The options of the comparison: measures, `tau`, groups; see `pred_aware.compare`.
    """

    def __init__(
        self,
        read: Callable[[], Workload],
        recipes: Recipes,
        shown: Mapping[str, Any],
    ) -> None:
        self._read = read
        self._workload: Workload | None = None
        self._recipes = recipes
        self._shown = shown

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[bytes]]:
        """Pickle the object, including classes of a script or notebook."""
        return _restored, (cloudpickle.dumps((self._read, self._recipes, self._shown)),)

    def inputs(self, log: int) -> Workload:
        """Return the workload; read it at the first call."""
        if self._workload is None:
            self._workload = self._read()
        return self._workload

    def forget(self, log: int) -> None:
        """Do nothing: there is only one workload."""

    def answer(
        self, task: Task, *, progress: Callable[[int, int], None] | None = None
    ) -> WorkerAnswer:
        """Make and compare the runs of a copy, or repeat a single run; see `simulated`."""
        workload, copy = self.inputs(task.run.log), task.run.copy
        if copy is None:
            name, recipe = [*self._recipes.items()][task.run.policy]
            return WorkerAnswer(value=_unlike(simulated(workload, recipe, name, progress), recipe))
        on = copy.of(workload)
        runs = [simulated(on, recipe, name, progress) for name, recipe in self._recipes.items()]
        found = runs_side_by_side(runs, **self._shown, with_provenance=False)
        frames = frames_of(found) if isinstance(copy, Shake) else {}
        return WorkerAnswer(value=OneCopy(replace(found, compared=()), frames))


def _restored(content: bytes) -> CopyMaker:
    return CopyMaker(*cloudpickle.loads(content))


def simulated(
    workload: Workload,
    recipe: RunRecipe,
    name: str,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Simulate a recipe on a workload."""
    return simulate(
        workload,
        recipe.policy,
        options=recipe.options,
        platform=recipe.platform,
        delays=recipe.delays,
        name=name,
        progress=progress,
    )


def _unlike(run: Run, recipe: RunRecipe) -> str | None:
    """Return how a repeated run differs from the original, or ``None``."""
    if run.jobs_sha256 == recipe.jobs_sha256:
        return None
    return (
        f"{run.name} gives another schedule when it is simulated again, because pred-aware, a "
        "library or a part of your own has changed. Run it again, then compare"
    )
