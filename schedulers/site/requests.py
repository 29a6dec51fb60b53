"""The keys of jobs for a site's rules, and the amounts of resources that jobs request."""

from collections.abc import Iterable, Mapping
from typing import Any

from schedulers.core.job import Job
from schedulers.machine.node_request import count_in, memory_in
from schedulers.site.site import FIELDS, Limit, NodeClass, Site, texts
from workload_tools.batsim.fields import BATSIM_NAMES, text_of


def names_of_keys(site: Site) -> tuple[tuple[str, str], ...]:
    """Return the job fields that a site's rules use: our name and Batsim's name of each field."""
    used = {"partition"}
    for limit in site.limits:
        used |= {*limit.only, *limit.exempt, *limit.keys}
    for window in site.windows:
        used |= set(window.only)
    return tuple((name, BATSIM_NAMES.get(name, name)) for name in FIELDS if name in used)


def keys_of(job: Job, names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the values of a job in the fields that a site's rules use.

    A missing field has an empty value. The partition is the first that accepts the job, or the one
    that the job names if the site has no partitions. `names` comes from `names_of_keys`.
    """
    fields = job.fields or {}
    keys = {}
    for name, theirs in names:
        value = fields.get(theirs)
        if value is None and theirs != name:
            value = fields.get(name)
        keys[name] = value if type(value) is str else "" if value is None else text_of(value)
    if job.partitions:
        keys["partition"] = job.partitions[0]
    return keys


def is_for(only: Mapping[Any, tuple[str, ...] | str], keys: Mapping[str, str]) -> bool:
    """Return True if a rule applies to jobs with these keys."""
    return all(keys[name] in texts(wanted) for name, wanted in only.items())


def is_exempt(exempt: Mapping[Any, tuple[str, ...] | str], keys: Mapping[str, str]) -> bool:
    """Return True if a limit never stops jobs with these keys. It may still count them."""
    return any(keys[name] in texts(those) for name, those in exempt.items())


def nodes_of(job: Job) -> int:
    """Return how many nodes a job requests; 1 if the job does not say."""
    return count_in(job.fields or {}, "node") or 1


def gpus_of(job: Job) -> int:
    """Return how many GPUs a job requests.

    This is the larger of the requested total and the GPUs per node times the requested nodes.
    """
    fields = job.fields or {}
    return max(count_in(fields, "gpu"), count_in(fields, "gpus_per_node") * nodes_of(job))


def fewest_gpus(job: Job, nodes: Iterable[NodeClass]) -> float:
    """Return the fewest GPUs that a job on whole nodes can have: all GPUs of its nodes."""
    count, kind = nodes_of(job), (job.fields or {}).get("gpu_type")
    each = -(-gpus_of(job) // count)
    having = [one for one in nodes if (one.gpus.get(kind, 0) if kind else _sum(one)) >= each > 0]
    return float(count * min(map(_sum, having), default=0))


def _sum(one: NodeClass) -> int:
    return sum(one.gpus.values())


def amount_of(limit: Limit, job: Job, *, on_node: int = 0) -> float:
    """Return the amount that a job requests of the resource of a limit; see `Limit`.

    A job without a number of nodes requests as few nodes as hold its processors. `on_node` is the
    number of processors of the largest node, or 0 if it is unknown.
    """
    fields = job.fields or {}
    longest = job.walltime
    amount = 1.0
    match limit.of:
        case "processors":
            amount = float(job.processors)
        case "nodes":
            fewest = -(-job.processors // on_node) if on_node else 1
            amount = float(count_in(fields, "node") or fewest)
        case "memory":
            each, together = memory_in(fields)
            amount = each * nodes_of(job) or together
        case "gpus":
            amount = float(gpus_of(job))
        case "licences":
            told = licences_of(str(fields.get("licences") or ""))
            amount = told.get(limit.licence or "", 0.0)
        case "processor_minutes":
            amount = job.processors * longest / 60.0
        case "walltime":
            amount = longest
    return amount


def licences_of(text: str) -> dict[str, float]:
    """Return the number of licences that a job requests, by the licence's name.

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
