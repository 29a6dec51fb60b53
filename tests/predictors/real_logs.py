"""Real logs as predictors see them: submissions and ends in the order of their dates."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from predictors import Predictor, Submission
from predictors.estimate import clamp
from workload_tools.job import Job
from workload_tools.swf.log import read_swf

LOGS = {
    "kth": "KTH-SP2-1996-2.1-cln.swf.gz",
    "hpc2n": "HPC2N-2002-2.2-cln.swf.gz",
    "intrepid": "ANL-Intrepid-2009-1.swf.gz",
    "gaia": "UniLu-Gaia-2014-1.swf.gz",
    "sdsc-ds": "SDSC-DS-2004-2.1-cln.swf.gz",
    "curie": "CEA-Curie-2011-2.1-cln.swf.gz",
    "saliksik": "DOST-ASTI_COARE-Saliksik-2020-cln.swf.gz",
    "wagap": "wagap-2013.swf.gz",
}


class Ran(NamedTuple):
    """A job as it ran on the real machine, in seconds."""

    submission: Submission
    start: float
    run_time: float

    @property
    def end(self) -> float:
        return self.start + self.run_time


@cache
def read_log(shared: Path, name: str) -> list[Ran]:
    """Read a log; its jobs are in the order of their submission."""
    workload, _ = read_swf(shared / "traces" / LOGS[name])
    return [
        Ran(submission_of(job), job.submit_time + max(0.0, job.wait_time or 0.0), job.run_time)
        for job in workload.jobs
    ]


def submission_of(job: Job) -> Submission:
    return Submission(
        id=job.id, submit_time=job.submit_time, processors=job.processors, walltime=job.walltime,
        user=job.user, group=job.group, queue=job.queue, executable=job.executable,
        memory=job.memory,
    )  # fmt: skip


def first_estimates(predictors: list[Predictor], jobs: list[Ran]) -> Iterator[list[float]]:
    """Replay a log; yield what each predictor estimates of a job at its submission.

    Ends at a date come before its submissions, ordered by start, then submission.
    """
    moments = [(job.submission.submit_time, 1, 0.0, i, job) for i, job in enumerate(jobs)]
    moments += [(job.end, 0, job.start, i, job) for i, job in enumerate(jobs)]
    moments.sort(key=lambda moment: moment[:4])
    for now, is_submission, _, _, job in moments:
        if is_submission:
            yield [clamp(p.predict(job.submission, now), job.submission) for p in predictors]
        else:
            for predictor in predictors:
                predictor.learn(job.submission, job.run_time, now)
