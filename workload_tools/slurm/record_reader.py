"""Reader of the fields of text records."""

from collections.abc import Sequence
from functools import lru_cache
from sys import intern

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
from workload_tools.slurm.clock import AMBIGUOUS, SlurmClock
from workload_tools.slurm.errors import LEFT_OUT, UnreadableError
from workload_tools.slurm.job_number import read_job_number
from workload_tools.slurm.layout import Layout
from workload_tools.slurm.own_limit import own_limit
from workload_tools.slurm.record import STEP, SlurmRecord, Unread
from workload_tools.slurm.record_text import split_record
from workload_tools.slurm.requested import RequestedFields
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
        """Positions of optional fields."""

    def read(self, text: str) -> SlurmRecord | Unread:
        """Return a record, or the reason why it does not become a job."""
        values = values_of(text, self.layout)
        if values is None:
            return Unread("unreadable record: its fields cannot be separated", text)
        values.append("")  # stands for fields that the dump lacks
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
            elapsed=self.run_time(values),
            limit=limit,
            requested_cpus=requested_cpus,
            allocated_cpus=read_count(values[self.cpus[1]], "AllocCPUS") or allocated.cpus,
            nodes=nodes,
            gpus=_gpus(
                requested.gpus,
                allocated.gpus,
                told=self.has_gres or requested is not NO_TRES or allocated is not NO_TRES,
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
        doubt, self.clock.doubt = self.clock.doubt, None
        start = read(values[start_at], after=submit, field="Start")
        twice = self.clock.doubt == AMBIGUOUS
        end = read(values[end_at], after=start, field="End")
        if twice and start is not None and end is not None:
            second = read(values[start_at], after=start + 1.0, field="Start") or start
            elapsed = self.run_time(values)
            if elapsed is not None and abs(end - second - elapsed) <= 1.0:
                # End minus Elapsed decides between the two passes
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
    """Return a record's fields."""
    if not layout.trailing:
        values = text.split(layout.separator)
        if len(values) == len(layout.names):
            return values
    return split_record(text, layout)


def _gpus(requested: int | None, allocated: int | None, *, told: bool) -> int | None:
    """Return the requested number of GPUs; 0 if the job's resources are known but have no GPUs."""
    if requested is not None:
        return requested
    if allocated is not None:
        return allocated
    return 0 if told else None


@lru_cache(maxsize=1 << 14)
def name_of(text: str) -> str | None:
    """Decode a name from its bytes in the dump; None for an empty text."""
    if not text:
        return None
    if not text.isascii():
        text = text.encode("latin-1").decode("utf-8", "replace")
    return intern(text)
