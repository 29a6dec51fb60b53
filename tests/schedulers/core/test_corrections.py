"""What becomes of an estimate that runs out, on ten processors."""

import random
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from schedulers import Request, SchedulerError
from schedulers.contract.playing import Played, Spec, job, play
from schedulers.core.backfilling import Easy
from schedulers.core.corrections import Correction, OpenPbs, ToWalltime
from schedulers.core.estimates import FromWalltime, make_source
from schedulers.core.job import Job
from schedulers.core.orders import Fcfs
from schedulers.core.scheduler import ROLES, Scheduler
from schedulers.journal import sums
from tests.suites import each_case

TEN_SECONDS = {"name": "constant", "seconds": 10}


class Asked(NamedTuple):
    elapsed: float
    estimate: float
    first_estimate: float
    walltime: float
    corrections: int
    user: str | None


@dataclass
class Noted(Correction):
    """Answers what it is told to, and notes what it was asked."""

    answers: list[float]
    lead: float = 0.0
    asks: bool = True
    memoryless: bool = False
    asked: list[Asked] = field(default_factory=list)

    def correct(self, job: Job, elapsed: float) -> float:
        self.asked.append(
            Asked(
                elapsed,
                job.running,
                job.first_estimate,
                job.walltime,
                job.corrections,
                job.submission.user,
            )
        )
        return self.answers[len(self.asked) - 1]


def policy(
    correction: Correction, call_margin: float | None = None, planned_with: str | None = None
) -> Scheduler:
    """EASY in which every role, or only the given one, has estimates of ten seconds."""
    source, walltime = make_source(TEN_SECONDS), FromWalltime()
    return Scheduler(
        Fcfs(),
        Easy(),
        estimates={role: source if planned_with in (None, role) else walltime for role in ROLES},
        correction=correction,
        call_margin=call_margin,
    )


def run(*specs: Spec, correction: Correction, call_margin: float | None = None) -> Played:
    return play(policy(correction, call_margin), specs, 10)


def test_a_correction_acts_when_the_estimate_runs_out_and_starts_no_job() -> None:
    # from 10 s on the head is planned at 100, so that c may overtake, but nothing happens until 20
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 5), Spec("c", 2, 2, 9, 9)]
    for call_margin, calls in ((None, []), (0.0, [10])):
        last = Spec("d", 20, 10, 5)
        played = run(*jobs, last, correction=ToWalltime(), call_margin=call_margin)
        assert played.calls[:1] == calls
        assert played.starts["c"] == 20


def test_an_overrun_has_the_known_values() -> None:
    correction = Noted([50.0, 100.0])
    run(Spec("a", 3, 8, 100, 100, "ann"), correction=correction)
    first, second = correction.asked
    assert (first.elapsed, first.estimate, first.first_estimate) == (10, 10, 10)
    assert (first.walltime, first.corrections, first.user) == (100, 0, "ann")
    assert (second.elapsed, second.estimate, second.first_estimate) == (50, 50, 10)
    assert second.corrections == 1


def test_if_roles_differ_the_first_estimate_is_that_for_running_jobs() -> None:
    correction = Noted([50.0, 100.0])
    play(policy(correction, planned_with="running"), [Spec("a", 0, 8, 100, 100)], 10)
    assert [overrun.first_estimate for overrun in correction.asked] == [10, 10]


def test_after_the_walltime_no_correction_is_requested() -> None:
    correction = Noted([100.0])
    played = run(Spec("a", 0, 8, 100, 100), correction=correction, call_margin=0.0)
    assert (len(correction.asked), played.calls) == (1, [10])


def test_a_job_that_ends_as_estimated_is_not_corrected() -> None:
    correction = Noted([100.0])
    run(Spec("a", 0, 8, 10, 100), correction=correction)
    assert correction.asked == []


def test_the_call_comes_later_by_the_margin_and_earlier_by_the_lead() -> None:
    assert run(Spec("a", 0, 8, 90, 90), correction=ToWalltime(), call_margin=1.0).calls == [11]
    early = Noted([90.0], lead=4.0)
    assert run(Spec("a", 0, 8, 90, 90), correction=early, call_margin=0.0).calls == [6]


def test_no_call_is_requested_within_the_margin() -> None:
    soon = Noted([90.0], lead=9.5)
    assert run(Spec("a", 0, 8, 90, 90), correction=soon, call_margin=1.0).calls == [1]
    soon = Noted([90.0], lead=9.5)
    assert run(Spec("a", 0, 8, 90, 90), correction=soon, call_margin=0.0).calls == [0.5]


@pytest.mark.parametrize(("call_margin", "calls"), [(None, []), (0.0, [10, 14])])
def test_each_estimate_that_runs_out_is_corrected_when_due(
    call_margin: float | None, calls: list[float]
) -> None:
    correction = Noted([90.0, 90.0])
    jobs = [Spec("a", 0, 4, 90, 90), Spec("b", 4, 4, 90, 90)]
    played = run(*jobs, correction=correction, call_margin=call_margin)
    assert [overrun.elapsed for overrun in correction.asked] == [10, 10]
    assert played.calls == calls


def test_missed_corrections_are_made_as_of_each_due_date() -> None:
    correction = Noted([20.0, 40.0, 80.0, 100.0])
    # the submission at 50 is the first that makes anybody look
    played = run(Spec("a", 0, 8, 90, 100), Spec("b", 50, 2, 5), correction=correction)
    assert [overrun.elapsed for overrun in correction.asked] == [10, 20, 40, 80]
    assert [overrun.corrections for overrun in correction.asked] == [0, 1, 2, 3]
    assert played.calls == []


def test_a_job_is_corrected_before_its_end_and_not_at_it() -> None:
    correction = Noted([20.0, 100.0])
    run(Spec("a", 0, 8, 20, 100), correction=correction)
    assert [overrun.elapsed for overrun in correction.asked] == [10]


def test_a_correction_due_again_at_once_waits_for_the_next_pass() -> None:
    correction = Noted([9.0, 90.0, 95.0], lead=5.0)
    run(Spec("a", 0, 8, 90, 95), Spec("b", 30, 2, 5), correction=correction)
    # at 30 somebody looks; at 85 the estimate of 90 s is 5 s from its end
    assert [overrun.elapsed for overrun in correction.asked] == [5, 30, 85]


@each_case("answer", [10.0, 9.0, 101.0, float("nan")])
def test_an_estimate_out_of_bounds_is_an_error_that_names_the_job(answer: float) -> None:
    with pytest.raises(SchedulerError, match=rf"returned {answer} s.* the 10\.0 s") as error:
        run(Spec("a", 0, 8, 100, 100), correction=Noted([answer]))
    assert "job 'a'" in str(error.value)


def test_without_a_walltime_the_estimate_doubles() -> None:
    played = run(Spec("a", 0, 8, 100, None), correction=ToWalltime(), call_margin=0.0)
    # the last call was asked for before the job ended
    assert played.calls == [10, 20, 40, 80, 160]


def test_a_job_past_its_planned_end_counts_as_ending_now() -> None:
    easy = policy(ToWalltime(), call_margin=1.0)
    easy.begin(10)
    easy.decide(Request(0.0, submitted=[job(Spec("a", 0, 8, 10, 10))]))
    new = [job(Spec("head", 10.5, 10, 5)), job(Spec("c", 10.5, 2, 5))]
    # the report of the end of a is late; the head would start now, so that c may not overtake it
    assert easy.decide(Request(10.5, submitted=new)) == []


class Remembering(OpenPbs):
    """The same rule, asked at each moment at which an estimate runs out."""

    memoryless = False


def test_a_stateless_correction_is_called_once_for_all_missed_dates() -> None:
    noted = Noted([40.0, *[3600.0] * 3], memoryless=True)
    run(Spec("a", 0, 10, 500), Spec("b", 35, 10, 20), Spec("c", 95, 10, 20), correction=noted)
    told = [(one.elapsed, one.estimate) for one in noted.asked]
    assert told[:2] == [(35.0, 10.0), (95.0, 40.0)]


def test_one_call_or_a_call_at_each_date_give_the_same_schedule() -> None:
    corrections = 0
    for seed in range(60):
        chance = random.Random(seed)  # noqa: S311 - a made workload
        specs = [
            Spec(f"w0!{n}", chance.randrange(300), chance.randint(1, 10), chance.randrange(1, 90),
                 chance.choice((25.0, 100.0)))
            for n in range(12)
        ]  # fmt: skip
        once, each = policy(OpenPbs()), policy(Remembering())
        assert play(once, specs, 10).starts == play(each, specs, 10).starts
        corrections += sums(each.journal.rows())["corrections"]
    assert corrections > 500
