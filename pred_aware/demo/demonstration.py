"""From a job log to a compared schedule: what `pred-aware demo` does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.comparison.comparing import compare
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.page import draw_comparison
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.inputs.workload import Workload
from pred_aware.simulator.outputs import SUFFIXES
from workload_tools.files import written_whole
from workload_tools.platform.platform import Platform

if TYPE_CHECKING:
    from workload_tools import Workload as JobsOfALog
    from workload_tools.missing_walltime import MissingWalltime


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scheduler of the demonstration: what it is called, how it is made, what it is."""

    name: str
    scheduler: str
    options: Mapping[str, object]
    description: str


CANDIDATES = (
    Candidate(
        "easy_bf",
        "easy_bf",
        {},
        "EASY backfilling on the users' walltimes, as Batsim's batsched does it; the base",
    ),
    Candidate(
        "pred_aware",
        "pred_aware",
        {},
        "shortest predicted run time first, whatever fits starts; a decision tree predicts",
    ),
    Candidate(
        "easy_last_two",
        "easy",
        {"predictor": "last_two"},
        "EASY backfilling on the mean run time of the user's last two jobs",
    ),
)


SHAKES = 5
"""Few, for the demonstration's sake: intervals of 20 are less than half as wide."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What came of it.

    Parameters
    ----------
    comparison
        The runs compared; `easy_bf` is the base.
    files
        The files written, in the order in which they came about.
    picture
        The picture among them.
    """

    comparison: Comparison
    files: tuple[Path, ...]
    picture: Path


def demonstrate(
    folder: Path,
    log: Path | None,
    *,
    processors: int | None,
    missing_walltime: "MissingWalltime | None" = None,
    seed: int,
    shakes: int = SHAKES,
    say: Callable[[str], None],
) -> Demonstration:
    """Make or take a log, convert it, simulate it with each candidate and compare the runs.

    Parameters
    ----------
    folder
        Where the files go; made if it is not there. Files of an earlier demonstration are
        replaced.
    log
        A log in the Standard Workload Format, plain or gzip; without one the model makes one.
    processors
        Size of the machine; without it as the log says, or the model's 256.
    missing_walltime
        What becomes of the log's jobs without a walltime; see
        `workload_tools.missing_walltime.WithWalltimes`.
    seed
        Seed of the model.
    shakes
        On how many shakes of the log each candidate is simulated again; 0: none.
    say
        Is told each step before it begins.

    Raises
    ------
    PredAwareError
        The folder can't be made, the log has no jobs or does not tell the machine's size.
    InputError
        The log can't be read.
    SimulationError
        A simulation can't go on.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"can't make the folder {folder}: {error.strerror}") from error
    files = []
    if log is None:
        log = folder / "log.swf"
        say(f"Making a log of users who repeat themselves: {log}")
        _make_log(log, processors=processors, seed=seed)
        files.append(log)
    say(f"Converting {log}")
    workload, platform = folder / "workload.json", folder / "platform.xml"
    size = _convert(
        log,
        workload,
        platform,
        processors=processors,
        missing_walltime=missing_walltime,
        say=say,
    )
    files += [workload, platform]
    read, machine = Workload.read(workload), Platform.read(platform)
    runs = []
    for candidate in CANDIDATES:
        say(f"Simulating {size} under {candidate.name}: {candidate.description}")
        prefix = folder / candidate.name
        run = simulate(
            read, candidate.scheduler, platform=machine, name=candidate.name,
            options=candidate.options, write_to=prefix,
        )  # fmt: skip
        runs.append(run)
        written = (prefix.with_name(f"{prefix.name}{suffix}") for suffix in SUFFIXES.values())
        files += [file for file in written if file.exists()]
    if shakes:
        say(
            f"Simulating all again on {shakes} shakes of the log (sessions of users up to 10 min "
            "earlier or later), to tell differences from chance"
        )
    comparison = compare(runs, shakes=shakes)
    if (check := comparison.base_queue) is not None:
        # readers know the log, and not what was made of it
        comparison = replace(comparison, base_queue=replace(check, log=log.name))
    picture, figures = folder / "comparison.png", folder / "comparison.json"
    draw_comparison(comparison, picture)
    _write_json(comparison, figures)
    return Demonstration(comparison, (*files, figures, picture), picture)


def _make_log(path: Path, *, processors: int | None, seed: int) -> None:
    import numpy as np

    from pred_aware.demo.log_model import LogModel, model_log
    from pred_aware.demo.model_swf import write_model_swf

    model = LogModel() if processors is None else LogModel(processors=processors)
    write_model_swf(model_log(model, np.random.default_rng(seed)), path, model=model, seed=seed)


def _convert(
    log: Path,
    workload_path: Path,
    platform_path: Path,
    *,
    processors: int | None,
    missing_walltime: "MissingWalltime | None",
    say: Callable[[str], None],
) -> str:
    from workload_tools.batsim.writer import write_workload
    from workload_tools.missing_walltime import GIVEN_WALLTIME
    from workload_tools.platform.reader import write_platform
    from workload_tools.swf.log import read_swf

    workload, report = read_swf(
        log, missing_walltime=missing_walltime, machine_processors=processors
    )
    if not workload.jobs:
        raise PredAwareError(f"{log}: no job in it has a size, a run time and a walltime")
    if report.kept < report.read:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.dropped.items())
        say(f"  {report.read - report.kept:,} of {report.read:,} jobs left out: {reasons}")
    if given := report.repaired[GIVEN_WALLTIME]:
        say(f"  {given:,} of {report.read:,} jobs given a walltime of {missing_walltime:g} s")
    hosts = _machine(workload, log, processors)
    write_workload(workload, workload_path)
    write_platform(platform_path, hosts=hosts)
    return f"{len(workload.jobs):,} jobs on {hosts:,} processors"


def _machine(workload: "JobsOfALog", log: Path, processors: int | None) -> int:
    hosts = processors or workload.processors
    if hosts is None:
        raise PredAwareError(
            f"{log}: the log does not tell the machine's size: say it with --processors N"
        )
    return hosts


def _write_json(comparison: Comparison, path: Path) -> None:
    import msgspec

    with written_whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(comparison.to_dict())) + b"\n")
