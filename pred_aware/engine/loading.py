"""The compiled engine in this process: whether it is worth its start, and where it is kept.

It takes half a second to load, and a minute or two to compile, once for each user and version. So
it is taken when the jobs that this process has simulated without it, and is going to, pay for
loading; until then, and where numba is missing or nothing can be kept, simulations run in Python.
"""

import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from pred_aware.engine.sources import CODE

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
WORTH_INSTALLING = 60.0
"""Seconds that simulations have taken when numba is recommended."""

_SIMULATING = "pred_aware.engine.simulating"
_JOB_TEXT = "pred_aware.engine.job_text"
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
        Variables; ``None`` for those of the process.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._code = CODE if environment is None else CODE.of(environment)
        self._simulates: Simulates | None = None
        self._missing = False
        self._compiled: set[frozenset[str]] = set()

    def considers(self, jobs: int) -> bool:
        """Say whether a workload of so many jobs is one to simulate by it, if it covers the rest.

        What looks at the rest takes longer to import than a small simulation takes.
        """
        return jobs >= WORTH_CALLING or self._code.wanted

    def worth(self, jobs: int, parts: frozenset[str] = frozenset(), *, times: float = 1.0) -> bool:
        """Say whether to simulate so many jobs by it; if not, they count as simulated without.

        Parameters
        ----------
        jobs
            How many.
        parts
            Of what is compiled; see `load`.
        times
            How many times as long as under bare EASY a job takes in Python. It counts where nothing
            is to be compiled any more.
        """
        if self._missing or self._code.forbidden or not self.considers(jobs):
            return False
        if self._simulates is not None:
            return True
        there = times > 1.0 and self._code.is_there(*_names(parts))
        return self._code.pays(times * jobs if there else jobs, least=WORTH_LOADING)

    def load(self, parts: frozenset[str] = frozenset()) -> Simulates | None:
        """Return what simulates; ``None`` where there is no numba or no place to keep anything.

        The first time it is compiled, which is told: by themselves bounds and trust (``bounded``),
        a site's rules (``sited``), these with its ``nodes`` and ``places`` of waiting jobs there,
        Slurm's priority (``multifactor``) and scheduling (``slurm``), and OpenPBS's calendar
        (``openpbs``) and order, where places change (``pbs``), since they take most of that time,
        and batsched's ``timetable``.
        """
        if not self._missing and parts not in self._compiled:
            said = self._code.load(
                (_SIMULATING, _JOB_TEXT),
                lambda: _compile_all(parts),
                *_names(parts),
                without="simulations",
            )
            self._missing = said is None
            self._simulates = None if said is None else import_module(_SIMULATING).outcome_of
            self._compiled.add(parts)
        return self._simulates


def advice(seconds: float) -> str | None:
    """Return what to install after so many seconds of simulations, if that helps."""
    if seconds < WORTH_INSTALLING or find_spec("numba") is not None:
        return None
    return (
        "Install the extra `fast` (numba), with which most simulations take a thirtieth of the "
        "time: -r requirements-fast.lock in place of requirements.lock in the clone, without one "
        "pip install 'pred-aware[fast]'."
    )


def _names(parts: frozenset[str]) -> tuple[str, ...]:
    return ("compiled", *sorted(parts))


def _compile_all(parts: frozenset[str]) -> str:
    _logger.warning("compiling the simulation engine, once: this takes a minute, or two")
    import_module(_JOB_TEXT).compile_all()
    import_module(_SIMULATING).compile_all(parts)
    return ""


ENGINE = Engine()
"""That of this process."""
