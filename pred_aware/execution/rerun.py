"""How to repeat a run that was read from files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Workload
from pred_aware.runs import reading as files
from pred_aware.runs.provenance import RunRecipe, digest_of
from pred_aware.runs.run import Run
from predictors.registry import Registry
from schedulers import COMBINATIONS
from schedulers.factory import AS_BATSCHEDS
from schedulers.specification import UNSTATED
from workload_tools.expected import in_words
from workload_tools.platform.platform import Platform


class RunOfOtherProgramError(PredAwareError):
    """Another simulator or another program made the run, so it cannot be repeated here."""


_FILES = frozenset({"history", "file"})
_NO_PARTS = frozenset({"site"})
"""Options in which a colon belongs to a time, not to a name ``module:Class``."""


class _Workload(msgspec.Struct):
    name: str
    sha256: str


class _Scheduler(msgspec.Struct):
    name: str
    options: dict[str, Any]


class _Platform(msgspec.Struct):
    sha256: str
    processors: int


class _Simulator(msgspec.Struct):
    name: str


class _Provenance(msgspec.Struct):
    """The parts of ``PREFIX_run.json`` that are needed to repeat the run."""

    workload: _Workload | list[_Workload]
    platform: _Platform
    simulator: _Simulator
    jobs_sha256: str
    scheduler: _Scheduler | None = None
    delays: Literal["none", "batsim"] | None = None


def workload_of(run: Run) -> Workload:
    """Return the workload of a run: the one in memory, or the recorded file.

    Raises
    ------
    PredAwareError
        The workload is unknown or missing, or has changed since.
    """
    if run.workload is not None and run.recipe is not None:
        return run.workload
    recorded = _provenance_of(run).workload
    if run.workload is None:
        return files.workload_of(run.provenance, run.path or Path())
    if not isinstance(recorded, _Workload) or recorded.sha256 != run.workload.sha256:
        raise PredAwareError(
            f"{run.workload.path or run.workload.name}: not the workload of "
            f"{run.name}: {files.HINT}"
        )
    return run.workload


def recipe_of(run: Run, platform: Path | None = None, *, own_parts: bool = False) -> RunRecipe:
    """Return how a run can be repeated.

    Parameters
    ----------
    run
        The run.
    platform
        The platform's file, if it has been moved.
    own_parts
        True to import parts that a file names ``module:Class``. This executes the module's code.

    Raises
    ------
    RunOfOtherProgramError
        Another program made the decisions or the simulation.
    PredAwareError
        The origin is unknown, a part is not from this package, or the platform is missing or
        changed.
    """
    if run.recipe is not None:
        return run.recipe
    provenance = _provenance_of(run)
    scheduler = provenance.scheduler
    if scheduler is None or provenance.simulator.name != "pred-aware":
        by = f"{provenance.simulator.name} simulated it" if scheduler else "another program decided"
        raise RunOfOtherProgramError(f"{run.name} cannot be simulated again here: {by}")
    if UNSTATED in str(scheduler.options):
        raise PredAwareError(
            f"{run.name} cannot be simulated again: a part does not store one of its options "
            "as an attribute of the same name"
        )
    policy = scheduler.name
    own_part = next((name for name in _names([policy, scheduler.options]) if ":" in name), None)
    if own_part is not None and not own_parts:
        raise PredAwareError(
            f"{run.name} uses {own_part}, which is not part of pred-aware: give --own-parts if you "
            "trust its code"
        )
    if policy not in COMBINATIONS:
        policy = Registry("", "policy").load(policy)
    elif policy not in AS_BATSCHEDS:
        # `policy` accepts all recorded options
        policy = "policy"
    return RunRecipe(
        policy,
        scheduler.options,
        _platform_of(run, provenance.platform, platform),
        provenance.delays,
        provenance.jobs_sha256,
    )


def _names(value: object) -> Iterator[str]:
    """Yield all texts in options, except names of files."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in _NO_PARTS and (key not in _FILES or not isinstance(one, str)):
                yield from _names(one)


def _provenance_of(run: Run) -> _Provenance:
    if run.provenance is None:
        why = run.remark or "its _run.json is missing"
    else:
        try:
            return msgspec.convert(run.provenance, _Provenance)
        except msgspec.ValidationError as error:
            why = f"its record cannot be read: {in_words(error)}"
    raise PredAwareError(f"{run.name} cannot be simulated again: {why}")


def _platform_of(run: Run, expected: _Platform, given: Path | None) -> Platform:
    recorded = files.recorded_file(run.provenance, run.path or Path(), "platform")
    path = given or next(iter(recorded), None)
    plain = Platform.of(expected.processors)
    if given is None and digest_of(plain) == expected.sha256:
        return plain
    if path is None or not path.is_file():
        raise PredAwareError(
            f"{run.name}: its platform{'' if path is None else f', {path},'} "
            "is missing: give it with --platform FILE"
        )
    platform = Platform.read(path)
    if digest_of(platform) != expected.sha256:
        raise PredAwareError(
            f"{path}: not the platform of {run.name}, or changed since: give the "
            "right one with --platform FILE, or run again"
        )
    return platform
