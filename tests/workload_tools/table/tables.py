"""Small tables and maps for the tests of this folder."""

from pathlib import Path

from workload_tools.job import Job
from workload_tools.table.log import TableLog

COLUMNS = """
[columns]
id = "job"
submit_time = "submit"
run_time = "run"
walltime = "limit"
processors = "cpus"
"""
HEADER = "job,submit,run,limit,cpus\n"


def write(folder: Path, text: str, name: str = "jobs.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def opened(folder: Path, text: str, table_map: str = COLUMNS, **options: bool | str) -> TableLog:
    """Open a table as its user would: two files."""
    path = write(folder, text)
    write(folder, table_map, "mine.toml")
    return TableLog(path, map=str(folder / "mine.toml"), **options)


def read(folder: Path, text: str, table_map: str = COLUMNS, **options: bool | str) -> list[Job]:
    return list(opened(folder, text, table_map, **options).jobs())
