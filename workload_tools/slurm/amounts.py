"""Read numbers, durations, limits, memory and trackable resources (TRES) as `sacct` prints them."""

import re
from functools import lru_cache
from typing import NamedTuple

from workload_tools.slurm.conf import gres
from workload_tools.slurm.errors import UnreadableError

_COUNT = re.compile(r"([0-9]{1,12})(?:\.[0-9]{1,3})?([KMG]?)")
_COUNT_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)([KMGTPE]?)B?([nc]?)")
_DURATION = re.compile(
    r"(?:([0-9]{1,7})-)?(?:([0-9]{1,7}):)?([0-9]{1,7}):([0-9]{2})(?:\.[0-9]{1,9})?"
)
_MINUTES = re.compile(r"[0-9]{1,10}")
_GIB = {
    "K": 2.0**-20,
    "": 2.0**-10,
    "M": 2.0**-10,
    "G": 1.0,
    "T": 2.0**10,
    "P": 2.0**20,
    "E": 2.0**30,
}
_LICENCE = "license/"
NO_LIMIT = frozenset(("", "UNLIMITED", "Partition_Limit", "NOT_SET", "INVALID"))
MOST_DIGITS = 12
"""Largest number of digits in a valid count."""
_REMEMBERED = 1 << 14
_BEFORE_GRES = re.compile(r"(?:gres|PER_JOB|PER_NODE):(?=[A-Za-z])")
_GPU_PLUGIN = "7696487"
"""The number that stands for ``gpu`` if slurmdbd did not know the plugin's name."""


class Tres(NamedTuple):
    """Trackable resources (TRES) of a job. A resource that the text lacks is ``None``."""

    cpus: int | None = None
    nodes: int | None = None
    gpus: int | None = None
    """Numbers of CPUs, nodes and GPUs of the whole job."""
    memory: float | None = None
    """Memory of all nodes together, in GiB."""
    gpu_types: tuple[str, ...] = ()
    licences: str | None = None
    """Names and numbers of licences: ``matlab:2,ansys:1``."""
    others: tuple[str, ...] = ()
    """Names of other resources, which `Job` cannot contain."""


NO_TRES = Tres()


def read_count(text: str, field: str) -> int | None:
    """Return a count, which `sacct` may abbreviate (``2K``). An empty text gives None.

    Raises
    ------
    UnreadableError
        The text is not a count.

    Examples
    --------
    >>> read_count("64", "NNodes"), read_count("1.50K", "ReqCPUS"), read_count("", "NNodes")
    (64, 1536, None)
    """
    if text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS:
        return int(text)
    if not text:
        return None
    match = _COUNT.fullmatch(text)
    if match is None:
        raise UnreadableError(field, text)
    unit = match[2]
    return round(float(text.removesuffix(unit)) * _COUNT_UNITS[unit]) if unit else int(match[1])


def read_duration(text: str, field: str) -> float | None:
    """Return a duration such as ``2-12:00:00`` or ``00:30.123`` in whole seconds.

    Raises
    ------
    UnreadableError
        The text is not a duration.

    Examples
    --------
    >>> read_duration("1-00:00:03", "Elapsed"), read_duration("", "Elapsed")
    (86403.0, None)
    """
    if not text or text == "INVALID":
        return None
    match = _DURATION.fullmatch(text)
    if match is None:
        raise UnreadableError(field, text)
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return float(86400 * days + 3600 * hours + 60 * minutes + seconds)


@lru_cache(maxsize=_REMEMBERED)
def read_limit(text: str, field: str) -> float | None:
    """Return in seconds a limit that is given in minutes or as a duration; None for no limit.

    Raises
    ------
    UnreadableError
        The text is not a time limit.

    Examples
    --------
    >>> read_limit("90", "TimelimitRaw"), read_limit("01:30:00", "Timelimit")
    (5400.0, 5400.0)
    >>> read_limit("UNLIMITED", "Timelimit"), read_limit("Partition_Limit", "Timelimit")
    (None, None)
    """
    if text in NO_LIMIT:
        return None
    if _MINUTES.fullmatch(text):
        return 60.0 * int(text) or None
    return read_duration(text, field) or None


def read_memory(text: str, *, cpus: int | None, nodes: int | None) -> float | None:
    """Return the memory in a job's ``ReqMem``, in GiB for the whole job.

    Before Slurm 21.08, ``ReqMem`` is per CPU (``2Gc``) or per node (``2Gn``); since then, per job.

    Parameters
    ----------
    text
        The amount; its unit is MiB if the text has no unit.
    cpus, nodes
        The job's requested numbers of CPUs and nodes.

    Raises
    ------
    UnreadableError
        The text is not an amount of memory.

    Examples
    --------
    >>> read_memory("62.50G", cpus=1, nodes=1), read_memory("500Mc", cpus=4, nodes=1)
    (62.5, 1.953125)
    """
    if not text or text == "?":
        return None
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise UnreadableError("ReqMem", text)
    amount, unit, of_each = match.groups()
    each = {"": 1, "c": cpus, "n": nodes}[of_each]
    return None if each is None else float(amount) * _GIB[unit] * each or None


def memory_wanted(requested: float | None, allocated: float | None) -> float | None:
    """Return the memory that a job needs: the smaller of requested and allocated memory.

    With ``--mem=0``, Slurm records the memory of the largest node as the request, although the job
    can run on smaller nodes.

    Examples
    --------
    >>> memory_wanted(32.0, 8.0), memory_wanted(2.0, 4.0), memory_wanted(2.0, None)
    (8.0, 2.0, 2.0)
    """
    return min(requested, allocated) if requested and allocated else requested


def read_megabytes(text: str) -> float | None:
    """Return an amount of memory in GiB; the default unit is MiB; None for 0 or an invalid text.

    Examples
    --------
    >>> read_megabytes("512"), read_megabytes("4G"), read_megabytes("0"), read_megabytes("much")
    (0.5, 4.0, None, None)
    """
    match = _MEMORY.fullmatch(text.upper())
    return None if match is None else float(match[1]) * _GIB[match[2]] or None


@lru_cache(maxsize=_REMEMBERED)
def read_tres(text: str, field: str) -> Tres:
    """Read trackable resources such as ``cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=2G,node=1``.

    Slurm lists a job's GPUs twice, with and without their type. The two counts are not added.

    Raises
    ------
    UnreadableError
        The text is not a list of resources.

    Examples
    --------
    >>> read_tres("cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=2G,node=1", "AllocTRES")
    Tres(cpus=4, nodes=1, gpus=2, memory=2.0, gpu_types=('a100',), licences=None, others=())
    >>> read_tres("cpu=4,license/matlab=2,bb/datawarp=10G", "ReqTRES")[5:]
    ('matlab:2', ('burst buffers',))
    """
    if not text:
        return NO_TRES
    amounts: dict[str, str] = {}
    for item in text.split(","):
        name, equals, amount = item.partition("=")
        if not equals:
            raise UnreadableError(field, text)
        amounts[name] = amount
    gpus = read_count(amounts.get("gres/gpu", ""), field)
    if gpus is None:
        typed = [read_count(n, field) for name, n in amounts.items() if name[:9] == "gres/gpu:"]
        gpus = sum(count or 0 for count in typed) if typed else None
    memory = _MEMORY.fullmatch(amounts.get("mem", "0"))
    if memory is None or memory[3]:
        raise UnreadableError(field, text)
    return Tres(
        cpus=read_count(amounts.get("cpu", ""), field),
        nodes=read_count(amounts.get("node", ""), field),
        gpus=gpus,
        memory=float(memory[1]) * _GIB[memory[2]] or None,
        gpu_types=tuple(name[9:] for name in amounts if name[:9] == "gres/gpu:"),
        licences=",".join(f"{name[8:]}:{n}" for name, n in amounts.items() if name[:8] == _LICENCE)
        or None,
        others=tuple(filter(None, map(_other, amounts))),
    )


@lru_cache(maxsize=_REMEMBERED)
def with_gres(tres: Tres, text: str, field: str, nodes: int | None = None) -> Tres:
    """Return `tres` with the GPUs of ``ReqGRES`` or ``AllocGRES``, fields of Slurm before 20.11.

    Raises
    ------
    UnreadableError
        The text is not a list of generic resources.

    Examples
    --------
    >>> with_gres(NO_TRES, "gpu:v100:2,craynetwork:1", "AllocGRES")[2:]
    (2, None, ('v100',), None, ('gres/craynetwork',))
    >>> with_gres(NO_TRES, "PER_NODE:gpu:2", "ReqGRES", nodes=3).gpus
    6
    """
    # Slurm 19.05 and 20.02 write counts per node with "PER_NODE:"
    times = (nodes or 0) if "PER_NODE:" in text else 1
    found, unread = gres(_BEFORE_GRES.sub("", text))
    if unread or not times or any(kind.startswith("PER_") for kind, _, _ in found):
        raise UnreadableError(field, text)
    names = [("gpu" if kind == _GPU_PLUGIN else kind, type_, n * times) for kind, type_, n in found]
    gpus = [(type_, count) for kind, type_, count in names if kind == "gpu"]
    others = (f"gres/{kind}" for kind, _, _ in names if kind != "gpu")
    if tres.gpus is None and gpus:
        types = tuple(type_ for type_, _ in gpus if type_)
        tres = tres._replace(gpus=sum(count for _, count in gpus), gpu_types=types)
    return tres._replace(others=tuple(dict.fromkeys((*tres.others, *others))))


def _other(name: str) -> str | None:
    """Return the name of a resource for reports if `Job` cannot contain it, else None."""
    if name.startswith("bb/"):
        return "burst buffers"
    return name if name.startswith("gres/") and name[:8] != "gres/gpu" else None
