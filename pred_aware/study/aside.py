"""A run of the log as it is, made by a process of its own beside this one.

``python -m pred_aware.study.aside WORKLOAD PLATFORM STORE POLICY PREFIX``. Its standard input is a
pipe that nobody writes to: when who started it dies, the pipe ends, and so must it.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from pred_aware.campaign.making.worker import end_with_parent
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.execution.children import Child

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

    def wait(self, *, until: float | None, told: Callable[[str], None]) -> bool:
        """Wait until its files are there; say ``False`` where the time was up before.

        Parameters
        ----------
        until
            By the monotonic clock; ``None`` for as long as it takes.
        told
            Is told what is waited for.

        Raises
        ------
        PredAwareError
            It can't be made.
        """
        told(f"Simulating the log under {self._policy}")
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
        As for `pred_aware.study.rounds.Simulating` and its `as_it_is`.
    """
    paths = (workload, platform, store)
    command = [sys.executable, "-P", "-m", __name__, *map(str, paths), policy, str(prefix)]
    with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
        log = Path(folder) / "aside.log"
        with Child(f"the simulation of {policy}", command, log, guarded=False) as child:
            yield Aside(child, policy)


def main() -> None:
    """Make the run."""
    from pred_aware.study.rounds import LOG, Simulating

    end_with_parent()
    # a core each, as campaigns have it
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    workload, platform, store, policy, prefix = sys.argv[1:]
    simulating = Simulating(Path(workload), {LOG: Path(platform)}, Path(store), workers=1)
    try:
        simulating.as_it_is(policy, Path(prefix), told=lambda _: None)
    except USER_ERRORS as error:
        sys.exit(" ".join(str(error).split()))


if __name__ == "__main__":
    main()
