"""Reading a table of jobs, such as the public logs of today are, through a map."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import numpy as np

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.job_names import JobNames
from workload_tools.log import Machine
from workload_tools.report import Report
from workload_tools.table.binding import Binder, BoundField
from workload_tools.table.dates import UNIX_DATES
from workload_tools.table.evaluating import Batch
from workload_tools.table.job_maker import JobMaker
from workload_tools.table.joining import Joined
from workload_tools.table.lots import Lot, jobs_of
from workload_tools.table.map_file import read_map
from workload_tools.table.shipped import map_beside, map_for, map_named, shipped_names
from workload_tools.table.source import Rows, TableFile, table_files
from workload_tools.table.table_map import (
    SAME_JOB,
    SIZES,
    Size,
    TableMap,
    UnknownZoneError,
    zone_named,
)

DAMAGED_LINE = "line with another number of fields than the first"


class TableLog:
    r"""A table of jobs as CSV, TSV or Parquet, read a batch at a time through a map.

    Parameters
    ----------
    path
        A file (CSV plain or gzip), a folder of such files, or a glob.
    map
        A map's file or the name of a shipped one. By default the file ``LOG.map.toml`` beside the
        log, or ``map.toml`` in its folder; else the shipped map whose columns the table has.
    strict
        Make the first row an error that lacks a size or a time, or is damaged. What the map leaves
        out is none.
    size
        What jobs and machine are counted in, where the map knows more than one way; by default the
        first in which a job of the first rows has a size.
    time_zone
        Of dates without an offset, where the map does not say.
    machine_processors
        The machine's size; by default what the map says.

    Examples
    --------
    >>> TableLog.recognises(Path("jobs.csv"), b"job_id,user\n")
    False
    """

    def __init__(
        self,
        path: str | Path,
        *,
        map: str | None = None,  # noqa: A002 - what it is called everywhere
        strict: bool = False,
        size: Size | None = None,
        time_zone: str | None = None,
        machine_processors: int | None = None,
    ) -> None:
        self.path = Path(path)
        self.strict = strict
        self.size = size
        self.given_map = map
        self.report = Report()
        self.machine_processors = machine_processors
        self.machine = Machine(processors=machine_processors, time_zone=time_zone)
        if time_zone is not None:
            try:
                zone_named(time_zone)
            except UnknownZoneError as error:
                raise LogError(path, str(error)) from error
        self.time_zone = time_zone
        self.same_job = SAME_JOB[0]

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:
        """Say whether a table has a map beside it, or columns that a shipped map knows."""
        return map_beside(path) is not None or map_for(path, head) is not None

    def files(self) -> list[Path]:
        """Return the files that are read: the table's, those joined to it, and its map.

        Raises
        ------
        LogError
            There is no map, no table, or nothing to join.
        """
        table_map = self._map()
        own = table_files(self.path, table_map.files)
        joined = [Joined(join, table_map, self.path) for join in table_map.joins]
        return [*own, *(file.path for one in joined for file in one.files), table_map.path]

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that are kept, as `workload_tools.log.Log` has it.

        Raises
        ------
        LogError
            A file or the map can't be read, or they do not fit; with `strict`, a row has a fault.
        """
        table_map = self._map()
        files = [TableFile(path, table_map) for path in table_files(self.path, table_map.files)]
        joined = [Joined(join, table_map, self.path) for join in table_map.joins]
        to_join = {file.path for one in joined for file in one.files}
        zone = self._zone(table_map)
        names = JobNames()
        report = self.report
        for file in files:
            if file.path in to_join:
                continue
            binder = Binder(
                table_map,
                [*file.names, *(name for one in joined for name in one.names)],
                path=file.path,
                zone=zone,
            )
            maker = JobMaker(table_map, binder, size=self._size_of(table_map, file))
            self._know_machine(table_map)
            for one in joined:
                one.load(binder.needed)
            for rows in file.read(_own(file, binder, joined)):
                self._count_damaged(file.path, rows)
                report.read += rows.count
                if rows.count:
                    lot = _batch(rows, joined, table_map)
                    values = maker.values(lot)
                    yield from self._jobs_of(lot, values, rows, names, file.path)
        if not report.read:
            raise LogError(self.path, "has no rows")

    def _jobs_of(
        self, lot: Lot, values: dict[str, Any], rows: Rows, names: JobNames, path: Path
    ) -> Iterator[Job]:
        if self.machine.start_time is None:
            latest = values["submit_time"].max(initial=0.0, where=lot.alive)
            self.machine.start_time = 0.0 if latest > UNIX_DATES else None
        return jobs_of(
            lot,
            values,
            first_row=rows.first,
            names=names,
            same_job=self.same_job,
            report=self.report,
            strict=str(path) if self.strict else None,
        )

    def _map(self) -> TableMap:
        """Return the map that is named, stands beside the log, or knows its columns."""
        if self.given_map is not None:
            table_map = map_named(self.given_map)
        else:
            found = map_beside(self.path) or map_for(self.path)
            if found is None:
                raise LogError(
                    self.path,
                    "no map is known for its columns: give one with --map, of which "
                    f"`pred-aware map suggest {self.path}` writes a first; shipped are "
                    f"{', '.join(shipped_names())}",
                )
            table_map = read_map(found)
        self.same_job = table_map.same_job
        return table_map

    def _zone(self, table_map: TableMap) -> tzinfo:
        name = self.time_zone or table_map.time_zone
        self.machine.time_zone = name
        return UTC if name is None else zone_named(name)

    def _size_of(self, table_map: TableMap, file: TableFile) -> str | None:
        """Return what jobs are counted in, which the first file decides for all."""
        if not table_map.sizes:
            if self.size is not None:
                raise LogError(table_map.path, f"does not say how many {self.size} a job takes")
            return None
        if self.size is None:
            self.size = _first_size(table_map, file)
        if self.size not in table_map.sizes:
            raise LogError(
                table_map.path,
                f"does not say how many {self.size} a job takes, but how many "
                f"{' and '.join(table_map.sizes)}",
            )
        return self.size

    def _know_machine(self, table_map: TableMap) -> None:
        said = table_map.machine
        size = said.get(self.size or "") or said.get("processors")
        self.machine.processors = self.machine_processors or size
        self.machine.nodes = said.get("nodes")
        self.machine.origin = list(table_map.origin)

    def _count_damaged(self, path: Path, rows: Rows) -> None:
        if rows.damaged and self.strict:
            raise LogError(
                path,
                f"{DAMAGED_LINE}; without --strict such rows are dropped and counted",
                rows.first,
            )
        if rows.damaged:
            self.report.read += rows.damaged
            self.report.dropped[DAMAGED_LINE] += rows.damaged


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
