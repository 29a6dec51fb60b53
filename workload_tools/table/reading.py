"""Read the jobs of a table, one batch of rows at a time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.log import Machine
from workload_tools.report import Report
from workload_tools.table.binding import Binder, BoundField
from workload_tools.table.job_maker import RowDecisions, TableJobMaker, jobs_of
from workload_tools.table.language.cells import TableRows
from workload_tools.table.language.dates import UNIX_DATES
from workload_tools.table.language.evaluating import RowBatch
from workload_tools.table.map.table_map import SIZES, Size, TableMap
from workload_tools.table.source.table_file import Joined, TableFile, table_files
from workload_tools.time_zone import known_zone, zone_named

DAMAGED_LINE = "line with a different number of fields than the first"

_WHOLE_ABOVE_0 = re.compile("[1-9][0-9]{0,8}")


@dataclass(slots=True, kw_only=True)
class TableReading:
    """Reads a table once with a column map."""

    path: Path
    map: TableMap
    """The table and its map."""
    report: Report
    machine: Machine
    """The report that counts rows, and the machine whose values are set while reading."""
    strict: bool = False
    size: Size | None = None
    time_zone: str | None = None
    processors: int | None = None
    """These four options mean the same as in `workload_tools.table.log.TableLog`."""
    prepare: Callable[[RowDecisions, dict[str, Any]], None] | None = None
    """Function that may change values and drop rows before the rows become jobs."""

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; see `workload_tools.table.log.TableLog.jobs`."""
        files = [TableFile(path, self.map) for path in table_files(self.path, self.map.files)]
        joined = [Joined(join, self.map, self.path) for join in self.map.joins]
        to_join = {file.path for one in joined for file in one.files}
        self.machine.time_zone = self.time_zone or self.map.time_zone
        zone = UTC if self.machine.time_zone is None else zone_named(self.machine.time_zone)
        names = JobNames()
        for file in files:
            if file.path in to_join:
                continue
            binder = Binder(
                self.map,
                [*file.names, *(name for one in joined for name in one.names)],
                path=file.path,
                zone=zone,
            )
            maker = TableJobMaker(self.map, binder, size=self._counted_in(file))
            self._know_machine(file)
            for one in joined:
                one.load(binder.needed)
            for rows in file.read(_own(file, binder, joined)):
                self._count_damaged(file.path, rows)
                self.report.read += rows.count
                if rows.count:
                    lot = _batch(rows, joined, self.map)
                    values = maker.values(lot)
                    if self.prepare is not None:
                        self.prepare(lot, values)
                    yield from self._jobs_of(lot, values, rows, names, file.path)
        if not self.report.read:
            raise LogError(self.path, "has no rows")

    def _jobs_of(
        self,
        lot: RowDecisions,
        values: dict[str, Any],
        rows: TableRows,
        names: JobNames,
        path: Path,
    ) -> Iterator[Job]:
        if self.machine.start_time is None:
            latest = values["submit_time"].max(initial=0.0, where=lot.alive)
            self.machine.start_time = 0.0 if latest > UNIX_DATES else None
        return jobs_of(
            lot,
            values,
            first_row=rows.first,
            names=names,
            same_job=self.map.same_job,
            report=self.report,
            strict=str(path) if self.strict else None,
        )

    def _counted_in(self, file: TableFile) -> str | None:
        """Return the unit of sizes. If it is not given, the first file determines it."""
        if not self.map.sizes:
            if self.size is not None:
                raise LogError(self.map.path, f"gives no column for jobs' {self.size}")
            return None
        if self.size is None:
            self.size = _first_size(self.map, file)
        if self.size not in self.map.sizes:
            raise LogError(
                self.map.path,
                f"gives no column for jobs' {self.size}, only for {' and '.join(self.map.sizes)}",
            )
        return self.size

    def _know_machine(self, file: TableFile) -> None:
        """Set the machine from the map, or from the metadata of a file that pred-aware wrote."""
        said = {**_machine_of(file), **self.map.machine}
        self.machine.processors = (
            self.processors or said.get(self.size or "") or said.get("processors")
        )
        self.machine.nodes = said.get("nodes")
        if self.machine.time_zone is None:
            zone = known_zone(file.machine.get("time_zone"))
            self.machine.time_zone = None if zone is None else zone.key
        self.machine.origin = list(self.map.origin)

    def _count_damaged(self, path: Path, rows: TableRows) -> None:
        """Count lines with a wrong number of cells, or raise an error if `strict` is True."""
        if rows.damaged and self.strict:
            raise LogError(
                path,
                f"{DAMAGED_LINE}. Without --strict, such rows are dropped and counted",
                rows.first,
            )
        if rows.damaged:
            self.report.read += rows.damaged
            self.report.dropped[DAMAGED_LINE] += rows.damaged


def _own(file: TableFile, binder: Binder, joined: list[Joined]) -> list[str]:
    """Return the required columns of the file itself, without those of joined tables."""
    keys = {one.join.on for one in joined}
    for one in joined:
        if one.join.on not in file.names:
            raise LogError(
                file.path,
                f"lacks the column '{one.join.on}' by which {binder.map.path} joins tables",
                1,
            )
    return [name for name in dict.fromkeys(file.names) if name in binder.needed | keys]


def _batch(rows: TableRows, joined: list[Joined], table_map: TableMap) -> RowDecisions:
    """Return rows with joined columns, and mark rows without a required match as dropped."""
    columns = dict(rows.columns)
    found = [(one, one.places(rows.columns[one.join.on])) for one in joined]
    for one, places in found:
        # if both tables have a column of the same name, the log's own column is used
        columns = {**one.columns(places), **columns}
    lot = RowDecisions(RowBatch(columns, rows=rows.count, decimal=table_map.decimal))
    for one, places in found:
        key = f"{one.join.file} with its {one.join.on}"
        if one.join.required:
            lot.drop(places < 0, f"no row in {key}")
        if one.repeated:
            lot.repair(
                np.isin(places, list(one.repeated)), f"several rows in {key}: first one used"
            )
    return lot


def _machine_of(file: TableFile) -> dict[str, int]:
    """Return the machine's size from the metadata of a Parquet file that pred-aware wrote."""
    # other programs may use the same keys, so values that are not numbers are ignored
    sizes = {key: said for key, said in file.machine.items() if key != "time_zone"}
    return {key: int(said) for key, said in sizes.items() if _WHOLE_ABOVE_0.fullmatch(said)}


def _first_size(table_map: TableMap, file: TableFile) -> Size:
    """Return the first unit of the map in which any job of the first rows has a size."""
    binder = Binder(table_map, file.names, path=file.path)
    known: dict[Size, BoundField] = {}
    for name in [name for name in SIZES if name in table_map.sizes]:
        bound = binder.field(replace(table_map.sizes[name], optional=True))
        if bound is not None:
            known[name] = bound
    if not known:
        # this call raises an error that names the missing column
        binder.field(next(iter(table_map.sizes.values())))
    rows = next(file.read(sorted(binder.needed)), None)
    if rows is not None and rows.count:
        batch = RowBatch(rows.columns, rows=rows.count, decimal=table_map.decimal)
        for name, bound in known.items():
            if (bound.numbers(batch)[0] > 0.0).any():
                return name
    return next(iter(known))
