"""Reader of tables of jobs with a column map. Most recent public logs are such tables."""

from collections.abc import Iterator
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.report import Report
from workload_tools.table.map.map_file import read_map
from workload_tools.table.map.table_map import Size, TableMap
from workload_tools.table.shipped import map_for, map_named, own_map, shipped_names
from workload_tools.table.source.table_file import table_files
from workload_tools.time_zone import zone_of


class TableLog:
    r"""A table of jobs (CSV, TSV, Parquet) that is read with a column map.

    The log is a file (CSV may be gzipped), a folder of such files, or a quoted glob pattern. The
    map is a TOML file, or a map that comes with pred-aware (`pred-aware log map list` lists them).
    `pred-aware log map suggest LOG` writes a first map for your own table. Ten lines are enough:

        [machine]
        nodes = 64
        time_zone = "Europe/Berlin"

        [columns]
        id = "job"
        user = "user"
        submit_time = "submitted"
        run_time = { from = "elapsed", unit = "minutes" }
        walltime = { from = "limit", unit = "d-hh:mm:ss" }
        processors = "nodes"

    Parameters
    ----------
    path
        A file, a folder or a glob pattern.
    map
        A map file, or the name of a shipped map. By default it is the file ``LOG.map.toml`` in
        the folder of the file LOG, ``map.toml`` in the folder LOG, or the shipped map that fits the
        columns.
    strict
        Raise an error at the first row that lacks a size or a time, or is damaged. A row that the
        map drops is not an error.
    size
        The unit of jobs' sizes, if the map has several units. By default it is the first unit in
        which any job of the first rows has a size.
    time_zone
        Time zone for dates without an offset from UTC, if the map does not state a zone.
    machine_processors
        The machine's size; by default the size in the map.

    Examples
    --------
    >>> TableLog.recognises(Path("jobs.csv"), b"job_id,user\n")
    False
    """

    def __init__(
        self,
        path: str | Path,
        *,
        map: str | None = None,  # noqa: A002 - the option's name in all commands
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
        zone_of(time_zone, path)  # raises an error for an unknown zone
        self.time_zone = time_zone

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:
        """Return True if the table has its own map, or the columns of a shipped map."""
        return own_map(path) is not None or map_for(path, head) is not None

    def files(self) -> list[Path]:
        """Return all files that are read: those of the table, joined tables, and the map.

        Raises
        ------
        LogError
            The map, the table or a joined table does not exist.
        """
        from workload_tools.table.source.table_file import Joined

        table_map = self.table_map()
        main = table_files(self.path, table_map.files)
        joined = [Joined(join, table_map, self.path) for join in table_map.joins]
        return [*main, *(file.path for one in joined for file in one.files), table_map.path]

    def jobs(self) -> Iterator[Job]:
        """Yield the kept jobs; see `workload_tools.log.Log`.

        Raises
        ------
        LogError
            A file or the map cannot be read, or the file lacks a column of the map. Or `strict` is
            True and a row is invalid.
        """
        from workload_tools.table.reading import TableReading

        reading = TableReading(
            path=self.path,
            map=self.table_map(),
            report=self.report,
            machine=self.machine,
            strict=self.strict,
            size=self.size,
            time_zone=self.time_zone,
            processors=self.machine_processors,
        )
        return reading.jobs()

    def table_map(self) -> TableMap:
        """Return the given map, the log's own map, or the shipped map that fits its columns."""
        if self.given_map is not None:
            return map_named(self.given_map)
        found = own_map(self.path) or map_for(self.path)
        if found is None:
            raise LogError(
                self.path,
                "no column map fits its columns; give one with --map. "
                f"`pred-aware log map suggest {self.path}` writes a first map. Shipped maps: "
                f"{', '.join(shipped_names())}",
            )
        return read_map(found)
