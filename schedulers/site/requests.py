"""Requests of jobs to a site: partition, keys, and amounts of what limits count."""

from collections.abc import Iterable, Mapping
from typing import Any

from schedulers.job import Job
from schedulers.machine.machine import NEVER
from schedulers.site.site import FIELDS, Limit, Partition, Site, texts
from workload_tools.batsim.fields import BATSIM_NAMES, text_of


def partitions_of(job: Job, site: Site) -> list[Partition] | None:
    """Return the partitions that a job may run in, by its own words; ``None``: anywhere.

    What it names is its partition, or its queue where the site has a partition of that name; where
    it names none it is the default one. Names that the site does not know are left out.
    """
    if not site.partitions:
        return None
    fields = job.fields or {}
    known = {one.name: one for one in site.partitions}
    told = fields.get("partition")
    if told is None and fields.get("queue") in known:
        told = fields.get("queue")
    if told is None:
        default = [one for one in site.partitions if one.default]
        return default or None
    names = [name.strip() for name in str(told).split(",")]
    return [known[name] for name in names if name in known]


def names_of_keys(site: Site) -> tuple[tuple[str, str], ...]:
    """Return the fields by which the rules of a site tell jobs apart, by our names and Batsim's."""
    used = {"partition"}
    for limit in site.limits:
        used |= {*limit.only, *limit.keys}
    for window in site.windows:
        used |= set(window.only)
    return tuple((name, BATSIM_NAMES.get(name, name)) for name in FIELDS if name in used)


def keys_of(job: Job, names: Iterable[tuple[str, str]], partition: str) -> dict[str, str]:
    """Return what the rules of a site tell a job apart by; a field that it lacks is empty.

    Parameters
    ----------
    job
        A job.
    names
        Of the fields, as `names_of_keys` gives them.
    partition
        Where the job runs; empty: where it says.
    """
    fields = job.fields or {}
    keys = {}
    for name, theirs in names:
        value = fields.get(theirs)
        if value is None and theirs != name:
            value = fields.get(name)
        keys[name] = value if type(value) is str else "" if value is None else text_of(value)
    if partition:
        keys["partition"] = partition
    return keys


def is_for(only: Mapping[Any, tuple[str, ...] | str], keys: Mapping[str, str]) -> bool:
    """Say whether a rule is for a job with such keys."""
    return all(keys[name] in texts(wanted) for name, wanted in only.items())


def nodes_of(job: Job) -> int:
    """Return how many nodes a job asks for; 1 where it does not say."""
    nodes = (job.fields or {}).get("node")
    return nodes if isinstance(nodes, int) and nodes > 0 else 1


def amount_of(limit: Limit, job: Job) -> float:
    """Return how much a job has of what a limit counts; see `Limit`."""
    fields = job.fields or {}
    longest = NEVER if job.walltime is None else job.walltime
    if limit.of == "memory":
        a_node = fields.get("memory_per_node")
        return float((fields.get("mem") if a_node is None else a_node * nodes_of(job)) or 0.0)
    if limit.of == "licences":
        return licences_of(str(fields.get("licences") or "")).get(limit.licence or "", 0.0)
    if limit.of == "processors":
        return float(job.processors)
    if limit.of in ("processor_minutes", "walltime"):
        return job.processors * longest / 60.0 if limit.of == "processor_minutes" else longest
    of_nodes = {"nodes": nodes_of, "gpus": _gpus_of}.get(limit.of)
    return 1.0 if of_nodes is None else float(of_nodes(job))


def _gpus_of(job: Job) -> int:
    return int((job.fields or {}).get("gpu") or 0)


def licences_of(text: str) -> dict[str, float]:
    """Return the licences that a job asks for, by their names.

    Examples
    --------
    >>> licences_of("matlab:2,ansys@server"), licences_of("")
    ({'matlab': 2.0, 'ansys': 1.0}, {})
    """
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.replace("=", ":").partition(":")
        found[name.partition("@")[0]] = float(number) if number.strip().isdigit() else 1.0
    return found
