"""Write jobs as a Parquet table, with one column for each field of a job."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import IO, Any

from workload_tools.errors import LogError, require_arrow
from workload_tools.job import Job, Workload
from workload_tools.job_store import StoredWorkload

NO_COLUMN = ("warm_up", "inferred")
"""Fields that this table cannot store."""

_DATES = ("submit_time", "eligible_time")
_JOBS_A_BLOCK = 1 << 15


def write_parquet_to(
    file: IO[bytes], workload: Workload | StoredWorkload, path: str | Path
) -> Counter[str]:
    """Write the jobs of a workload to an open file, in blocks of about 30,000 jobs.

    The table has a column for each field of :class:`~workload_tools.job.Job` except `NO_COLUMN`. A
    cell is empty if the job lacks the value. Names are texts, counts are whole numbers, times are
    in seconds, and memory is in GiB. If the workload's start date is known, ``submit_time`` and
    ``eligible_time`` are dates in UTC, otherwise seconds. ``exclusive`` is 1 or 0.

    Parameters
    ----------
    file
        The file to write to.
    workload
        The jobs.
    path
        The name for error messages.

    Returns
    -------
    Counter
        For each field of `NO_COLUMN`, the number of jobs that have a value.

    Raises
    ------
    LogError
        A job has a number that is too large for its column.
    MissingLibraryError
        pyarrow is not installed.
    """
    require_arrow(path)
    import msgspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {field.name: field.type for field in msgspec.structs.fields(Job)}
    names = [name for name in kinds if name not in NO_COLUMN]
    dated = workload.start_time is not None
    types = {name: _arrow_type(kinds[name]) for name in names}
    if dated:
        types |= dict.fromkeys(_DATES, pa.timestamp("us", "UTC"))
    metadata = {
        name: str(value)
        for name, value in (
            ("processors", workload.processors),
            ("nodes", workload.nodes),
            ("time_zone", workload.time_zone),
        )
        if value is not None
    }
    schema = pa.schema(list(types.items()), metadata=metadata)
    lost: Counter[str] = Counter()
    jobs = iter(workload.jobs)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while block := list(islice(jobs, _JOBS_A_BLOCK)):
            lost.update(name for job in block for name in NO_COLUMN if getattr(job, name))
            try:
                columns = [
                    pa.array(_cells(block, name, workload.start_time), types[name])
                    for name in names
                ]
            except (pa.ArrowException, OverflowError, ValueError) as error:
                where = f"jobs '{block[0].id}' to '{block[-1].id}'"
                raise LogError(path, f"{where} cannot be written: {error}") from error
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
    return lost


def _arrow_type(kind: object) -> Any:  # noqa: ANN401 - pyarrow has no types
    import pyarrow as pa

    if kind in (str, str | None):
        return pa.string()
    return pa.int64() if kind in (int, int | None, bool) else pa.float64()


def _cells(jobs: list[Job], name: str, start_time: float | None) -> list[Any]:
    cells = [getattr(job, name) for job in jobs]
    if name in _DATES and start_time is not None:
        return [None if cell is None else round(1e6 * (start_time + cell)) for cell in cells]
    return [*map(int, cells)] if name == "exclusive" else cells
