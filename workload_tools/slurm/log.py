"""Read the output of `sacct` as a log."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Machine
from workload_tools.report import Report
from workload_tools.slurm.clock import SlurmClock
from workload_tools.slurm.conf import read_slurm_conf
from workload_tools.slurm.job_maker import SlurmJobMaker
from workload_tools.slurm.json_log import SlurmJson, is_json
from workload_tools.slurm.layout import first_layout, is_table
from workload_tools.slurm.record import REQUEUED, STEP, Run, SlurmRecord, Survey, Unread, combine
from workload_tools.slurm.requested import MET_REQUEUE
from workload_tools.slurm.sizes import Busy, Sizes, Unit
from workload_tools.slurm.text import SlurmText
from workload_tools.time_zone import zone_of

OTHER_CLUSTER = "job of another cluster"
OTHER_PARTITION = "job of another partition"
ASSUMED_ZONE = "dates without a time zone: read as UTC; --time-zone is not given"

_SHARE = 0.05
_SHOWN = 80
_JSON_OF_SLURM = re.compile(rb'"openapi\\?/|"derived_exit_code"|"association"')


class SlurmLog:
    r"""The output of Slurm's `sacct` as text or JSON, plain or gzipped.

    `pred-aware log sacct-command` prints a suitable sacct command. The output of `--parsable2`,
    `--parsable` or `--json` can be read if it contains at least JobIDRaw, State, Submit, Start,
    ElapsedRaw and AllocCPUS, in any order, with or without job steps.

    A job's run time is its elapsed time without suspensions. Its wait is the time from submission
    to start. Jobs that never started, have not ended or ran for 0 s are dropped, and the report
    counts them by state. A job that exceeded its time limit is kept; the simulator kills it. The
    file is read twice, because a job may have several records.

    Parameters
    ----------
    path
        The file, plain or gzipped.
    format
        The fields, as given to ``sacct --format``, if the file has no header.
    delimiter
        The delimiter between fields; by default the text after the first name in the header.
    time_zone
        The machine's time zone, an IANA name such as ``Europe/Paris``. It is used for dates without
        an offset from UTC.
    unit
        What counts as one processor: a CPU of Slurm (``cpus``), a core, a node or a GPU.
    processors_from
        Whether a job occupies its allocated or its requested CPUs or cores.
    submit_time_from
        When a job arrives in the queue: ``submit`` means at its submission, ``eligible`` means when
        its dependencies, its hold and its ``--begin`` are over.
    requeues
        For a requeued job, ``last`` keeps only the last run, and ``each`` makes a job of each run.
    cluster
        The cluster to read, if the file contains several clusters.
    partitions
        The partitions to read; by default all.
    threads_per_core
        Number of Slurm's CPUs per core, for the unit ``cores``.
    slurm_conf
        The cluster's slurm.conf, which determines the machine's size.
    machine_processors
        The machine's size, if slurm.conf is missing or wrong. Without both options, the size
        is the largest number of simultaneously busy processors; for ``unit="nodes"``, it is the
        number of different nodes that jobs used.
    strict
        Raise an error at the first invalid record, instead of dropping and counting it.

    Examples
    --------
    >>> SlurmLog.recognises(Path("jobs.txt"), b"JobIDRaw|User|State|Submit|Start|End\n")
    True
    """

    def __init__(  # noqa: PLR0913 - each is an option of the format
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002 - the option's name in sacct
        delimiter: str | None = None,
        time_zone: str | None = None,
        unit: Unit = "cpus",
        processors_from: Literal["allocated", "requested"] = "allocated",
        submit_time_from: Literal["submit", "eligible"] = "submit",
        requeues: Literal["last", "each"] = "last",
        cluster: str | None = None,
        partitions: Sequence[str] = (),
        threads_per_core: int | None = None,
        slurm_conf: str | Path | None = None,
        machine_processors: int | None = None,
        strict: bool = False,
    ) -> None:
        self.path = Path(path)
        self.format = format
        self.delimiter = delimiter
        self.time_zone = time_zone
        self.clock = SlurmClock(zone_of(time_zone, path))
        self.from_eligible = submit_time_from == "eligible"
        self.each_run = requeues == "each"
        self.cluster = cluster
        self.partitions = frozenset(partitions)
        self.strict = strict
        conf = None if slurm_conf is None else read_slurm_conf(slurm_conf)
        self._conf_notes = () if conf is None else conf.notes
        self.sizes = Sizes(
            path,
            unit=unit,
            allocated=processors_from == "allocated",
            threads_per_core=threads_per_core,
            conf=conf,
            partitions=tuple(partitions),
        )
        processors, nodes = self.sizes.of_machine()
        self.report = Report()
        self.machine = Machine(processors=machine_processors or processors, nodes=nodes)
        self.survey = Survey()
        self.busy = Busy()
        self.slurm_conf = slurm_conf
        self._repeated: dict[int, int] = {}
        self._held: dict[int, list[SlurmRecord]] = {}
        self._tells_seen = machine_processors is None and slurm_conf is None

    @staticmethod
    def recognises(path: Path, head: bytes) -> bool:  # noqa: ARG004 - as the protocol has it
        """Return True if a file looks like output of `sacct`, by its header or its JSON."""
        start = head.lstrip()
        if start.startswith((b"{", b"[")):
            return _JSON_OF_SLURM.search(start) is not None
        lines = head.decode("latin-1").split("\n")
        if is_table(lines):
            return lines[0].startswith(("JobID", "JobName"))
        return first_layout(lines) is not None

    def jobs(self) -> Iterator[Job]:
        """Yield the kept jobs; see `workload_tools.log.Log`.

        Jobs with one record come in the order of the file. Other jobs come after their last record.
        """
        source = self._source()
        self.survey = source.survey()
        if not self.survey.records:
            raise LogError(self.path, "has no records; check the period that was given to sacct")
        self._choose_cluster()
        self._repeated = self.survey.repeated()
        maker = SlurmJobMaker(
            self.sizes,
            self.report,
            self.busy,
            has_gpus=self.survey.has_gpus,
            from_eligible=self.from_eligible,
            array_limits=self.survey.array_limits,
        )
        for place, record in source.records():
            self.report.read += 1
            for run in self._runs_of(place, record):
                yield from maker.jobs_of(run)
        # jobs with records that were not read, because these are invalid or of another cluster
        for of_job in self._held.values():
            for run in self._combined(of_job):
                yield from maker.jobs_of(run)
        if self.clock.naive and self.time_zone is None:
            self.report.repaired[ASSUMED_ZONE] = self.report.kept
        machine = self.machine
        if machine.processors is None:
            machine.processors, machine.guessed = self.seen() or None, True
        machine.start_time = 0.0
        machine.time_zone = self.time_zone
        self.report.notes.extend(self._conf_notes)
        if self._tells_seen:
            how = "that jobs used" if self.sizes.nodes_seen else "busy at the same time"
            self.report.notes.append(
                f"the log shows {self.seen()} {self.sizes.unit} {how}; "
                "give the machine's size with --processors or --slurm-conf"
            )

    def files(self) -> Sequence[Path]:
        """Return the files that are read besides the output of `sacct`."""
        return [] if self.slurm_conf is None else [Path(self.slurm_conf)]

    def seen(self) -> int:
        """Return a lower bound of the machine's size, from the jobs that were read.

        It is the largest number of simultaneously busy processors. If a processor is a node, it is
        the number of different nodes, because jobs may share a node.
        """
        return len(self.sizes.nodes_seen) or self.busy.peak()

    def _source(self) -> SlurmText | SlurmJson:
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise LogError(self.path, "is a pipe, but is read twice; write the output to a file")
        if is_json(self.path):
            return SlurmJson(self.path)
        return SlurmText(self.path, self.clock, format_=self.format, delimiter=self.delimiter)

    def _choose_cluster(self) -> None:
        """Choose the cluster if only one has many jobs; raise an error if several have many."""
        clusters = self.survey.clusters
        if self.cluster is not None or len(clusters) <= 1:
            return
        large = [name for name, jobs in clusters.most_common() if jobs >= _SHARE * self.survey.jobs]
        if len(large) > 1:
            raise LogError(
                self.path,
                f"has jobs of the clusters {', '.join(sorted(large))}; choose one with --cluster",
            )
        self.cluster = clusters.most_common(1)[0][0] or None

    def _runs_of(self, place: int, record: SlurmRecord | Unread) -> Sequence[Run]:
        """Return the runs that end with this record. If it is dropped, count it in the report."""
        if isinstance(record, Unread):
            if self.strict and record is not STEP:
                raise LogError(self.path, f"{record.reason}: {record.text[:_SHOWN]!r}", place)
            self.report.dropped[record.reason] += 1
            return ()
        foreign = self._why_foreign(record)
        if foreign is not None:
            self.report.dropped[foreign] += 1
            return ()
        count = self._repeated.get(record.key)
        if count is None:
            return [(record, None)]
        of_job = self._held.setdefault(record.key, [])
        of_job.append(record)
        return self._combined(self._held.pop(record.key)) if len(of_job) == count else ()

    def _combined(self, records: list[SlurmRecord]) -> list[Run]:
        """Return the runs of a job with several records."""
        runs = combine(records, each_run=self.each_run)
        self.report.dropped.update(runs.dropped)
        return [(_requeued(one) if note == REQUEUED else one, note) for one, note in runs.kept]

    def _why_foreign(self, record: SlurmRecord) -> str | None:
        """Return the reason for a job of another cluster or partition, or None for other jobs."""
        if self.cluster is not None and record.cluster != self.cluster:
            return OTHER_CLUSTER
        if self.partitions and record.partition not in self.partitions:
            return OTHER_PARTITION
        return None


def _requeued(record: SlurmRecord) -> SlurmRecord:
    """Return the last run of a requeued job with a mark that the job was requeued."""
    requested = record.requested
    if MET_REQUEUE in requested.left_out:
        return record
    return replace(
        record, requested=requested._replace(left_out=(*requested.left_out, MET_REQUEUE))
    )
