"""A text dump of `sacct`, ``--parsable2`` or ``--parsable`` with any delimiter."""

import re
from collections.abc import Iterator
from pathlib import Path

from workload_tools.errors import LogError
from workload_tools.log_lines import line_blocks
from workload_tools.slurm.clock import SlurmClock, is_relative
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.fields import Kind
from workload_tools.slurm.job_number import read_job_number
from workload_tools.slurm.layout import Layout, first_layout, is_table, layout_of_format
from workload_tools.slurm.record import SlurmRecord, Unread
from workload_tools.slurm.record_reader import RecordReader, values_of
from workload_tools.slurm.record_text import RecordLot, record_lots
from workload_tools.slurm.survey import Survey

_NEEDED = (
    ("JobIDRaw", "JobID"),
    ("State",),
    ("Submit",),
    ("Start",),
    ("ElapsedRaw", "Elapsed", "End"),
    ("AllocCPUS", "NCPUS", "ReqCPUS", "AllocTRES", "ReqTRES"),
)
_HINT = "`pred-aware log sacct-command` prints a command for all needed fields"
# for waiting tasks: 419_[6-99%2]
_ARRAY_LIMIT = re.compile(r"(?<![0-9])([0-9]{1,10})_\[[0-9,.-]*%([0-9]{1,9})\]")
_RELATIVE = (
    "'{}' is a time without a day: set SLURM_TIME_FORMAT=%s (not relative) and run sacct again"
)


class SlurmText:
    """A text dump of `sacct`.

    Parameters
    ----------
    path
        The dump.
    clock
        Converts its dates.
    format_
        The fields as given to ``sacct --format``, if the dump has no header.
    delimiter
        The delimiter, if it cannot be detected in the header.

    Raises
    ------
    LogError
        A needed field is missing, or the file is a table for people or not a dump.
    """

    def __init__(
        self,
        path: Path,
        clock: SlurmClock,
        *,
        format_: str | None = None,
        delimiter: str | None = None,
    ) -> None:
        self.path = path
        self.clock = clock
        self.layout = self._layout(format_, delimiter)

    def _layout(self, format_: str | None, delimiter: str | None) -> Layout:
        """Return the layout of the first records, from the first lines."""
        _, lines = next(line_blocks(self.path), (1, [""]))
        if not any(lines):
            raise LogError(self.path, "is empty; read the error messages of sacct")
        if delimiter == "":
            raise LogError(self.path, "the delimiter is empty; give the text between the fields")
        separator = None if delimiter is None else delimiter.encode().decode("latin-1")
        if is_table(lines):
            raise LogError(
                self.path, f"is sacct's table for people, whose columns are truncated: {_HINT}"
            )
        layout = first_layout(lines, separator)
        if layout is None:
            other = None if separator is None else first_layout(lines)
            if other is not None:
                raise LogError(
                    self.path,
                    f"the header has the delimiter {other.separator!r}, not "
                    f"{delimiter!r}; omit --delimiter",
                )
            if format_ is None:
                raise LogError(
                    self.path,
                    "has no header: give its fields with --format, as for sacct",
                )
            layout = layout_of_format(format_, separator, lines)
        _check(self.path, layout)
        return layout

    def survey(self) -> Survey:
        """Read the dump once to collect facts that are needed before the first job."""
        survey = Survey()
        for lot in record_lots(self.path, self.layout):
            survey.records += len(lot.texts)
            text = "\n".join(lot.texts)
            old = {"reqgres", "allocgres"}.intersection(lot.layout.names)
            survey.has_gpus = survey.has_gpus or "gres/gpu" in text or bool(old and "gpu" in text)
            if "%" in text:
                survey.array_limits.update(_array_limits(lot.texts))
            if not survey.keys:
                self._check_dates(lot)
            _count_jobs(lot, survey)
        survey.clusters.pop("", None)
        survey.jobs = len(survey.keys)
        return survey

    def _check_dates(self, lot: RecordLot) -> None:
        """Raise an error if the first job's times have no day."""
        for number, text in zip(lot.lines, lot.texts, strict=True):
            if _key_in(_first_values(text, lot.layout), lot.layout) is None:
                continue
            values = values_of(text, lot.layout)
            submit = "" if values is None else values[lot.layout.index("submit")]
            if is_relative(submit):
                raise LogError(self.path, _RELATIVE.format(submit), number)
            return

    def records(self) -> Iterator[tuple[int, SlurmRecord | Unread]]:
        """Yield each record with the number of its first line."""
        reader: RecordReader | None = None
        for lot in record_lots(self.path, self.layout):
            if reader is None or reader.layout is not lot.layout:
                _check(self.path, lot.layout)
                reader = RecordReader(lot.layout, self.clock)
            yield from zip(lot.lines, map(reader.read, lot.texts), strict=True)


def _count_jobs(lot: RecordLot, survey: Survey) -> None:
    """Count the records of jobs, by their keys and clusters."""
    layout = lot.layout
    cluster = layout.index("cluster")
    for text in lot.texts:
        values = _first_values(text, layout)
        key = _key_in(values, layout)
        if values is None or key is None:
            continue
        survey.keys.append(key)
        # in a damaged record, another field may be in the cluster's place
        if text.count(layout.separator) >= layout.separators and cluster < len(values):
            survey.clusters[values[cluster]] += 1


def _first_values(text: str, layout: Layout) -> list[str] | None:
    """Return at least the fields up to a record's number and cluster.

    A text field before them may contain delimiters.
    """
    at, cluster = layout.index("jobidraw", "jobid"), layout.index("cluster")
    last = at if cluster == len(layout.names) else max(at, cluster)
    if "," in layout.separator or Kind.FREE in layout.kinds[:last]:
        return values_of(text, layout)
    return text.split(layout.separator, last + 1)


def _key_in(values: list[str] | None, layout: Layout) -> int | None:
    """Return the key of a record's job; None for a step, or if the number is invalid."""
    at = layout.index("jobidraw", "jobid")
    if values is None or len(values) <= at:
        return None
    try:
        job = read_job_number(values[at])
    except UnreadableError:
        return None
    return None if job.step else job.key


def _array_limits(texts: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the numbers of arrays with their limits of simultaneous tasks."""
    for text in texts:
        if "%" in text and (limit := _ARRAY_LIMIT.search(text)) is not None:
            yield limit[1], int(limit[2])


def _check(path: Path, layout: Layout) -> None:
    """Raise an error if the dump lacks a needed field."""
    missing = [
        " or ".join(names)
        for names in _NEEDED
        if layout.index(*(name.lower() for name in names)) == len(layout.names)
    ]
    if missing:
        raise LogError(path, f"lacks the fields {', '.join(missing)}: {_HINT}")
    if Kind.JOB not in layout.kinds:
        raise LogError(path, f"lacks the field JobIDRaw: {_HINT}")
