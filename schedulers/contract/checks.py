"""The checks that every policy must pass."""

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from predictors.registry import PartSpec
from schedulers.contract.playing import ContractError, Played, Spec, play
from schedulers.decisions import Policy
from schedulers.factory import make_policy

PROCESSORS = 16

Make: TypeAlias = Callable[[], Policy]
"""Makes a new policy."""

Check: TypeAlias = Callable[[Make], None]
"""Raises `ContractError` if the policy violates the contract."""


def some_jobs(number: int = 150, seed: int = 1) -> list[Spec]:
    """Make jobs of three users for 16 processors. Some jobs reach their walltime and are killed."""
    rng = random.Random(seed)  # noqa: S311 - a seeded workload
    specs, date = [], 0.0
    for place in range(number):
        date += rng.choice((0, 0, 3, 10, 31))
        walltime = rng.choice((60.0, 120.0, 600.0))
        run = rng.choice((rng.randint(1, 60), rng.randint(1, 700)))
        size = rng.choice((1, 1, 2, 3, 5, 8, PROCESSORS))
        specs.append(Spec(f"w0!{place}", date, size, run, walltime, rng.choice("abc")))
    return specs


def _all_run(played: Played, specs: list[Spec]) -> None:
    for spec in specs:
        if spec.id in played.refusals:
            raise ContractError(f"rejected job '{spec.id}', which fits: {played.refusals[spec.id]}")
        if spec.id not in played.ends:
            raise ContractError(f"never started job '{spec.id}', although the machine was idle")


def every_job_runs_once_on_processors_that_are_free(make: Make) -> None:
    """Simulate 150 jobs and check each answer."""
    specs = some_jobs()
    _all_run(play(make(), specs, PROCESSORS), specs)


def jobs_of_one_date_all_run(make: Make) -> None:
    """Simulate jobs that are submitted together and end together, on 16 processors and on 1."""
    for processors, largest in ((PROCESSORS, PROCESSORS), (1, 1)):
        specs = [
            Spec(f"w0!{number}", 5.0, 1 + number % largest, 10.0 + number % 3, 20.0, "a")
            for number in range(60)
        ]
        _all_run(play(make(), specs, processors), specs)


def the_same_jobs_give_the_same_schedule(make: Make) -> None:
    """Simulate the same jobs with two instances of the policy."""
    first, second = (play(make(), some_jobs(), PROCESSORS) for _ in range(2))
    if first != second:
        jobs = [name for name, start in first.starts.items() if second.starts.get(name) != start]
        differ = f"job '{jobs[0]}' starts at another date" if jobs else "only the starts are equal"
        raise ContractError(f"gave the same jobs two different schedules: {differ}")


def a_job_larger_than_the_machine_is_rejected_and_stops_nobody(make: Make) -> None:
    """Simulate jobs that are larger than the machine, together with jobs that fit."""
    large = [Spec(f"w0!large{n}", 4.0 * n, PROCESSORS + 1 + n, 10.0, 60.0) for n in range(3)]
    fitting = [Spec(f"w0!{n}", 4.0 * n, PROCESSORS, 10.0, 60.0) for n in range(3)]
    played = play(make(), [*large, *fitting], PROCESSORS)
    _all_run(played, fitting)
    for spec in large:
        if not played.refusals.get(spec.id):
            raise ContractError(
                f"did not reject job '{spec.id}' with a reason, although it asks for {spec.size} "
                f"processors and the machine has {PROCESSORS}"
            )


def a_job_without_a_walltime_runs_or_is_rejected_with_a_reason(make: Make) -> None:
    """Simulate jobs. Every second job has no walltime."""
    specs = [
        Spec(f"w0!{n}", 7.0 * n, 1 + n % PROCESSORS, 30.0, 60.0 if n % 2 else None, "b")
        for n in range(40)
    ]
    played = play(make(), specs, PROCESSORS)
    _all_run(played, [spec for spec in specs if spec.walltime is not None])
    for spec in specs:
        if spec.id not in played.ends and not played.refusals.get(spec.id):
            raise ContractError(
                f"neither ran job '{spec.id}', which has no walltime, nor rejected it with a reason"
            )


def a_journal_has_each_job_that_ran_once(make: Make) -> None:
    """Simulate 150 jobs and read the journal, if the policy has one."""
    policy = make()
    played = play(policy, some_jobs(seed=2), PROCESSORS)
    if policy.journal is None:
        return
    noted = [row[0] for row in policy.journal.rows()]
    if sorted(noted) != sorted(played.ends):
        raise ContractError(
            f"recorded {len(noted)} jobs in its journal, but {len(played.ends)} jobs ran"
        )


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            every_job_runs_once_on_processors_that_are_free,
            jobs_of_one_date_all_run,
            the_same_jobs_give_the_same_schedule,
            a_job_larger_than_the_machine_is_rejected_and_stops_nobody,
            a_job_without_a_walltime_runs_or_is_rejected_with_a_reason,
            a_journal_has_each_job_that_ran_once,
        )
    }
)
"""The checks by name. The name states the requirement."""


def check_policy(name: PartSpec, options: Mapping[str, Any] | None = None) -> None:
    """Check that your own policy, or a combination with your own part, keeps the contract.

    The arguments are those of `schedulers.make_policy`: a class, an object or ``module:Class``, or
    a scheduler's name with options such as ``{"order": "site_order:Aged"}``.

    Raises
    ------
    ContractError
        The policy violates the contract. The message names the check and the answer.
    SchedulerError, PredictorError
        The policy cannot be made, or it raises an error.

    Examples
    --------
    >>> check_policy("policy", {"order": "sjf", "backfilling": "filler"})
    """
    for title, check in CHECKS.items():
        try:
            check(lambda: make_policy(name, options))
        except ContractError as error:
            raise ContractError(f"{title}: the policy {error}") from error
