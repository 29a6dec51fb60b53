"""The scheduler `openpbs`, start by start, beside a model of OpenPBS's rules."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from pred_aware import Workload, simulate
from tests.schedulers.backfilling.openpbs_model import OpenPbsModel, Waiting

PROCESSORS = 6
QUEUES = {"low": 10, "mid": 50, "mate": 50, "high": 90}
Formula = Callable[[Waiting, int], Any]
ORDERS: tuple[tuple[dict[str, Any], Formula], ...] = (
    ({}, lambda _job, _wait: 0),
    ({"job_sort_key": ["ncpus HIGH", "walltime LOW"]}, lambda job, _: (-job.size, job.walltime)),
    (
        {"job_sort_formula": "ncpus * 10 - walltime // 60"},
        lambda job, _: -(job.size * 10 - job.walltime // 60),
    ),
    (
        {
            "job_sort_formula": "eligible_time / 10 + queue_priority * ncpus",
            "eligible_time_enable": True,
        },
        lambda job, wait: -(wait / 10 + QUEUES[job.queue] * job.size),
    ),
)
QUICK = 36


def made(seed: int) -> tuple[dict[str, Any], list[Waiting], Formula, str]:
    """Make a site's table, jobs, the order in which they are, and what is planned with."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    ordered, formula = rng.choice(ORDERS)
    told = {
        "strict_ordering": rng.random() < 0.8,
        "backfill_depth": rng.choice((0, 1, 1, 5)),
        "opt_backfill_fuzzy": rng.choice(("off", "low", "medium", "high")),
        "by_queue": rng.random() < 0.5,
        "round_robin": rng.random() < 0.25,
        "help_starving_jobs": rng.random() < 0.3,
        "max_starve": 200.0,
        "scheduler_iteration": rng.choice((30, 600)),
        **ordered,
    }
    scale, gap = rng.choice((1, 7, 60)), rng.choice((0, 5, 20))
    predicted = rng.choice(("walltime", "recorded"))
    jobs, date = [], 0
    for name in range(rng.randint(2, 22)):
        date += scale * rng.randint(0, gap)
        walltime = scale * rng.choice((rng.randint(1, 20), rng.randint(1, 90)))
        run = scale * rng.choice((rng.randint(1, 10), rng.randint(1, 100)))
        soft = rng.randint(1, walltime) if predicted == "recorded" else walltime
        size = rng.choice((1, 1, 2, 3, 4, PROCESSORS))
        jobs.append(Waiting(name, date, size, run, walltime, soft, rng.choice([*QUEUES])))
    return told, jobs, formula, predicted


def difference(seed: int) -> tuple[OpenPbsModel, dict[int, tuple[float, int]]]:
    """Return the model that has run, and the jobs that start at other dates than in it."""
    told, jobs, formula, predicted = made(seed)
    second_0 = 1_600_000_000 + 137 * seed if seed % 2 else 0
    site = {
        "partitions": [{"name": name, "priority_tier": own} for name, own in QUEUES.items()],
        "openpbs": told,
        **({"start": float(second_0)} if second_0 else {}),
    }
    content = {
        "nb_res": PROCESSORS,
        "jobs": [
            {
                "id": job.name, "subtime": job.submit, "res": job.size, "walltime": job.walltime,
                "profile": str(job.run), "queue": job.queue, "soft_walltime": job.soft,
            }
            for job in jobs
        ],
        "profiles": {str(job.run): {"type": "delay", "delay": job.run} for job in jobs},
    }  # fmt: skip
    options = {"site": site, "predictor": predicted}
    table = simulate(Workload.of(content), "openpbs", options=options).jobs
    model = OpenPbsModel(jobs, PROCESSORS, told, formula=formula, queues=QUEUES, second_0=second_0)
    expected = model.starts()
    found = {int(name): float(date) for name, date in table["starting_time"].items()}
    assert found.keys() == expected.keys()
    return model, {n: (found[n], expected[n]) for n in found if found[n] != expected[n]}


def test_every_start_equals_that_of_the_model() -> None:
    results = {seed: difference(seed) for seed in range(QUICK)}
    assert {seed: other for seed, (_, other) in results.items() if other} == {}
    models = [model for model, _ in results.values()]
    assert sum(model.top_jobs for model in models) > 300
    assert sum(model.backfilled for model in models) > 30
    assert sum(model.outlived for model in models) > 120


@pytest.mark.large
def test_starts_of_many_workloads_equal_those_of_the_model() -> None:
    assert {seed: other for seed in range(10_000, 13_000) if (other := difference(seed)[1])} == {}
