"""Everything that is looked at, one after the other."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from pred_aware.health.installation import check_build, check_packages, check_python
from pred_aware.health.programs import BATSCHED, BATSIM, Program, absent, examine, locate
from pred_aware.health.surroundings import check_folder, check_port, check_sockets
from pred_aware.health.trials import trials
from pred_aware.report.finding import Finding


def examine_all(
    *,
    batsim: Path | None = None,
    batsched: Path | None = None,
    folder: Path = Path(),
    port: int = 28000,
    timeout: float = 30.0,
) -> Iterator[Finding]:
    """Look at everything.

    Parameters
    ----------
    batsim, batsched
        The programs; by default those on the PATH, which are not needed.
    folder
        Where output is to be written.
    port
        Where decision processes listen.
    timeout
        How long each side of a trial may keep the other waiting, in seconds.
    """
    yield check_python()
    yield check_build()
    packages = list(check_packages())
    yield from packages
    yield check_folder(folder)
    sockets = check_sockets()
    yield sockets
    yield check_port(port)
    programs: list[tuple[Program, Path, Finding]] = []
    for program, given in ((BATSIM, batsim), (BATSCHED, batsched)):
        path = locate(program, given)
        if path is None:
            yield absent(program, given)
            continue
        finding = examine(program, path, needed=given is not None)
        yield finding
        programs.append((program, path, finding))
    if any(finding.must_be_mended for finding in (*packages, sockets)):
        yield Finding(
            state="note",
            subject="runs of ten jobs",
            found="not tried",
            advice="mend what is wrong above first, then ask again",
            needed=False,
        )
        return
    with trials(timeout) as trial:
        yield trial.in_one_process()
        if find_spec("pybatsim") is not None:
            yield trial.with_pybatsim()
        tries: dict[Program, Callable[..., Finding]] = {
            BATSIM: trial.with_batsim,
            BATSCHED: trial.with_batsched,
        }
        for program, path, finding in programs:
            # one of another protocol would only keep everybody waiting
            if finding.state != "wrong":
                yield tries[program](path, needed=finding.needed)
