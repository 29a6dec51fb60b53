"""A site's rules applied to a log: jobs that can never start, and limits that apply to no job."""

import re
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pred_aware.log.workload import Workload
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table, number, percent
from pred_aware.site_configuration import site_in
from schedulers.core.counting import Counting
from schedulers.core.job import Job
from schedulers.parts_on_site import machine_of
from schedulers.site.gate import Gate
from schedulers.site.in_words import limit_in_words, oversubscribed
from schedulers.site.node_sets import node_set
from schedulers.site.reader import calendar_of, content_of, site_of
from schedulers.site.requests import is_for, keys_of, names_of_keys
from schedulers.site.site import Limit, Partition, Site, texts
from workload_tools.batsim.fields import forget_what_came
from workload_tools.report import LeftOut

BY_NODE = ("node", "tasks", "tasks_per_node", "exclusive", "features", "gpu", "gpus_per_node")
"""Fields of requests that depend on the nodes of a site."""

OF_MEMORY = ("mem", "memory_per_node")
"""Fields of requests that depend on the nodes if the site states the nodes' memory."""


def site_of_workload(given: Any, workload: Workload) -> dict[str, Any]:  # noqa: ANN401 - an option of any type
    """Return the content of a site for a workload's jobs, in the form of the option ``site``.

    If the site lacks a start and time zone, those of the workload are used. Nodes do not matter if
    they are equal, all jobs may use all nodes, and jobs request only processors. Then the nodes are
    replaced by the number of their processors.

    Parameters
    ----------
    given
        A `Site`, its file, or its content.
    workload
        The jobs.

    Raises
    ------
    SiteError
        The site is invalid.
    """
    site = site_in(given)
    values = workload.raw.details.values
    start, zone = workload.dates
    changes: dict[str, Any] = {}
    if site.start is None and start is not None:
        changes["start"] = start
    if site.time_zone is None and zone is not None:
        changes["time_zone"] = zone
    # leave out rules that concern no job, because each rule slows the simulation
    if not values("eligible_time"):
        changes["eligible"] = False
    if not values("array_limit"):
        changes["arrays"] = False
    if _everywhere(site):
        (only,) = site.nodes
        if not any(map(values, BY_NODE if only.memory is None else (*BY_NODE, *OF_MEMORY))):
            anywhere = tuple(replace(one, nodes=()) for one in site.partitions)
            processors = only.count * only.processors
            changes |= {"nodes": (), "processors": processors, "partitions": anywhere}
    partitions = changes.get("partitions", site.partitions)
    alone = len(partitions) == 1 and not _tells_partitions(site)
    if alone and values("partition") <= {partitions[0].name}:
        (partition,) = partitions
        if partition == Partition(name=partition.name, default=partition.default):
            changes["partitions"] = ()
    return content_of(replace(site, **changes))


def _everywhere(site: Site) -> bool:
    """Return True if all nodes of a site are equal, and no rule distinguishes between nodes."""
    if len(site.nodes) != 1 or site.outages or site.reservations:
        return False
    if site.nodes[0].whole or site.nodes[0].threads > 1:
        return False
    of_some = (node_set(texts(one.nodes), site.nodes, one.name) for one in site.partitions)
    if any(len(nodes) < site.nodes[0].count for nodes in of_some):
        return False
    if any(one.whole for one in site.partitions) or any(one.partition for one in site.capacity):
        return False
    if site.nodes[0].memory is not None and any(
        one.default_memory or one.default_memory_per_node for one in site.partitions
    ):
        return False
    return not any(limit.of == "nodes" for limit in site.limits)


def _tells_partitions(site: Site) -> bool:
    """Return True if any rule of a site depends on the job's partition."""
    fields = [(*one.only, *one.keys) for one in site.limits] + [
        (*one.only,) for one in site.windows
    ]
    return (
        any("partition" in names for names in fields)
        or any(one.partitions for one in site.freezes)
        or any(step.partition for step in site.capacity)
    )


_ASKED = re.compile(r"(?<=asks for )[\d.]+")


@dataclass(frozen=True, slots=True)
class SiteOnLog:
    """The result of applying a site to the jobs of a log."""

    never: LeftOut
    """Numbers of jobs that can never start, by reason."""
    unmet: tuple[str, ...]
    """The limits that apply to no job of the log, in words."""
    left_out: LeftOut
    """Numbers of jobs with requests that the simulation ignores, by request."""

    def remarks(self) -> tuple[Remark, ...]:
        """Return remarks on jobs that can never start, and on limits that apply to no job."""
        never, jobs = sum(self.never.jobs.values()), counted(self.never.all_jobs, "job")
        text = f"{never:,} of {jobs} can never start" if never else f"each of {jobs} can start"
        return (
            Remark(f"On this site, {text}.", odd=bool(never)),
            *(Remark(f"The limit '{one}' applies to no job.", odd=True) for one in self.unmet),
        )

    def tables(self) -> list[Table]:
        """Return tables of jobs that can never start, and of requests that are not simulated."""
        found = (
            left_out_table("Jobs that can never start on the site", self.never),
            left_out_table("Not simulated", self.left_out),
        )
        return [table for table in found if table.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        content = {"never_start": dict(self.never.jobs), "limits_of_nobody": list(self.unmet)}
        return {**content, "left_out": dict(self.left_out.jobs)}


def left_out_table(title: str, left_out: LeftOut) -> Table:
    """Return a table with the number of jobs, and the shares of jobs and waits, for each reason."""
    rows = tuple(
        (
            what,
            number(count),
            percent(count / left_out.all_jobs),
            percent(left_out.waiting[what] / (left_out.all_waiting or 1)),
        )
        for what, count in left_out.jobs.most_common()
    )
    return Table(title, ("", "jobs", "of all jobs", "of all waiting"), rows)


def site_on_log(site: Site, workload: Workload, *, processors: int | None = None) -> SiteOnLog:
    """Find the jobs of a workload that can never start with a site's nodes and rules.

    Parameters
    ----------
    site
        The site.
    workload
        The jobs.
    processors
        The machine's size if the site does not give it; by default the workload's.

    Raises
    ------
    SiteError
        The site's rules need dates, but the workload's start is unknown.

    Examples
    --------
    >>> from schedulers.site.site import Partition
    >>> jobs = [{"id": n, "subtime": 0, "res": n, "profile": "D"} for n in (1, 2, 4)]
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": {
    ...     "D": {"type": "delay", "delay": 30}}})
    >>> small = Partition(name="small", default=True, max_processors=2)
    >>> list(site_on_log(Site(partitions=(small,)), workload).never.jobs)
    ["asks for N processors; partition 'small' allows at most 2"]
    """
    resolved = site_of(site_of_workload(site, workload))
    gate, machine = Gate(resolved, calendar_of(resolved)), machine_of(resolved, Counting())
    machine.begin(site.size or processors or workload.processors or 0)
    never, left_out, unmet = LeftOut(), LeftOut(), list(site.limits)
    names = names_of_keys(site)
    shared = {one.name: oversubscribed(one) for one in site.partitions if one.oversubscribe > 1}
    rows = workload.raw.details.rows()
    for place, (raw, row) in enumerate(zip(workload.raw.jobs, rows, strict=True)):
        wait = row.get("wait_time")
        walltime = raw.walltime if raw.walltime is not None and raw.walltime > 0.0 else None
        job = Job(f"w0!{raw.id}", raw.subtime, raw.res, walltime, forget_what_came(row))
        job.number = place
        why = gate.refusal(job, job.submit_time) or machine.refusal(job)
        keys = keys_of(job, names)
        gate.forget(job)
        waited = wait if isinstance(wait, int | float) else None
        left_out.add(waited, {shared[name] for name in job.partitions if name in shared})
        reasons = [] if why is None else [_ASKED.sub("N", why)]
        never.add(waited, reasons)
        if unmet:
            unmet = [limit for limit in unmet if not _meets(limit, keys)]
    return SiteOnLog(never, tuple(limit_in_words(limit) for limit in unmet), left_out)


def _meets(limit: Limit, keys: dict[str, str]) -> bool:
    """Return True if a limit applies to a job with these users, queues and other keys."""
    key = tuple(keys.get(name, "job") for name in limit.keys)
    known = limit.most is not None or ":".join(key) in limit.by
    return known and all(key) and is_for(limit.only, keys)
