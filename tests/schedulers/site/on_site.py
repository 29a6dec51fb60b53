"""Some jobs on a site, simulated."""

from collections.abc import Mapping
from typing import Any

from pred_aware import Run, Workload, simulate

PROCESSORS = 4


def job(
    name: int,
    submit: float,
    size: int,
    run: float,
    *,
    walltime: float | None = 100.0,
    **more: object,
) -> dict[str, Any]:
    """Return a job, as a workload has it; `run` in seconds is its profile."""
    told = {"id": name, "subtime": submit, "res": size, "profile": f"{run:g}", **more}
    return told if walltime is None else {**told, "walltime": walltime}


def ran(
    site: Mapping[str, Any],
    jobs: list[dict[str, Any]],
    policy: str = "easy",
    **options: Any,  # noqa: ANN401 - as `simulate` has them
) -> Run:
    """Simulate jobs on a site of `PROCESSORS`, by ``easy`` unless another policy is given."""
    profiles = {one["profile"]: {"type": "delay", "delay": float(one["profile"])} for one in jobs}
    content = {"nb_res": PROCESSORS, "jobs": jobs, "profiles": profiles}
    return simulate(Workload.of(content), policy, site=site, **options)


def starts(
    site: Mapping[str, Any],
    jobs: list[dict[str, Any]],
    policy: str = "easy",
    **options: Any,  # noqa: ANN401 - as `simulate` has them
) -> dict[int, float]:
    """Return when each job started, in seconds, by its number."""
    table = ran(site, jobs, policy, **options).jobs
    return {int(name): start for name, start in table["starting_time"].items()}
