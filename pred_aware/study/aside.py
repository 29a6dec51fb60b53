"""A run of the log as it is, made by a process of its own beside this one."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from pred_aware.errors import PredAwareError
from pred_aware.execution.children import Child

PROCESS = "pred_aware.study.aside_process"
PATIENCE = 0.2
"""How often it is looked at whether the time is up, in seconds."""


class Aside:
    """A run that is being made beside this process.

    Parameters
    ----------
    child
        The process.
    policy
        Who schedules.
    """

    def __init__(self, child: Child, policy: str) -> None:
        self._child = child
        self._policy = policy

    def wait(self, *, until: float | None, on_progress: Callable[[str], None]) -> bool:
        """Wait until its files are there; say ``False`` where the time was up before.

        Parameters
        ----------
        until
            By the monotonic clock; ``None`` for as long as it takes.
        on_progress
            Called with what is waited for.

        Raises
        ------
        PredAwareError
            It can't be made.
        """
        on_progress(f"Simulating the log under {self._policy}")
        while self._child.wait(PATIENCE) is None:
            if until is not None and monotonic() >= until:
                return False
        if self._child.exit_code:
            lines = self._child.log.read_text(encoding="utf-8", errors="replace").splitlines()
            raise PredAwareError(lines[-1] if lines else f"{self._child.why_dead()}")
        return True


@contextmanager
def aside(
    workload: Path, platform: Path, store: Path, *, policy: str, prefix: Path
) -> Iterator[Aside]:
    """Make a run beside this process for as long as the block lasts.

    Parameters
    ----------
    workload, platform, store, policy, prefix
        As for `pred_aware.study.campaign.StudyCampaign` and `AsItIs.run`.
    """
    paths = (workload, platform, store)
    command = [sys.executable, "-P", "-m", PROCESS, *map(str, paths), policy, str(prefix)]
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        log = Path(folder) / "aside.log"
        with Child(f"the simulation of {policy}", command, log, guarded=False) as child:
            yield Aside(child, policy)
