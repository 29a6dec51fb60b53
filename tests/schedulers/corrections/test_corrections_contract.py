"""The contract of corrections, checked for all that entry points list."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest

from predictors import OptionError
from schedulers.core.corrections import Correction
from schedulers.core.job import Job
from schedulers.corrections import CORRECTIONS
from tests.suites import Checks, each_case

MINUTE = 60.0
HOUR = 3600.0
DAY = 24 * HOUR
FIRST_ESTIMATES = (1.0, 30.0, 600.0, 5000.0, DAY)
WALLTIMES = (None, 1000 * DAY, DAY, 7777.0, 2.0)
LATE = (0.0, 0.002, 1.0, 5000.0)
"""The longest delay of a call of a correction after its due date, in seconds."""

check = Checks()
ASKED = [name for name in CORRECTIONS.names() if CORRECTIONS.make(name).asks]


class Overrun(NamedTuple):
    """A running job whose estimate has run out."""

    job: Job
    elapsed: float


def overrun(estimate: float, walltime: float | None, *, elapsed: float | None = None) -> Overrun:
    job = Job("w0!7", 0.0, 4, walltime, running=estimate, first_estimate=estimate)
    return Overrun(job, estimate if elapsed is None else elapsed)


def answer_to(correction: Correction, asked: Overrun) -> float:
    return correction.correct(asked.job, asked.elapsed)


def chains(correction: Correction) -> Iterator[list[float]]:
    """Estimates of jobs that outlive each of them, up to the walltime or thirty corrections."""
    for late in LATE:
        for estimate in FIRST_ESTIMATES:
            for walltime in WALLTIMES:
                if walltime is None or estimate < walltime:
                    yield list(chain(correction, overrun(estimate, walltime), late))


def chain(correction: Correction, asked: Overrun, late: float) -> Iterator[float]:
    job = asked.job
    yield job.running
    while job.corrections < 30:
        elapsed = min(max(job.running - correction.lead + late, 0.0), job.walltime)
        answer = correction.correct(job, elapsed)
        assert elapsed < answer <= job.walltime or elapsed == answer == job.walltime
        yield answer
        if answer == job.walltime:
            return
        job.running = answer
        job.corrections += 1


@check
def the_answer_is_above_the_elapsed_time_and_at_most_the_walltime(correction: Correction) -> None:
    # asserted at each step
    assert all(chains(correction))


@check
def each_correction_lengthens(correction: Correction) -> None:
    for estimates in chains(correction):
        assert all(before < after for before, after in pairwise(estimates)), estimates


@check
def the_same_question_has_the_same_answer(correction: Correction) -> None:
    asked = overrun(600.0, DAY)
    first = answer_to(correction, asked)
    answer_to(correction, overrun(5000.0, None))
    assert answer_to(correction, asked) == first
    assert (asked.job.running, asked.job.corrections) == (600.0, 0)


@check
def it_says_how_long_before_the_estimate_runs_out_it_wants_to_be_asked(
    correction: Correction,
) -> None:
    assert isinstance(correction.lead, float)
    assert 0.0 <= correction.lead < HOUR


@check
def one_that_is_memoryless_looks_at_the_elapsed_time_alone(correction: Correction) -> None:
    if not getattr(correction, "memoryless", False):
        return
    for elapsed in (600.0, 601.0, 1199.0, 1200.0, 5000.0):
        job = overrun(600.0, DAY).job
        first = correction.correct(job, elapsed)
        job.running, job.corrections = 600.0 * (elapsed // 600.0), 7
        assert correction.correct(job, elapsed) == first


@pytest.mark.parametrize("name", ASKED)
def test_a_correction_keeps_the_contract(name: str) -> None:
    check.run(name, CORRECTIONS.make(name))


def test_only_the_correction_none_is_never_called() -> None:
    assert set(CORRECTIONS.names()) - set(ASKED) == {"none"}


def steps(name: str, first: float, walltime: float | None) -> list[float]:
    """By how much each correction lengthens, in minutes."""
    estimates = list(chain(CORRECTIONS.make(name), overrun(first, walltime), 0.0))
    return [(after - before) / MINUTE for before, after in pairwise(estimates)]


def test_power_adds_a_quarter_of_an_hour_and_then_twice_as_much_each_time() -> None:
    assert steps("power", 600.0, None)[:5] == [15, 30, 60, 120, 240]
    assert steps("power", 600.0, 600.0 + 50 * MINUTE) == [15, 30, 5]


def test_simple_adds_an_hour_each_time_and_is_called_a_minute_ahead() -> None:
    assert steps("simple", 600.0, 600.0 + 150 * MINUTE) == [60, 60, 30]
    assert CORRECTIONS.make("simple").lead == 60


def test_doubling_stops_at_the_walltime() -> None:
    assert steps("doubling", 60.0, 7 * MINUTE) == [1, 2, 3]


def test_openpbs_takes_the_next_multiple_of_the_first_estimate() -> None:
    assert steps("openpbs", 60.0, 4.5 * MINUTE) == [1, 1, 1, 0.5]
    job = overrun(20.0, 50.0).job
    # as measured on OpenPBS: 20 s, then 40, then the walltime
    assert CORRECTIONS.make("openpbs").correct(job, 30.0) == 40
    job.running = 40.0
    assert CORRECTIONS.make("openpbs").correct(job, 41.0) == 50


def test_openpbs_lengthens_the_estimate_if_the_division_is_rounded() -> None:
    # 1.1 is a little more than eleven tenths, so that 5.5 holds it four whole times
    job = overrun(5.5, None).job
    job.first_estimate, job.corrections = 1.1, 4
    assert CORRECTIONS.make("openpbs").correct(job, 5.5) == 5.5 + 1.1


def test_tsafrirs_increments_add_to_the_first_estimate_up_to_the_walltime() -> None:
    correction = CORRECTIONS.make("tsafrir")
    estimates = list(chain(correction, overrun(600.0, 1000 * DAY), 0.0))
    added = [(estimate - 600.0) / MINUTE for estimate in estimates[1:-1]]
    assert added == [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000]
    assert estimates[-1] == 1000 * DAY


def test_next_longer_uses_the_usual_walltimes_or_those_of_the_site() -> None:
    asked = overrun(600.0, DAY)
    assert answer_to(CORRECTIONS.make("next_longer"), asked) == 900
    own = CORRECTIONS.make({"name": "next_longer", "walltimes": [7200, 600, 1800]})
    assert answer_to(own, asked) == 1800
    assert answer_to(own, overrun(7200.0, DAY)) == DAY
    assert answer_to(own, overrun(7200.0, None)) == 14400


@each_case("walltimes", [[], "1h", [0], [60, "x"], 60, None])
def test_an_invalid_list_of_walltimes_is_refused(walltimes: object) -> None:
    with pytest.raises(OptionError, match=r"walltimes .*seconds,? above 0"):
        CORRECTIONS.make({"name": "next_longer", "walltimes": walltimes})
