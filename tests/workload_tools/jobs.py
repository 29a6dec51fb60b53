"""Jobs for tests, made by hypothesis."""

import gzip
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from hypothesis import strategies as st

from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.report import Report

_SECONDS = st.one_of(st.integers(0, 10**6).map(float), st.floats(0, 1e6))
_POSITIVE = st.one_of(st.integers(1, 10**6).map(float), st.floats(1e-3, 1e6))
_COUNTS = st.integers(1, 512)
_NAMES = st.one_of(st.integers(0, 50).map(str), st.sampled_from(["ann", "bob", "007", "a b"]))


def _maybe(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.none(), values)


JOBS = st.builds(
    Job, id=st.integers(0, 10**6).map(str), submit_time=_SECONDS, processors=_COUNTS,
    run_time=_POSITIVE, walltime=_maybe(_POSITIVE), user=_maybe(_NAMES), group=_maybe(_NAMES),
    project=_maybe(_NAMES), queue=_maybe(_NAMES), partition=_maybe(_NAMES),
    executable=_maybe(_NAMES), name=_maybe(_NAMES), nodes=_maybe(_COUNTS), memory=_maybe(_SECONDS),
    requested_processors=_maybe(_COUNTS), allocated_processors=_maybe(_COUNTS),
    wait_time=_maybe(_SECONDS), status=_maybe(st.sampled_from([0, 1, 5])),
    preceding_job=_maybe(st.integers(0, 50).map(str)), think_time=_maybe(_SECONDS),
    warm_up=st.booleans(),
)  # fmt: skip
"""Jobs with any fields; sizes can differ from requests and allocations."""

JOB_LISTS = st.lists(JOBS, max_size=30, unique_by=lambda job: job.id)


def job(identifier: str, /, **fields: object) -> Job:
    """Make a job of four processors and 60 s, submitted at 0, by default."""
    values = {"id": identifier, "submit_time": 0.0, "processors": 4, "run_time": 60.0} | fields
    return Job(**values)  # type: ignore[arg-type] # the tests say the right types


class SyntheticLog:
    """A log of jobs that are there."""

    def __init__(self, jobs: Sequence[Job], **machine: object) -> None:
        self.report = Report()
        self.machine = Machine(**machine)  # type: ignore[arg-type] # as above
        self._jobs = jobs

    def jobs(self) -> Iterator[Job]:
        """Yield them."""
        self.report.read = self.report.kept = len(self._jobs)
        return iter(self._jobs)


def beginning(log: Path, folder: Path, lines: int = 6000) -> Path:
    """Write the first lines of a packed log, to be read in less time than all of it."""
    path = folder / log.name.removesuffix(".gz")
    with gzip.open(log, "rt", encoding="latin-1") as whole:
        path.write_text("".join(islice(whole, lines)), encoding="latin-1")
    return path
