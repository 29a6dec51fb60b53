"""Counting the records of a dump as text, for its survey."""

import numpy as np

from workload_tools.slurm.cells import Cells
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.fields import Kind
from workload_tools.slurm.job_number import MOST_DIGITS, read_job_number
from workload_tools.slurm.layout import Layout
from workload_tools.slurm.record_reader import values_of
from workload_tools.slurm.record_text import RecordLot
from workload_tools.slurm.survey import Survey


def count_jobs(lot: RecordLot, survey: Survey) -> None:
    """Count the records of jobs, by their keys and clusters.

    Parameters
    ----------
    lot
        Records, of which those of steps and those without a number are none.
    survey
        Where they are counted.
    """
    layout = lot.layout
    at, cluster = layout.index("jobidraw", "jobid"), layout.index("cluster")
    cells = Cells(lot.texts, layout)
    keys, of_job = cells.numbers(at, most=MOST_DIGITS)
    others = np.flatnonzero(~of_job)
    for place, text in zip(others.tolist(), cells.texts(at, rows=~of_job), strict=True):
        key = _key(text)
        if key is not None:
            keys[place], of_job[place] = key, True
    survey.keys.frombytes(keys[of_job].tobytes())
    survey.clusters.update(cells.texts(cluster, rows=of_job))
    rest = np.ones(len(lot.texts), np.bool_)
    rest[cells.places] = False
    for place in np.flatnonzero(rest).tolist():
        _count_one(lot.texts[place], layout, survey)
    survey.clusters.pop("", None)
    survey.jobs = len(survey.keys)


def _count_one(text: str, layout: Layout, survey: Survey) -> None:
    values = _first_values(text, layout)
    key = _key_in(values, layout)
    if values is None or key is None:
        return
    survey.keys.append(key)
    cluster = layout.index("cluster")
    # of a damaged record another field may stand where the cluster should
    if text.count(layout.separator) >= layout.separators and cluster < len(values):
        survey.clusters[values[cluster]] += 1


def key_of(text: str, layout: Layout) -> int | None:
    """Return the key of a record's job; None of a step, and where it can't be read."""
    return _key_in(_first_values(text, layout), layout)


def _key_in(values: list[str] | None, layout: Layout) -> int | None:
    at = layout.index("jobidraw", "jobid")
    return None if values is None or len(values) <= at else _key(values[at])


def _first_values(text: str, layout: Layout) -> list[str] | None:
    """Return a record's fields, at least to its number and its cluster.

    It is cut with care where a text may come before them.
    """
    at, cluster = layout.index("jobidraw", "jobid"), layout.index("cluster")
    last = at if cluster == len(layout.names) else max(at, cluster)
    if "," in layout.separator or Kind.FREE in layout.kinds[:last]:
        return values_of(text, layout)
    return text.split(layout.separator, last + 1)


def _key(text: str) -> int | None:
    try:
        job = read_job_number(text)
    except UnreadableError:
        return None
    return None if job.step else job.key
