"""Finding out how a run that was read from files can be made again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pred_aware.errors import PredAwareError
from pred_aware.inputs.workload import Workload
from pred_aware.runs import workload_of as files
from pred_aware.runs.made import digest_of
from pred_aware.runs.recipe import Recipe
from pred_aware.runs.run import Run
from predictors.registry import Registry
from schedulers import COMBINATIONS
from schedulers.factory import AS_BATSCHEDS
from schedulers.specification import UNTOLD
from workload_tools.platform.platform import Platform

Made = Mapping[str, Any]


def workload_of(run: Run) -> Workload:
    """Return the workload that a run was made from: the one at hand, or from where it was.

    Raises
    ------
    PredAwareError
        It is gone, or has changed since; or nobody knows which it was.
    """
    if run.workload is not None and run.recipe is not None:
        return run.workload
    made = _made(run)
    if run.workload is None:
        return files.workload_of(made, run.path or Path())
    told = made["workload"]
    if not isinstance(told, Mapping) or told["sha256"] != run.workload.sha256:
        raise PredAwareError(
            f"{run.workload.path or run.workload.name}: not the workload that {run.name} was made "
            f"of: {files.HINT}"
        )
    return run.workload


def recipe_of(run: Run, platform: Path | None = None) -> Recipe:
    """Return how a run can be made again.

    Raises
    ------
    PredAwareError
        Nobody knows, somebody else's program decided, or the platform is gone or has changed.
    """
    if run.recipe is not None:
        return run.recipe
    made = _made(run)
    simulator, scheduler = made["simulator"]["name"], made["scheduler"]
    if scheduler is None or simulator != "pred-aware":
        by = f"{simulator} simulated it" if scheduler else "another program decided"
        raise PredAwareError(f"{run.name} can't be simulated again here: {by}")
    if UNTOLD in str(scheduler["options"]):
        raise PredAwareError(
            f"{run.name} can't be simulated again: a part of it does not keep one of its options "
            "as an attribute of its name"
        )
    policy = scheduler["name"]
    if policy not in COMBINATIONS:
        policy = Registry("", "policy").load(policy)
    elif policy not in AS_BATSCHEDS:
        # any combination takes all of the options that are told
        policy = "policy"
    return Recipe(
        policy,
        scheduler["options"],
        _platform_of(run, made["platform"], platform),
        made["delays"],
        made["jobs_sha256"],
    )


def _made(run: Run) -> Made:
    if run.made is None:
        why = run.remark or f"there is no {run.name}_run.json beside it"
        raise PredAwareError(f"{run.name} can't be simulated again: {why}")
    return run.made


def _platform_of(run: Run, told: Made, given: Path | None) -> Platform:
    recorded = files.recorded_file(run.made, run.path or Path(), "platform")
    path = given or next(iter(recorded), None)
    plain = Platform.of(told["processors"])
    if given is None and digest_of(plain) == told["sha256"]:
        return plain
    if path is None or not path.is_file():
        raise PredAwareError(
            f"{run.name}: the platform that it was made on{'' if path is None else f', {path},'} "
            "is not there: name it with --platform FILE"
        )
    platform = Platform.read(path)
    if digest_of(platform) != told["sha256"]:
        raise PredAwareError(
            f"{path}: not the platform that {run.name} was made on, or changed since: name the "
            "right one with --platform FILE, or run it again"
        )
    return platform
