"""The compiled engine in this process: whether it is worth its start, and where it is kept.

It takes half a second to load, and up to a minute to compile, once for each user and version. So
it is taken when the jobs that this process has simulated without it would have paid for loading;
until then, and where numba is missing or nothing can be kept, simulations run in Python.
"""

import logging
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from predictors.compile_cache import (
    ARRAYS,
    PYTHON,
    UNUSABLE,
    VARIABLE,
    cache_folder,
    cached_in,
    compiled_once,
    python_and_numba,
)

if TYPE_CHECKING:
    from pred_aware.engine.asked_of_site import AskedOfSite
    from pred_aware.engine.coverage import Arrangement
    from pred_aware.engine.job_arrays import Integers, JobArrays
    from pred_aware.engine.outcome import Outcome
    from workload_tools.batsim.workload import RawWorkload

WORTH_LOADING = 40_000
"""From so many simulated jobs on, loading has paid: a job takes 20 microseconds in Python."""
WORTH_CALLING = 500
"""So many a workload has at least; smaller ones don't count."""

_logger = logging.getLogger(__name__)


class Simulates(Protocol):
    """Simulates a policy in arrays; see `pred_aware.engine.simulating.outcome_of`."""

    def __call__(
        self,
        raw: "RawWorkload",
        jobs: "JobArrays",
        arrangement: "Arrangement",
        *,
        processors: int,
        users: "Integers | None",
        asked: "AskedOfSite | None" = None,
        progress: Callable[[int], None] | None = None,
    ) -> "Outcome | None":
        """Simulate."""
        ...


class Engine:
    """The engine of a process.

    Parameters
    ----------
    environment
        Variables, such as those of the process.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._simulates: Simulates | None = None
        self._missing = False
        self._compiled: set[frozenset[str]] = set()
        self._without = 0

    def considers(self, jobs: int) -> bool:
        """Say whether a workload of so many jobs is one to simulate by it, if it covers the rest.

        What looks at the rest takes longer to import than a small simulation takes.
        """
        return jobs >= WORTH_CALLING or self._environment.get(VARIABLE) == ARRAYS

    def worth(self, jobs: int) -> bool:
        """Say whether to simulate so many jobs by it; if not, they count as simulated without."""
        wanted = self._environment.get(VARIABLE)
        if self._missing or wanted == PYTHON or not self.considers(jobs):
            return False
        if wanted == ARRAYS or self._simulates is not None:
            return True
        self._without += jobs
        return self._without >= WORTH_LOADING

    def load(self, parts: frozenset[str] = frozenset()) -> Simulates | None:
        """Return what simulates; ``None`` where there is no numba or no place to keep anything.

        The first time it is compiled, which is told: by themselves bounds and trust (``bounded``),
        a site's rules (``sited``), these with its ``nodes``, Slurm's priority (``multifactor``) and
        scheduling (``slurm``), and OpenPBS's calendar (``openpbs``), since they take most of that
        time.
        """
        if not self._missing and parts not in self._compiled:
            folder = None if find_spec("numba") is None else _folder(self._environment)
            try:
                self._simulates = None if folder is None else _loaded(folder, parts)
            except UNUSABLE as error:
                self._simulates = None
                _logger.warning("numba can't be loaded, simulations take longer: %s", error)
            self._missing = self._simulates is None
            self._compiled.add(parts)
        return self._simulates


ENGINE = Engine(os.environ)
"""That of this process."""


def _folder(environment: Mapping[str, str]) -> Path | None:
    """Make the folder of what is compiled of these very sources; ``None`` where that can't be."""
    own = Path(__file__).parent
    code = own.parents[1]
    sources = (
        code / "predictors" / "compiled.py",
        own / "compiled.py",
        own / "job_text.py",
        *sorted((own / "kernel").glob("*.py")),
        *sorted((code / "schedulers" / "corrections").glob("*.py")),
        # where constants are from
        code / "pred_aware" / "simulator" / "ledger.py",
        code / "predictors" / "estimate.py",
        code / "schedulers" / "backfilling" / "trusted.py",
        code / "schedulers" / "orders" / "multifactor.py",
        code / "schedulers" / "orders" / "priority_factors.py",
        code / "schedulers" / "slurm" / "ends.py",
        code / "schedulers" / "slurm" / "planner.py",
    )
    return cache_folder("engine", sources, environment)


def _mark(folder: Path, parts: frozenset[str]) -> Path:
    """Return the file that is there once such a policy is compiled."""
    return folder / "-".join(["compiled", *sorted(parts), python_and_numba()])


def _loaded(folder: Path, parts: frozenset[str]) -> Simulates:
    done = _mark(folder, parts)
    with cached_in(folder):
        simulating = import_module("pred_aware.engine.simulating")
        job_text = import_module("pred_aware.engine.job_text")

    def compile_all() -> str:
        _logger.warning("compiling the simulation engine, once: this takes up to a minute")
        job_text.compile_all()
        simulating.compile_all(parts)
        return ""

    compiled_once(done, compile_all)
    simulates: Simulates = simulating.outcome_of
    return simulates
