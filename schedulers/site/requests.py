"""What a job asks of a site: its partition, its keys, and its amounts of what limits count."""

from collections.abc import Mapping
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


_NAMES = tuple((name, BATSIM_NAMES.get(name, name)) for name in FIELDS)


def keys_of(job: Job, partitions: list[Partition] | None) -> dict[str, str]:
    """Return what limits tell a job apart by; a field that it does not have is empty."""
    fields = job.fields or {}
    keys = {}
    for name, theirs in _NAMES:
        value = fields.get(theirs)
        if value is None and theirs != name:
            value = fields.get(name)
        keys[name] = value if type(value) is str else "" if value is None else text_of(value)
    if partitions:
        keys["partition"] = partitions[0].name
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
    amounts = {
        "processors": job.processors,
        "nodes": nodes_of(job),
        "gpus": fields.get("gpu") or 0,
        "processor_minutes": job.processors * longest / 60.0,
        "walltime": longest,
    }
    return float(amounts.get(limit.of, 1.0))


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
