"""A dump of `sacct` as text, ``--parsable2`` or ``--parsable`` with any delimiter."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from sys import intern

from workload_tools.errors import LogError
from workload_tools.log_lines import line_blocks
from workload_tools.slurm.amounts import (
    NO_TRES,
    read_count,
    read_duration,
    read_limit,
    read_memory,
    read_tres,
)
from workload_tools.slurm.asked import AskedFields
from workload_tools.slurm.clock import SlurmClock, is_relative
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.fields import Kind
from workload_tools.slurm.job_number import read_job_number
from workload_tools.slurm.layout import Layout, first_layout, is_table, layout_of_format
from workload_tools.slurm.own_limit import own_limit
from workload_tools.slurm.record import STEP, SlurmRecord, Unread
from workload_tools.slurm.record_text import record_texts, split_record
from workload_tools.slurm.states import read_state
from workload_tools.slurm.survey import Survey

_NEEDED = (
    ("JobIDRaw", "JobID"),
    ("State",),
    ("Submit",),
    ("Start",),
    ("ElapsedRaw", "Elapsed", "End"),
    ("AllocCPUS", "NCPUS", "ReqCPUS", "AllocTRES", "ReqTRES"),
)
_HINT = "`pred-aware sacct-command` prints a command that collects all that is needed"
# of the tasks that wait: 419_[6-99%2]
_ARRAY_LIMIT = re.compile(r"(?<![0-9])([0-9]{1,10})_\[[0-9,.-]*%([0-9]{1,9})\]")
_RELATIVE = (
    "'{}' is a time without its day: set SLURM_TIME_FORMAT=%s (not relative) and run sacct again"
)


class SlurmText:
    """A dump of `sacct` as text.

    Parameters
    ----------
    path
        The dump.
    clock
        Reads its dates.
    format_
        The fields as they were given to ``sacct --format``, if the dump has no header.
    delimiter
        What stands between them, if it can't be seen from the header.

    Raises
    ------
    LogError
        It lacks a field that is needed, is a table for people, or no dump at all.
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
        """Return how the first records are laid out, after having looked at some lines."""
        _, lines = next(line_blocks(self.path), (1, [""]))
        if not any(lines):
            raise LogError(self.path, "is empty; see what sacct wrote to its standard error")
        if delimiter == "":
            raise LogError(self.path, "the delimiter is empty; name what stands between the fields")
        separator = None if delimiter is None else delimiter.encode().decode("latin-1")
        if is_table(lines):
            raise LogError(
                self.path, f"is sacct's table for people, whose columns are cut short: {_HINT}"
            )
        layout = first_layout(lines, separator)
        if layout is None:
            other = None if separator is None else first_layout(lines)
            if other is not None:
                raise LogError(
                    self.path,
                    f"the header has {other.separator!r} between the names, not the delimiter "
                    f"{delimiter!r}; leave --delimiter out",
                )
            if format_ is None:
                raise LogError(
                    self.path,
                    "has no header: name its fields with --format, as they were given to sacct",
                )
            layout = layout_of_format(format_, separator, lines)
        _check(self.path, layout)
        return layout

    def survey(self) -> Survey:
        """Read the dump once for what must be known before its jobs are made."""
        survey = Survey()
        surveyed: Layout | None = None
        at = cluster = needed = 0
        for number, text, layout in record_texts(self.path, self.layout):
            survey.records += 1
            if not survey.has_gpus and "gres/gpu" in text:
                survey.has_gpus = True
            if "%" in text and (limit := _ARRAY_LIMIT.search(text)) is not None:
                survey.array_limits[limit[1]] = int(limit[2])
            if layout is not surveyed:
                surveyed = layout
                at, cluster, needed = _needed_for_survey(layout)
            values = text.split(layout.separator, needed) if needed else _values(text, layout)
            if values is None or len(values) <= at:
                continue
            try:
                job = read_job_number(values[at])
            except UnreadableError:
                continue
            if job.step:
                continue
            if not survey.jobs:
                self._check_dates(text, layout, number)
            survey.jobs += 1
            survey.keys.append(job.key)
            # of a damaged record another field may stand where the cluster should
            whole = text.count(layout.separator) >= layout.separators
            if whole and cluster < len(values) and values[cluster]:
                survey.clusters[values[cluster]] += 1
        return survey

    def _check_dates(self, text: str, layout: Layout, number: int) -> None:
        """Refuse a dump whose times have no day."""
        values = _values(text, layout)
        submit = "" if values is None else values[layout.index("submit")]
        if is_relative(submit):
            raise LogError(self.path, _RELATIVE.format(submit), number)

    def records(self) -> Iterator[tuple[int, SlurmRecord | Unread]]:
        """Yield each record with the number of its first line."""
        reader: RecordReader | None = None
        for number, text, layout in record_texts(self.path, self.layout):
            if reader is None or reader.layout is not layout:
                _check(self.path, layout)
                reader = RecordReader(layout, self.clock)
            yield number, reader.read(text)


class RecordReader:
    """Reads the records of one layout."""

    def __init__(self, layout: Layout, clock: SlurmClock) -> None:
        self.layout = layout
        self.clock = clock
        at = layout.index
        self.job_id = at("jobidraw", "jobid")
        self.shown_id = at("jobid")
        self.state = at("state")
        self.dates = at("submit"), at("eligible"), at("start"), at("end")
        self.elapsed_raw, self.elapsed = at("elapsedraw"), at("elapsed")
        self.limit = at("timelimitraw", "timelimit")
        self.admin_comment = at("admincomment")
        self.cpus = at("reqcpus"), at("alloccpus", "ncpus")
        self.nodes = at("nnodes", "allocnodes", "reqnodes")
        self.tres = at("reqtres"), at("alloctres")
        self.memory = at("reqmem")
        self.asked = AskedFields(layout)
        self.user, self.group, self.account = at("user"), at("group"), at("account")
        self.cluster, self.partition, self.qos = at("cluster"), at("partition"), at("qos")
        self.name, self.node_list = at("jobname"), at("nodelist")

    def read(self, text: str) -> SlurmRecord | Unread:
        """Return what a record says, or why it makes no job."""
        values = _values(text, self.layout)
        if values is None:
            return Unread("unreadable record: its fields can't be told apart", text)
        values.append("")  # for the fields that the dump lacks
        try:
            return self._record(values)
        except UnreadableError as error:
            self.clock.doubt = None
            return Unread(str(error), error.text)

    def _record(self, values: list[str]) -> SlurmRecord | Unread:
        text = values[self.job_id]
        job = read_job_number(text)
        if job.step:
            return STEP
        shown = values[self.shown_id]
        array = job.array if shown == text or not shown else read_job_number(shown).array
        submit, eligible, start, end = self._dates(values)
        requested = read_tres(values[self.tres[0]], "ReqTRES")
        allocated = read_tres(values[self.tres[1]], "AllocTRES")
        requested_cpus = read_count(values[self.cpus[0]], "ReqCPUS") or requested.cpus
        nodes = read_count(values[self.nodes], "NNodes") or allocated.nodes or requested.nodes
        limit, bridged = own_limit(
            values[self.admin_comment], read_limit(values[self.limit], "Timelimit")
        )
        return SlurmRecord(
            id=text,
            key=job.key,
            state=read_state(values[self.state]),
            submit=submit,
            eligible=eligible,
            start=start,
            end=end,
            elapsed=self._elapsed(values),
            limit=limit,
            requested_cpus=requested_cpus,
            allocated_cpus=read_count(values[self.cpus[1]], "AllocCPUS") or allocated.cpus,
            nodes=nodes,
            gpus=_gpus(
                requested.gpus,
                allocated.gpus,
                told=requested is not NO_TRES or allocated is not NO_TRES,
            ),
            memory=requested.memory
            or read_memory(values[self.memory], cpus=requested_cpus, nodes=nodes),
            asked=self.asked.read(values, requested),
            user=_name(values[self.user]),
            group=_name(values[self.group]),
            account=_name(values[self.account]),
            cluster=_name(values[self.cluster]),
            partition=_name(values[self.partition]),
            qos=_name(values[self.qos]),
            name=_name(values[self.name]),
            array=array,
            node_list=values[self.node_list] or None,
            doubt=self._doubt(),
            bridged=bridged,
        )

    def _dates(self, values: list[str]) -> tuple[float, float | None, float | None, float | None]:
        read = self.clock.read
        submit_at, eligible_at, start_at, end_at = self.dates
        text = values[submit_at]
        submit = read(text, field="Submit")
        if submit is None:
            raise UnreadableError("Submit", text)
        eligible: float | None = submit
        if values[eligible_at] != text:
            eligible = read(values[eligible_at], after=submit, field="Eligible")
        start = read(values[start_at], after=submit, field="Start")
        return submit, eligible, start, read(values[end_at], after=start, field="End")

    def _elapsed(self, values: list[str]) -> float | None:
        seconds = read_count(values[self.elapsed_raw], "ElapsedRaw")
        if seconds is not None:
            return float(seconds)
        return read_duration(values[self.elapsed], "Elapsed")

    def _doubt(self) -> str | None:
        doubt = self.clock.doubt
        if doubt is not None:
            self.clock.doubt = None
        return doubt


def _needed_for_survey(layout: Layout) -> tuple[int, int, int]:
    """Return where the job's number and cluster stand, and how far a record must be cut for them.

    0 where it must be cut with care, because a text may come before them.
    """
    at = layout.index("jobidraw", "jobid")
    cluster = layout.index("cluster")
    last = at if cluster == len(layout.names) else max(at, cluster)
    careful = "," in layout.separator or Kind.FREE in layout.kinds[:last]
    return at, cluster, 0 if careful else last + 1


def _values(text: str, layout: Layout) -> list[str] | None:
    """Return a record's fields."""
    if not layout.trailing:
        values = text.split(layout.separator)
        if len(values) == len(layout.names):
            return values
    return split_record(text, layout)


def _gpus(requested: int | None, allocated: int | None, *, told: bool) -> int | None:
    """Return how many gpus were asked for; 0 if the job's resources are told without any."""
    if requested is not None:
        return requested
    if allocated is not None:
        return allocated
    return 0 if told else None


@lru_cache(maxsize=1 << 14)
def _name(text: str) -> str | None:
    """Return a name, of which the dump has the bytes; None for none."""
    if not text:
        return None
    if not text.isascii():
        text = text.encode("latin-1").decode("utf-8", "replace")
    return intern(text)


def _check(path: Path, layout: Layout) -> None:
    """Refuse a dump that lacks a field without which there are no jobs."""
    missing = [
        " or ".join(names)
        for names in _NEEDED
        if layout.index(*(name.lower() for name in names)) == len(layout.names)
    ]
    if missing:
        raise LogError(path, f"lacks the fields {', '.join(missing)}: {_HINT}")
    if Kind.JOB not in layout.kinds:
        raise LogError(path, f"lacks the field JobIDRaw: {_HINT}")
