from functools import partial

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from predictors.regression.tobit import Tobit, fit_censored
from tests.predictors import jobs

job = partial(jobs.job, processors=4, walltime=3600.0)

TRUTH = (5.0, np.array([0.8, -0.5]), 0.7)


def examples(number: int = 3000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make inputs, targets and which of these are censored, about four in ten."""
    rng = np.random.default_rng(1)
    inputs = rng.normal(3.0, 2.0, (number, 2))
    constant, coefficients, spread = TRUTH
    full = constant + inputs @ coefficients + rng.normal(0.0, spread, number)
    limits = rng.normal(6.5, 1.0, number)
    return inputs, np.minimum(full, limits), full >= limits


def test_parameters_of_censored_data_are_recovered() -> None:
    inputs, targets, censored = examples()
    fitted = fit_censored(inputs, targets, censored=censored)
    assert fitted is not None
    constant, coefficients, spread = TRUTH
    assert fitted.constant == pytest.approx(constant, abs=0.1)
    assert fitted.coefficients == pytest.approx(coefficients, abs=0.03)
    assert fitted.spread == pytest.approx(spread, abs=0.03)
    as_exact = fit_censored(inputs, targets, censored=np.zeros(len(targets), bool))
    assert as_exact is not None
    assert as_exact.coefficients[0] < 0.6


def test_the_fit_maximises_the_likelihood() -> None:
    from scipy.optimize import minimize
    from scipy.stats import norm

    inputs, targets, censored = examples(200)

    def unlikely(parameters: np.ndarray) -> float:
        means, spread = parameters[0] + inputs @ parameters[1:3], np.exp(parameters[3])
        exact = norm.logpdf(targets, means, spread)
        return -float(np.where(censored, norm.logsf(targets, means, spread), exact).sum())

    fitted = fit_censored(inputs, targets, censored=censored, penalty=0.0)
    assert fitted is not None
    found = np.array([fitted.constant, *fitted.coefficients, np.log(fitted.spread)])
    best = minimize(unlikely, np.zeros(4), method="BFGS")
    assert unlikely(found) <= best.fun + 0.01
    assert found == pytest.approx(best.x, abs=0.01)


def test_with_only_censored_targets_there_is_no_fit() -> None:
    assert fit_censored(np.zeros((3, 1)), np.ones(3), censored=np.ones(3, bool)) is None
    tobit = Tobit(min_jobs=1)
    tobit.learn(job(), 3600.0, 0.0)
    assert tobit.predict(job(), 1.0) is None


def test_equal_targets_and_inputs_are_no_error() -> None:
    fitted = fit_censored(np.ones((20, 3)), np.full(20, 4.0), censored=np.zeros(20, bool))
    assert fitted is not None
    assert fitted.mean(np.ones(3)) == pytest.approx(4.0)
    assert 0 < fitted.spread < 0.1


def taught(run_times: list[float], **options: bool) -> Tobit:
    tobit = Tobit(**options)  # type: ignore[arg-type]
    for number, run_time in enumerate(run_times):
        tobit.learn(job(f"{number}"), min(run_time, 3600.0), float(number))
    return tobit


def test_killed_jobs_count_as_censored() -> None:
    # half of all jobs would take more than 3000 s, three in seven are killed at 3600
    run_times = np.random.default_rng(1).lognormal(np.log(3000.0), 1.0, 2000).tolist()
    asked = (job("7"), 2000.0)
    assert taught(run_times).predict(*asked) == pytest.approx(3000.0, rel=0.1)
    assert taught(run_times, censored=False).predict(*asked) == pytest.approx(2100.0, rel=0.1)


def test_the_number_of_threads_changes_no_bit() -> None:
    run_times = np.random.default_rng(1).lognormal(7.0, 2.0, 600).tolist()
    answers = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            answers.append(taught(run_times).predict(job("7"), 600.0))
    assert answers[0] == answers[1]


def test_a_job_without_a_walltime_is_never_killed() -> None:
    one, other = Tobit(), Tobit(censored=False)
    for tobit in (one, other):
        for number in range(20):
            tobit.learn(job(f"{number}", walltime=None), 100.0 + number, 0.0)
    assert one.predict(job(), 1.0) == other.predict(job(), 1.0)
