"""Read the text output of ``sacct --parsable2`` or ``--parsable`` with any delimiter."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from sys import intern

from workload_tools.errors import LogError
from workload_tools.log_lines import line_blocks
from workload_tools.slurm.amounts import (
    NO_TRES,
    memory_wanted,
    read_count,
    read_duration,
    read_limit,
    read_memory,
    read_tres,
    with_gres,
)
from workload_tools.slurm.clock import AMBIGUOUS, SlurmClock, is_relative
from workload_tools.slurm.errors import LEFT_OUT, UnreadableError
from workload_tools.slurm.job_maker import read_job_number
from workload_tools.slurm.layout import Kind, Layout, first_layout, is_table, layout_of_format
from workload_tools.slurm.record import STEP, SlurmRecord, Survey, Unread
from workload_tools.slurm.record_text import RecordLot, record_lots, split_record
from workload_tools.slurm.requested import RequestedFields, noted_limits
from workload_tools.slurm.states import read_state


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
        self.requested = RequestedFields(layout)
        self.user, self.group, self.account = at("user"), at("group"), at("account")
        self.cluster, self.partition, self.qos = at("cluster"), at("partition"), at("qos")
        self.name, self.node_list = at("jobname"), at("nodelist")
        self.gres = at("reqgres"), at("allocgres")
        self.has_gres = min(self.gres) < len(layout.names)
        self.optional = {
            "ReqTRES": self.tres[0],
            "AllocTRES": self.tres[1],
            "ReqGRES": self.gres[0],
            "AllocGRES": self.gres[1],
            "ReqCPUS": self.cpus[0],
            "AllocCPUS": self.cpus[1],
            "NNodes": self.nodes,
            "Timelimit": self.limit,
            "ReqMem": self.memory,
            "Restarts": at("restarts"),
            "Eligible": self.dates[1],
            "End": self.dates[3],
            "ElapsedRaw": self.elapsed_raw,
            "Elapsed": self.elapsed,
        }
        """Positions of the optional fields in a record, by field name."""

    def read(self, text: str) -> SlurmRecord | Unread:
        """Return the record of a text, or the reason why it does not become a job."""
        values = values_of(text, self.layout)
        if values is None:
            return Unread("unreadable record: its fields cannot be separated", text)
        values.append("")  # the value of all fields that the file lacks
        doubts: tuple[str, ...] = ()
        while True:
            try:
                return self._record(values, doubts)
            except UnreadableError as error:
                self.clock.doubt = None
                place = self.optional.get(error.field)
                if place is None:
                    return Unread(str(error), error.text)
                values[place] = ""
                doubts = (*doubts, LEFT_OUT.format(error.field))

    def _record(self, values: list[str], doubts: tuple[str, ...]) -> SlurmRecord | Unread:
        text = values[self.job_id]
        job = read_job_number(text)
        if job.step:
            return STEP
        shown = values[self.shown_id]
        array = job.array if shown == text or not shown else read_job_number(shown).array
        submit, eligible, start, end = self._dates(values)
        requested = read_tres(values[self.tres[0]], "ReqTRES")
        allocated = read_tres(values[self.tres[1]], "AllocTRES")
        if self.has_gres:
            nodes = read_count(values[self.nodes], "NNodes")
            requested = with_gres(requested, values[self.gres[0]], "ReqGRES", nodes)
            allocated = with_gres(allocated, values[self.gres[1]], "AllocGRES", nodes)
        requested_cpus = read_count(values[self.cpus[0]], "ReqCPUS") or requested.cpus
        nodes = read_count(values[self.nodes], "NNodes") or allocated.nodes or requested.nodes
        recorded = read_limit(values[self.limit], "Timelimit")
        limit, predicted = noted_limits(values[self.admin_comment], recorded)
        return SlurmRecord(
            id=text,
            key=job.key,
            state=read_state(values[self.state]),
            submit=submit,
            eligible=eligible,
            start=start,
            end=end,
            elapsed=self.run_time(values),
            limit=limit,
            requested_cpus=requested_cpus,
            allocated_cpus=read_count(values[self.cpus[1]], "AllocCPUS") or allocated.cpus,
            nodes=nodes,
            gpus=_gpus(
                requested.gpus,
                allocated.gpus,
                resources_known=self.has_gres
                or requested is not NO_TRES
                or allocated is not NO_TRES,
            ),
            memory=memory_wanted(
                requested.memory
                or read_memory(values[self.memory], cpus=requested_cpus, nodes=nodes),
                allocated.memory,
            ),
            requested=self.requested.read(values, requested),
            user=name_of(values[self.user]),
            group=name_of(values[self.group]),
            account=name_of(values[self.account]),
            cluster=name_of(values[self.cluster]),
            partition=name_of(values[self.partition]),
            qos=name_of(values[self.qos]),
            name=name_of(values[self.name]),
            array=array,
            node_list=values[self.node_list] or None,
            doubts=doubts if self.clock.doubt is None else (*doubts, self._doubt()),
            predicted=predicted,
            bridged=limit != recorded,
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
        doubt, self.clock.doubt = self.clock.doubt, None
        start = read(values[start_at], after=submit, field="Start")
        twice = self.clock.doubt == AMBIGUOUS
        end = read(values[end_at], after=start, field="End")
        if twice and start is not None and end is not None:
            second = read(values[start_at], after=start + 1.0, field="Start") or start
            elapsed = self.run_time(values)
            if elapsed is not None and abs(end - second - elapsed) <= 1.0:
                # End minus Elapsed shows that the start is in the second pass through this hour
                start, self.clock.doubt = second, None
        self.clock.doubt = self.clock.doubt or doubt
        return submit, eligible, start, end

    def run_time(self, values: Sequence[str]) -> float | None:
        """Return a run's duration, in seconds."""
        seconds = read_count(values[self.elapsed_raw], "ElapsedRaw")
        if seconds is not None:
            return float(seconds)
        return read_duration(values[self.elapsed], "Elapsed")

    def _doubt(self) -> str:
        doubt, self.clock.doubt = self.clock.doubt, None
        assert doubt is not None
        return doubt


def values_of(text: str, layout: Layout) -> list[str] | None:
    """Return the fields of a record, or None if the record cannot be split into fields."""
    if not layout.trailing:
        values = text.split(layout.separator)
        if len(values) == len(layout.names):
            return values
    return split_record(text, layout)


def _gpus(requested: int | None, allocated: int | None, *, resources_known: bool) -> int | None:
    """Return a job's number of GPUs; 0 if its resources are known and include no GPUs."""
    if requested is not None:
        return requested
    if allocated is not None:
        return allocated
    return 0 if resources_known else None


@lru_cache(maxsize=1 << 14)
def name_of(text: str) -> str | None:
    """Return a latin-1 text of the file decoded as UTF-8; None for an empty text."""
    if not text:
        return None
    if not text.isascii():
        text = text.encode("latin-1").decode("utf-8", "replace")
    return intern(text)


_NEEDED = (
    ("JobIDRaw", "JobID"),
    ("State",),
    ("Submit",),
    ("Start",),
    ("ElapsedRaw", "Elapsed", "End"),
    ("AllocCPUS", "NCPUS", "ReqCPUS", "AllocTRES", "ReqTRES"),
)
_HINT = "`pred-aware log sacct-command` prints a command with all required fields"
# the record of waiting tasks contains the limit after the "%": 419_[6-99%2]
_ARRAY_LIMIT = re.compile(r"(?<![0-9])([0-9]{1,10})_\[[0-9,.-]*%([0-9]{1,9})\]")
_RELATIVE = (
    "'{}' is a time without a day; set SLURM_TIME_FORMAT=%s (not relative) and run sacct again"
)


class SlurmText:
    """The text output of `sacct`.

    Parameters
    ----------
    path
        The file.
    clock
        Converts the dates of the file.
    format_
        The fields, as given to ``sacct --format``, if the file has no header.
    delimiter
        The delimiter; by default it is detected in the header.

    Raises
    ------
    LogError
        A required field is missing, or the file is not parsable output of `sacct`.
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
        """Return the layout of the first records, which the first lines of the file show."""
        _, lines = next(line_blocks(self.path), (1, [""]))
        if not any(lines):
            raise LogError(self.path, "is empty; look for error messages of sacct")
        if delimiter == "":
            raise LogError(self.path, "the delimiter is empty; give the text between the fields")
        separator = None if delimiter is None else delimiter.encode().decode("latin-1")
        if is_table(lines):
            raise LogError(
                self.path, f"is sacct's default table, whose columns are truncated; {_HINT}"
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
                    "has no header; list its fields with --format, as in sacct --format",
                )
            layout = layout_of_format(format_, separator, lines)
        _check(self.path, layout)
        return layout

    def survey(self) -> Survey:
        """Read the file once to collect facts that must be known before the first job."""
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
        """Raise an error if the submission time of the first job has no day."""
        for number, text in zip(lot.lines, lot.texts, strict=True):
            if _key_in(_first_values(text, lot.layout), lot.layout) is None:
                continue
            values = values_of(text, lot.layout)
            submit = "" if values is None else values[lot.layout.index("submit")]
            if is_relative(submit):
                raise LogError(self.path, _RELATIVE.format(submit), number)
            return

    def records(self) -> Iterator[tuple[int, SlurmRecord | Unread]]:
        """Yield the number of the first line and the content of each record."""
        reader: RecordReader | None = None
        for lot in record_lots(self.path, self.layout):
            if reader is None or reader.layout is not lot.layout:
                _check(self.path, lot.layout)
                reader = RecordReader(lot.layout, self.clock)
            yield from zip(lot.lines, map(reader.read, lot.texts), strict=True)


def _count_jobs(lot: RecordLot, survey: Survey) -> None:
    """Add the key and the cluster of each job record to the survey."""
    layout = lot.layout
    cluster = layout.index("cluster")
    for text in lot.texts:
        values = _first_values(text, layout)
        key = _key_in(values, layout)
        if values is None or key is None:
            continue
        survey.keys.append(key)
        # in a damaged record, another field may be at the cluster's position
        if text.count(layout.separator) >= layout.separators and cluster < len(values):
            survey.clusters[values[cluster]] += 1


def _first_values(text: str, layout: Layout) -> list[str] | None:
    """Return at least the fields up to the job number and the cluster.

    A free text before these fields may contain delimiters, so then the whole record is split.
    """
    at, cluster = layout.index("jobidraw", "jobid"), layout.index("cluster")
    last = at if cluster == len(layout.names) else max(at, cluster)
    if "," in layout.separator or Kind.FREE in layout.kinds[:last]:
        return values_of(text, layout)
    return text.split(layout.separator, last + 1)


def _key_in(values: list[str] | None, layout: Layout) -> int | None:
    """Return the key of a record's job; None for a job step or an invalid job number."""
    at = layout.index("jobidraw", "jobid")
    if values is None or len(values) <= at:
        return None
    try:
        job = read_job_number(values[at])
    except UnreadableError:
        return None
    return None if job.step else job.key


def _array_limits(texts: list[str]) -> Iterator[tuple[str, int]]:
    """Yield each array's number with the largest number of its simultaneous tasks."""
    for text in texts:
        if "%" in text and (limit := _ARRAY_LIMIT.search(text)) is not None:
            yield limit[1], int(limit[2])


def _check(path: Path, layout: Layout) -> None:
    """Raise an error if the file lacks a required field."""
    missing = [
        " or ".join(names)
        for names in _NEEDED
        if layout.index(*(name.lower() for name in names)) == len(layout.names)
    ]
    if missing:
        raise LogError(path, f"lacks the fields {', '.join(missing)}; {_HINT}")
    if Kind.JOB not in layout.kinds:
        raise LogError(path, f"lacks the field JobIDRaw; {_HINT}")
