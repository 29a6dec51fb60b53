"""The compiled loops of our predictors in this process: whether they cover a policy, and pay."""

import logging
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.engine.coverage import Arrangement
from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel.codes import ASKED
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from pred_aware.engine.predicting.covering import built_in
from predictors.compile_cache import (
    ARRAYS,
    VARIABLE,
    cache_folder,
    cached_in,
    compiled_once,
    python_and_numba,
)
from predictors.loops import LOOPS
from schedulers.site.gate import Gate
from workload_tools.batsim.workload import RawWorkload

if TYPE_CHECKING:
    from pred_aware.engine.predicting.asking import AskingInArrays

WORTH_COMPILING = 100_000
"""From so many jobs on that it was asked for, compiling pays: a job takes 60 microseconds less."""

_SAME, _OTHER = "same", "other"
_logger = logging.getLogger(__name__)


class Loops:
    """Those of a process.

    Parameters
    ----------
    environment
        Variables, such as those of the process.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._without = 0
        self._same: bool | None = None

    def load(self, jobs: int) -> bool:
        """Say whether so many jobs are asked for by them; they give what Python does."""
        wanted = self._environment.get(VARIABLE) == ARRAYS
        if self._same is None:
            folder = _folder(self._environment)
            mark = None if folder is None else folder / python_and_numba()
            self._without += jobs
            if mark is None or not (mark.exists() or wanted or self._without >= WORTH_COMPILING):
                return False
            with cached_in(mark.parent):
                import_module("pred_aware.engine.predicting.asking")
            self._same = compiled_once(mark, _compile_all) == _SAME
        return self._same


LOADED = Loops(os.environ)


def _compile_all() -> str:
    _logger.warning("compiling the loops that ask predictors, once: this takes about 8 s")
    asking = import_module("pred_aware.engine.predicting.asking")
    asking.compile_all()
    numbers = import_module("pred_aware.engine.predicting.functions")
    return _SAME if numbers.same_functions() else _OTHER


def _folder(environment: Mapping[str, str]) -> Path | None:
    """Make the folder of what is compiled of these very sources; ``None`` where that can't be."""
    own = Path(__file__).parent
    code = own.parents[2]
    sources = (
        code / "predictors" / "compiled.py",
        code / "predictors" / "rules" / "nearest.py",
        # where constants are from
        code / "predictors" / "regression" / "activity.py",
        code / "predictors" / "regression" / "encoding.py",
        own.parent / "compiled.py",
        own.parent / "kernel" / "codes.py",
        *(
            own / f"{name}.py"
            for name in ("activity", "functions", "loop", "models", "nearest", "values")
        ),
    )
    return cache_folder("predicting", sources, environment)


def _gives_memory(gate: Gate | None) -> bool:
    """Say whether a site gives jobs the memory that they do not ask for, which models may see."""
    partitions = () if gate is None else gate.site.partitions
    return any(one.default_memory or one.default_memory_per_node for one in partitions)


def asking_in_arrays(
    raw: RawWorkload,
    order: Integers,
    arrangement: Arrangement,
    rules: Rules,
    jobs: Jobs,
    state: State,
    schedule: Schedule,
) -> "AskingInArrays | None":
    """Return what asks a policy's predictors; ``None`` where the loops don't cover them, or pay."""
    sources = {*arrangement.predicted.values()}
    if rules.predicts != ASKED or _gives_memory(arrangement.gate) or len(sources) > 1:
        return None
    built = built_in(sources.pop())
    if (
        built is None
        or not LOADED.load(len(jobs.submit))
        or (built.models and LOOPS.load() is None)
    ):
        return None
    from pred_aware.engine.predicting.asking import begin

    return begin(built, raw, order, rules, jobs, state, schedule)
