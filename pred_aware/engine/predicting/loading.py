"""The compiled loops of our predictors in this process: whether they cover a policy, and pay."""

import logging
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from pred_aware.engine.coverage import Arrangement
from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel.codes import ASKED
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from pred_aware.engine.predicting.covering import BuiltIn, built_in
from pred_aware.engine.predicting.sources import CODE
from predictors.loops import LOOPS
from schedulers.policy.estimates import EstimateSource
from schedulers.site.gate import Gate
from workload_tools.batsim.workload import RawWorkload

if TYPE_CHECKING:
    from pred_aware.engine.predicting.asking import AskingInArrays

WORTH_COMPILING = 100_000
"""From so many jobs on that it was asked for, compiling pays: a job takes 60 microseconds less."""

_ASKING = "pred_aware.engine.predicting.asking"
_SAME, _OTHER = "same", "other"
_logger = logging.getLogger(__name__)


class Loops:
    """Those of a process.

    Parameters
    ----------
    environment
        Variables; ``None`` for those of the process.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._code = CODE if environment is None else CODE.of(environment)
        self._same: bool | None = None

    def load(self, jobs: int, *, least: int = 0) -> bool:
        """Say whether so many jobs are asked for by them; they give what Python does.

        Where they are not loaded, fewer than `least` are not.
        """
        if self._same is None:
            if jobs < least and not self._code.wanted:
                return False
            if not (self._code.is_there() or self._code.pays(jobs, least=WORTH_COMPILING)):
                return False
            said = self._code.load((_ASKING,), _compile_all, without="predictions")
            self._same = said == _SAME
        return self._same


def _compile_all() -> str:
    _logger.warning("compiling the loops that ask predictors, once: this takes about 8 s")
    import_module(_ASKING).compile_all()
    numbers = import_module("pred_aware.engine.predicting.functions")
    return _SAME if numbers.same_functions() else _OTHER


LOADED = Loops()


def _gives_memory(gate: Gate | None) -> bool:
    """Say whether a site gives jobs the memory that they do not ask for, which models may see."""
    partitions = () if gate is None else gate.site.partitions
    return any(one.default_memory or one.default_memory_per_node for one in partitions)


def covered(source: EstimateSource, jobs: int, *, least: int = 0) -> BuiltIn | None:
    """Return what a source asks for so many jobs; ``None`` where loops don't cover it, or pay."""
    built = built_in(source)
    if built is None or not LOADED.load(jobs, least=least):
        return None
    return None if built.models and LOOPS.load() is None and built.boosts else built


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
    built = covered(sources.pop(), len(jobs.submit))
    if built is None:
        return None
    from pred_aware.engine.predicting.asking import begin

    return begin(built, raw, order, rules, jobs, state, schedule)
