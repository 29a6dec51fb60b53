import inspect
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pred_aware.commands.service.shadow import LAG
from pred_aware.errors import PredAwareError
from pred_aware.log.job_log import read_log
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predict import predict
from pred_aware.production.pbs_feed import PbsFeed
from pred_aware.rehearsal import Rehearsal, rehearse
from pred_aware.rehearsal.rehearsal_values import LEAD, period_of, simulated_part
from pred_aware.rehearsal.report import simulation_remarks
from pred_aware.rehearsal.served_estimates import ServedPredictor, soft_walltime
from pred_aware.rehearsal.verdict import verdict_of
from predictors import Submission
from predictors.rules.past_runs import LastTwo
from schedulers.site.reader import content_of
from tests.pred_aware.rehearsal.conftest import MakeLog
from tests.pred_aware.site_inference.planted import like

DAY = 86400.0


def rehearsed(log: Any, *predictors: str, shakes: int = 3, **more: Any) -> Rehearsal:  # noqa: ANN401
    candidates = [Candidate(name, name) for name in predictors]
    return rehearse(read_log(log), candidates, shakes=shakes, workers=1, **more)


def test_soft_walltimes_are_the_predictions_in_whole_seconds_below_the_walltime(
    make_log: MakeLog,
) -> None:
    path = make_log(jobs=60)
    found = rehearsed(path, "pbs_v1", "pbs_v3", shakes=0).frame
    for name in ("pbs_v1", "pbs_v3"):
        told = predict(read_log(path), name, lag=LAG).frame
        expected = map(soft_walltime, told["estimate"], told["walltime"])
        softs = found[found["predictor"] == name]["soft_walltime"]
        assert [None if math.isnan(soft) else soft for soft in softs.astype(float)] == list(
            expected
        )


def test_a_rehearsal_learns_with_the_services_lag() -> None:
    lag = inspect.signature(rehearse).parameters["lag"].default
    assert lag == LAG == PbsFeed.pause


def test_schedules_also_learn_a_job_after_the_lag() -> None:
    submission = Submission(id="1", submit_time=0.0, processors=1, walltime=900.0, user="ann")
    served = ServedPredictor(LastTwo(), lag=5.0)
    for _ in range(2):
        served.learn(submission, 60.0, 100.0)
    assert [served.predict(submission, now) for now in (104.0, 105.0)] == [None, 60.0]


def test_users_with_too_long_walltimes_wait_less_with_soft_walltimes(make_log: MakeLog) -> None:
    found = rehearsed(make_log(jobs=100), "pbs_v3")
    (one,) = found.by_predictor
    told = verdict_of(found)
    assert told.answer == "yes"
    assert told.sentence.startswith(
        "Use soft walltimes with pbs_v3, first as a dry run: the mean wait is "
    )
    assert one.run.figures["mean_waiting_time"] < found.baseline.figures["mean_waiting_time"]
    assert one.set == 100 - one.answers.unknown
    assert found.to_dict()["answer"] == "yes"


def test_a_slurm_site_uses_slurms_scheduler_and_advice_depends_on_the_version(
    make_log: MakeLog, tmp_path: Path
) -> None:
    (tmp_path / "slurm.conf").write_text(
        "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
        "NodeName=n1 CPUs=8\nPartitionName=1 Nodes=n1 Default=YES MaxTime=1-0\n"
    )
    (tmp_path / "config.txt").write_text("SLURM_VERSION = 22.05.8\n")
    found = rehearsed(make_log(jobs=100), "pbs_v3", options={"site": tmp_path})
    assert found.site is not None
    assert found.site.slurm is not None
    for version, answer, words in (
        ("22.05.8", "unsafe", "Do not use soft walltimes. Slurm 22.05.8 cannot safely plan"),
        ("25.11.0", "yes", "Use soft walltimes with pbs_v3"),
    ):
        slurm = msgspec.structs.replace(found.site.slurm, version=version)
        site = msgspec.structs.replace(found.site, slurm=slurm)
        newer = replace(found, options={**found.options, "site": content_of(site)})
        assert (newer.options["backfilling"], newer.slurm) == ("slurm", version)
        told = verdict_of(newer)
        assert (told.answer, words in told.sentence) == (answer, True), told.sentence
        simulated = " ".join(remark.text for remark in simulation_remarks(newer))
        assert "backfilling slurm" in simulated, version
        assert "OpenPBS" not in simulated, version


def test_the_answer_depends_on_the_similarity_to_the_recorded_queue(make_log: MakeLog) -> None:
    found = rehearsed(make_log(jobs=100, wait=5), "pbs_v3")
    assert found.comparison.recorded_queue is not None
    far = "no change can be claimed for this site"
    told = verdict_of(found)
    assert (told.answer, far in told.sentence) == ("dry", True)
    for ratio, ranks, answer, words in (
        (0.8, 0.9, "yes", "Use soft walltimes with pbs_v3"),
        (1.1, 0.6, "dry", far),
        (0.2, 0.9, "dry", far),
    ):
        queue = found.comparison.recorded_queue
        assert queue.recorded is not None
        simulated = replace(queue.recorded, mean=ratio * queue.recorded.mean)
        check = replace(
            queue, answer="shorter", simulated=simulated, second_half=like(ratio, ranks)
        )
        comparison = replace(found.comparison, recorded_queue=check)
        told = verdict_of(replace(found, comparison=comparison))
        assert (told.answer, words in told.sentence) == (answer, True), ratio


def test_without_waits_little_changes(make_log: MakeLog) -> None:
    told = verdict_of(rehearsed(make_log(jobs=30, between=90_000), "pbs_v3", shakes=2))
    assert (told.answer, told.predictor) == ("little", "pbs_v3")
    assert "hardly any job waits" in told.sentence


def test_soft_walltimes_that_most_jobs_outlive_are_advised_against(make_log: MakeLog) -> None:
    log = make_log(steady=False, between=3000)
    told = verdict_of(rehearsed(log, "pbs_v1", shakes=2))
    assert told.answer == "no"
    assert "of the jobs run longer than their soft walltime" in told.sentence
    several = verdict_of(rehearsed(log, "pbs_v1", "pbs_v3", shakes=2))
    assert several.predictor == "pbs_v3"
    assert several.more[-1].startswith(
        "Too many jobs run longer than their soft walltime with these predictors: pbs_v1 ("
    )


def test_without_perturbed_copies_the_answer_is_unknown(make_log: MakeLog) -> None:
    told = verdict_of(rehearsed(make_log(jobs=50), "last_two", shakes=0))
    assert told.answer == "unknown"
    assert told.sentence.startswith("Without perturbed copies there is no answer: ")


def test_earlier_jobs_occupy_the_machine_and_are_learned_but_do_not_count(
    make_log: MakeLog,
) -> None:
    path = make_log(jobs=60)
    log = read_log(path)
    begin = log.machine.jobs[30].submit_time
    found = rehearsed(path, "pbs_v1", shakes=0, begin=str(begin))
    assert found.warm_up == 30
    assert len(found.frame) == len(found.period.places) == 30
    assert found.by_predictor[0].answers.unknown == 0
    assert found.baseline.figures["jobs"] == 30


def test_jobs_long_before_the_period_are_learned_and_not_simulated(make_log: MakeLog) -> None:
    log = read_log(make_log(jobs=60, between=100_000))
    period = period_of(log, str(45 * DAY), None)
    part, before = simulated_part(log, period)
    begin = part.machine.start_time
    assert begin is not None
    assert log.machine.start_time is not None
    assert begin - log.machine.start_time >= 45 * DAY - LEAD
    assert part.machine.jobs[0].submit_time == 0.0
    assert before
    assert all(job.end is not None and job.end <= 0.0 for job in before)
    assert len(before) + len(part.machine.jobs) == len(log)


def test_a_period_can_be_given_in_the_form_of_pbs_file_names(make_log: MakeLog) -> None:
    log = read_log(make_log())
    # the log begins on 1 November 2017
    by_file, by_date = (period_of(log, None, day) for day in ("20171102", "2017-11-02"))
    assert by_file == by_date
    assert by_file.last == DAY - (log.machine.start_time or 0.0) + 1509494400
    for day, said in (("x", "--start x: give a date"), ("2018-01-01", "no job was submitted from")):
        with pytest.raises(PredAwareError, match=said):
            period_of(log, day, None)


def test_another_scheduler_can_be_rehearsed(make_log: MakeLog) -> None:
    other = {"backfilling": "conservative", "correction": "doubling", "order": "sjf"}
    found = rehearsed(make_log(jobs=40), "pbs_v3", shakes=0, options=other)
    assert found.options == other
    assert found.baseline.provenance is not None
    assert "conservative" in str(found.baseline.provenance["scheduler"])


def test_a_predictor_with_the_baselines_name_is_refused(make_log: MakeLog) -> None:
    with pytest.raises(PredAwareError, match="can have the name 'walltimes'"):
        rehearse(read_log(make_log()), [Candidate("walltimes", "last_two")])


def test_recorded_soft_walltimes_can_be_compared_with_a_predictor(tmp_path: Path) -> None:
    path = tmp_path / "20240301"
    path.write_text("".join(pbs_record(number) for number in range(30)))
    found = rehearsed(path, "recorded", "pbs_v3", shakes=0)
    recorded, predicted = found.by_predictor
    assert recorded.set == 20
    frame = found.frame[found.frame["predictor"] == "recorded"]
    assert frame["soft_walltime"].dropna().unique().tolist() == [900.0]
    # the job of 1,000 s outlives its 900 s
    assert recorded.evaluation.measures.underestimated == pytest.approx(10 / 30)
    assert recorded.extended == 10
    assert predicted.label == "pbs_v3"


def pbs_record(number: int) -> str:
    """Make the record of a job's end: of three jobs, one without a soft walltime, one longer."""
    start, lasted = 1000 + 2000 * number, 1000 if number % 3 == 2 else 500
    soft = " Resource_List.soft_walltime=00:15:00" if number % 3 else ""
    return (
        f"03/01/2024 11:00:00;E;{number}.srv;user=ann queue=q ctime={start} start={start} "
        f"end={start + lasted} exec_host=n1/0*4 "
        f"Resource_List.ncpus=1 Resource_List.walltime=01:00:00{soft} "
        f"Exit_status=0 resources_used.walltime=00:{lasted // 60:02}:{lasted % 60:02}\n"
    )
