"""Made-up logs whose recorded waits are known to be those of a simulation, or not."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np

from pred_aware import Platform, Run, Workload, simulate

MACHINE = 16
JOBS = 400
Field: TypeAlias = Sequence[float | str | bool | None]


def workload(top: Mapping[str, object] | None = None, **fields: Field) -> Workload:
    """Make a busy week; each field has what the jobs have there, `top` what the whole has."""
    rng = np.random.default_rng(7)
    dates = np.sort(rng.integers(0, 7 * 86400, JOBS)).tolist()
    sizes, lengths = rng.integers(1, 9, JOBS).tolist(), rng.integers(600, 14400, JOBS).tolist()
    jobs: list[Mapping[str, object]] = [
        {
            "id": number, "subtime": dates[number], "res": sizes[number], "walltime": 14400,
            "profile": str(lengths[number]),
            **{name: values[number] for name, values in fields.items()},
        }
        for number in range(JOBS)
    ]  # fmt: skip
    profiles = {str(length): {"type": "delay", "delay": length} for length in lengths}
    return Workload.of(
        {"nb_res": MACHINE, "jobs": jobs, "profiles": profiles, **(top or {})}, "made"
    )


@cache
def waits_on(machine: int) -> tuple[float, ...]:
    """Return what each job waits under EASY on so many processors."""
    run = simulate(workload(), "easy", platform=Platform.of(machine))
    return tuple(run.jobs["waiting_time"].loc[[str(number) for number in range(JOBS)]])


def baseline_of(waits: Field, top: Mapping[str, object] | None = None, **fields: Field) -> Run:
    """Simulate a log that recorded these waits."""
    return simulate(workload(top, wait_time=waits, **fields), "easy")
