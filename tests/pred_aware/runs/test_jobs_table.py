"""The table of a run in memory is what the text of its jobs file would be read as."""

import gzip
import io
import math
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import pred_aware as pa
from pred_aware.runs.jobs_table import read_table, table_of
from pred_aware.runs.rounding import rounded_as_in_csv
from pred_aware.simulator.job import REJECTED, JobState, SimulatedJob
from pred_aware.simulator.tracing import JOB_COLUMNS, JobColumns

STATES = [state for state in JobState if state > JobState.RUNNING]
DATES = (
    st.floats(0, 1e9)
    | st.integers(0, 10**9).map(float)
    | st.integers(0, 10**8).map(lambda halves: halves / 2e6)
)
NAMES = st.text("abc 0.-é", min_size=1)


def same_bits(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """See that frames are the same, numbers to the last bit."""
    pd.testing.assert_frame_equal(one, other[list(one)], check_exact=True)
    for name in one.select_dtypes("number"):
        numbers = [frame[name].dropna().to_numpy().tobytes() for frame in (one, other)]
        assert numbers[0] == numbers[1], name


@given(st.lists(st.floats(allow_nan=False) | DATES | DATES.map(lambda date: -date), min_size=1))
def test_a_number_equals_its_text_read_back(values: list[float]) -> None:
    text = "\n".join(f"{value:f}" for value in values)
    read = pd.read_csv(io.StringIO(text), header=None, dtype="float64")[0].to_numpy()
    assert rounded_as_in_csv(np.array(values)).tobytes() == read.tobytes()


def test_halves_and_their_neighbours_are_rounded_as_in_the_text() -> None:
    halves = [(2 * n + 1) / 2e6 for n in range(5000)]
    values = [*halves, *(math.nextafter(one, 1) for one in halves), 0.5, 8388608.0000005, math.inf]
    assert rounded_as_in_csv(np.array(values)).tolist() == [float(f"{value:f}") for value in values]
    assert math.isnan(rounded_as_in_csv(np.array([math.nan]))[0])


@st.composite
def jobs(draw: st.DrawFn) -> list[SimulatedJob]:
    """Draw jobs that are over."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    drawn = []
    for name in names:
        submitted, waited, took = draw(DATES), draw(DATES), draw(DATES)
        job = SimulatedJob(
            f"w0!{name}", name, "w0", draw(NAMES), submitted, draw(st.integers(1, 9)),
            draw(DATES | st.just(-1.0)), took, took, REJECTED, 0, 0, None,
        )  # fmt: skip
        job.state = draw(st.sampled_from(STATES))
        job.metadata = draw(st.text("a,\n\t ' "))
        if job.state is not REJECTED:
            job.start = submitted + waited
            job.end = max(job.start + took, math.nextafter(job.start + 1e-5, math.inf))
            job.intervals = ((0, 1), (4, 4))
        drawn.append(job)
    return drawn


@given(jobs(), jobs())
@settings(max_examples=25)
def test_the_table_in_memory_equals_that_of_the_text(
    first: list[SimulatedJob], second: list[SimulatedJob]
) -> None:
    known = {job.id for job in first}
    blocks = [JobColumns.of(first), JobColumns.of([job for job in second if job.id not in known])]
    text = ",".join(JOB_COLUMNS) + "\n" + "".join(one for b in blocks for one in b.text())
    same_bits(read_table(text.encode(), "x"), table_of(blocks, "x", words=True))


def test_a_real_log_has_the_same_table_in_memory_and_as_text(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "first.swf"
    with gzip.open(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz", "rt") as whole:
        path.write_text("".join(islice(whole, 3000)))
    log = pa.read_log(path)
    run = pa.simulate(log.workload.shaken(1), "easy_plus_plus", platform=log.platform)
    run.write(tmp_path / "out")
    read = pa.read_run(tmp_path / "out", workload=run.workload)
    same_bits(read.ran, run.ran)
    same_bits(read.jobs, run.jobs)
    assert read.figures.equals(run.figures.rename("out"))
