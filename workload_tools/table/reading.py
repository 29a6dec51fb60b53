"""The jobs of a table, read a batch of rows at a time."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.table.binding import Binder, BoundField
from workload_tools.table.dates import UNIX_DATES
from workload_tools.table.evaluating import Batch
from workload_tools.table.job_maker import JobMaker
from workload_tools.table.joining import Joined
from workload_tools.table.lots import Lot, jobs_of
from workload_tools.table.source import Rows, TableFile, table_files
from workload_tools.table.table_map import SIZES, Size, TableMap

if TYPE_CHECKING:
    from workload_tools.table.log import TableLog


def jobs_of_table(log: "TableLog") -> Iterator[Job]:
    """Yield the jobs of a table; see `workload_tools.table.log.TableLog.jobs`."""
    table_map = log.table_map()
    files = [TableFile(path, table_map) for path in table_files(log.path, table_map.files)]
    joined = [Joined(join, table_map, log.path) for join in table_map.joins]
    to_join = {file.path for one in joined for file in one.files}
    zone = log.zone(table_map)
    names = JobNames()
    report = log.report
    for file in files:
        if file.path in to_join:
            continue
        binder = Binder(
            table_map,
            [*file.names, *(name for one in joined for name in one.names)],
            path=file.path,
            zone=zone,
        )
        maker = JobMaker(table_map, binder, size=_size_of(log, table_map, file))
        log.know_machine(table_map)
        for one in joined:
            one.load(binder.needed)
        for rows in file.read(_own(file, binder, joined)):
            log.count_damaged(file.path, rows)
            report.read += rows.count
            if rows.count:
                lot = _batch(rows, joined, table_map)
                values = maker.values(lot)
                yield from _jobs_of(log, lot, values, rows, names, file.path)
    if not report.read:
        raise LogError(log.path, "has no rows")


def _jobs_of(
    log: "TableLog", lot: Lot, values: dict[str, Any], rows: Rows, names: JobNames, path: Path
) -> Iterator[Job]:
    if log.machine.start_time is None:
        latest = values["submit_time"].max(initial=0.0, where=lot.alive)
        log.machine.start_time = 0.0 if latest > UNIX_DATES else None
    return jobs_of(
        lot,
        values,
        first_row=rows.first,
        names=names,
        same_job=log.same_job,
        report=log.report,
        strict=str(path) if log.strict else None,
    )


def _size_of(log: "TableLog", table_map: TableMap, file: TableFile) -> str | None:
    """Return what jobs are counted in, which the first file decides for all."""
    if not table_map.sizes:
        if log.size is not None:
            raise LogError(table_map.path, f"does not say how many {log.size} a job takes")
        return None
    if log.size is None:
        log.size = _first_size(table_map, file)
    if log.size not in table_map.sizes:
        raise LogError(
            table_map.path,
            f"does not say how many {log.size} a job takes, but how many "
            f"{' and '.join(table_map.sizes)}",
        )
    return log.size


def _own(file: TableFile, binder: Binder, joined: list[Joined]) -> list[str]:
    """Return which of the file's own columns are needed; one at least, for its length."""
    keys = {one.join.on for one in joined}
    for one in joined:
        if one.join.on not in file.names:
            raise LogError(
                file.path, f"lacks the column '{one.join.on}' that {binder.map.path} joins on", 1
            )
    return [name for name in dict.fromkeys(file.names) if name in binder.needed | keys]


def _batch(rows: Rows, joined: list[Joined], table_map: TableMap) -> Lot:
    """Return rows with what is joined to them; those that must be there and are not, left out."""
    columns = dict(rows.columns)
    found = [(one, one.places(rows.columns[one.join.on])) for one in joined]
    for one, places in found:
        # a column of this table goes before one of the same name in the other
        columns = {**one.columns(places), **columns}
    lot = Lot(Batch(columns, rows=rows.count, decimal=table_map.decimal))
    for one, places in found:
        key = f"{one.join.file} with its {one.join.on}"
        if one.join.required:
            lot.drop(places < 0, f"no row in {key}")
        if one.repeated:
            lot.repair(
                np.isin(places, list(one.repeated)), f"more than one row in {key}: the first"
            )
    return lot


def _first_size(table_map: TableMap, file: TableFile) -> Size:
    """Return the first of the map's ways to count that any job of the first rows has."""
    binder = Binder(table_map, file.names, path=file.path)
    known: dict[Size, BoundField] = {}
    for name in [name for name in SIZES if name in table_map.sizes]:
        bound = binder.field(replace(table_map.sizes[name], optional=True))
        if bound is not None:
            known[name] = bound
    if not known:
        binder.field(next(iter(table_map.sizes.values())))  # says which column is not there
    rows = next(file.read(sorted(binder.needed)), None)
    if rows is not None and rows.count:
        batch = Batch(rows.columns, rows=rows.count, decimal=table_map.decimal)
        for name, bound in known.items():
            if (bound.numbers(batch)[0] > 0.0).any():
                return name
    return next(iter(known))
