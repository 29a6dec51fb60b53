"""Read what a job requested from Slurm besides its CPUs, time and memory."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from workload_tools.slurm.amounts import NO_TRES, Tres, read_count, read_megabytes, read_memory
from workload_tools.slurm.layout import Layout

_SHORT = MappingProxyType(
    {
        "a": "array", "B": "extra-node-info", "C": "constraint", "G": "gpus", "L": "licenses",
        "m": "distribution", "M": "clusters", "n": "ntasks", "N": "nodes", "w": "nodelist",
        "x": "exclude",
    }
)  # fmt: skip
_SHORT_FLAGS = frozenset("HhIklOQsuvVWXE")
_FLAGS = frozenset(
    (
        *("contiguous", "exclusive", "get-user-env", "help", "hold", "ignore-pbs", "immediate"),
        *("label", "nice", "no-kill", "no-requeue", "overcommit", "oversubscribe", "parsable"),
        *(
            "propagate",
            "pty",
            "quiet",
            "reboot",
            "requeue",
            "spread-job",
            "test-only",
            "unbuffered",
        ),
        *("use-min-nodes", "verbose", "wait", "x11"),
    )
)
"""Long options whose next word is not their value."""
_THE_END = frozenset(("wrap", ":"))


def submit_options(line: str) -> Mapping[str, str]:
    """Return the options of a submit command, by their long names.

    The line contains no quotes. It also lacks the options in the job script, so a job may have
    requested an option that is missing here. Options end at the script's name or at ``--wrap``.

    Parameters
    ----------
    line
        The submit command as ``sacct --format=SubmitLine`` prints it.

    Examples
    --------
    >>> submit_options("sbatch -N2 --ntasks-per-node 4 --exclusive -C big&fast job.sh -n 7")
    {'nodes': '2', 'ntasks-per-node': '4', 'exclusive': '', 'constraint': 'big&fast'}
    """
    found: dict[str, str] = {}
    # split at blanks only, because a name may contain other white space
    words = iter([word for word in line.split(" ") if word][1:])
    for word in words:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name in _THE_END:
                break
            found[name] = value if equals or name in _FLAGS else next(words, "")
        elif word.startswith("-") and len(word) > 1:
            letter, value = word[1], word[2:].removeprefix("=")
            if letter == "s":
                found["oversubscribe"] = ""
            if letter in _SHORT_FLAGS:
                continue
            value = value or next(words, "")
            if letter in _SHORT:
                found[_SHORT[letter]] = value
        else:
            break
    return found


MET_REQUEUE = "requeued before its last run"
HETEROGENEOUS = "heterogeneous jobs: each component is a job of its own"
SEVERAL_TYPES = "GPUs of several types"
MIG = "parts of GPUs (MIG)"
OVERSUBSCRIBED = "cores shared with other jobs (OverSubscribe)"

_NOT_CARRIED = {
    "switches": "topology: switches",
    "contiguous": "topology: contiguous nodes",
    "spread-job": "topology: spread over nodes",
    "distribution": "topology: distribution of tasks",
    "extra-node-info": "topology: sockets, cores and threads",
    "sockets-per-node": "topology: sockets, cores and threads",
    "cores-per-socket": "topology: sockets, cores and threads",
    "threads-per-core": "topology: sockets, cores and threads",
    "ntasks-per-socket": "topology: sockets, cores and threads",
    "ntasks-per-core": "topology: sockets, cores and threads",
    "hint": "topology: sockets, cores and threads",
    "bb": "burst buffers",
    "bbf": "burst buffers",
    "nodelist": "nodes requested by name",
    "exclude": "nodes requested by name",
    "prefer": "preferred features",
    "time-min": "a minimum time limit (--time-min)",
    "deadline": "a deadline",
    "oversubscribe": OVERSUBSCRIBED,
}
_GPUS = ("gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket")
_GPU_TYPE = re.compile(r"(?:gres[:/])?(?:gpu:)?([A-Za-z0-9][\w.-]*)(?::\d+|=\d+|$)")
_MIG_TYPE = re.compile(r"(?:.*[_.-])?\d+g\.\d+gb.*", re.IGNORECASE)
_LIMIT = re.compile(r"%(\d{1,9})")
_NONE = frozenset(("", "(null)", "None"))


class Requested(NamedTuple):
    """A job's request; the fields mean the same as in :class:`~workload_tools.job.Job`."""

    nodes: int | None = None
    tasks: int | None = None
    tasks_per_node: int | None = None
    memory_per_node: float | None = None
    exclusive: bool = False
    features: str | None = None
    gpu_type: str | None = None
    gpus_per_node: int | None = None
    reservation: str | None = None
    licences: str | None = None
    array_limit: int | None = None
    left_out: tuple[str, ...] = ()
    """Requests and events of the job that `Job` cannot contain."""


NOTHING = Requested()


# a cache helps, because users submit the same request many times
@lru_cache(maxsize=1 << 14)
def read_requested(
    reported: Requested, *, tres: Tres = NO_TRES, submit_line: str = ""
) -> Requested:
    """Combine the information of several accounting fields about a job's request.

    Parameters
    ----------
    reported
        Requests for which the accounting has a separate field.
    tres
        Requested trackable resources.
    submit_line
        The command that submitted the job. It contains requests that no other field has.

    Examples
    --------
    >>> line = "sbatch -n8 --gpus=a100:2 -a 1-9%3 --exclusive --switches=1 job.sh"
    >>> found = read_requested(Requested(features="fast"), submit_line=line)
    >>> found.features, found.tasks, found.gpu_type, found.array_limit, found.exclusive
    ('fast', 8, 'a100', 3, True)
    >>> found.left_out
    ('topology: switches',)
    """
    if not (submit_line or reported != NOTHING or tres.gpu_types or tres.licences or tres.others):
        return NOTHING._replace(nodes=tres.nodes)
    options = submit_options(submit_line)
    types, met = {*tres.gpu_types, *_gpu_types(options)}, reported.left_out
    per_node = _gpus_per_node(options)
    if any(map(_MIG_TYPE.fullmatch, types)):
        met, types, per_node = (*met, MIG), set(), None
    elif len(types) > 1:
        met, types = (*met, SEVERAL_TYPES), set()
    limit = _LIMIT.search(options.get("array", ""))
    return Requested(
        nodes=tres.nodes or _number(options.get("nodes", "")),
        tasks=_number(options.get("ntasks", "")),
        tasks_per_node=_number(options.get("ntasks-per-node", "")),
        memory_per_node=reported.memory_per_node or read_megabytes(options.get("mem", "")),
        exclusive=options.get("exclusive") == "",
        features=_name(reported.features) or _name(options.get("constraint")),
        gpu_type=next(iter(types), None),
        gpus_per_node=per_node,
        reservation=_name(reported.reservation) or _name(options.get("reservation")),
        licences=_counted(
            _name(reported.licences) or tres.licences or _name(options.get("licenses"))
        ),
        array_limit=reported.array_limit or (None if limit is None else int(limit[1])) or None,
        left_out=tuple(dict.fromkeys((*met, *tres.others, *_left_out(options)))),
    )


class RequestedFields:
    """Reads jobs' requests from the fields of a text output."""

    def __init__(self, layout: Layout) -> None:
        at = layout.index
        self._names = at("constraints"), at("reservation"), at("licenses")
        self._submit_line, self._memory = at("submitline"), at("reqmem")
        self._id, self._restarts = at("jobid"), at("restarts")

    def read(self, values: Sequence[str], requested: Tres) -> Requested:
        """Return the request of a record, whose ReqTRES is `requested`."""
        features, reservation, licences = (_utf8(values[place]) for place in self._names)
        memory = values[self._memory]
        left_out: tuple[str, ...] = (HETEROGENEOUS,) if "+" in values[self._id] else ()
        if read_count(values[self._restarts], "Restarts"):
            left_out = (*left_out, MET_REQUEUE)
        reported = Requested(
            features=features,
            reservation=reservation,
            licences=licences,
            # before Slurm 21.08, memory per node has an "n": 2Gn
            memory_per_node=read_memory(memory, cpus=1, nodes=1) if memory[-1:] == "n" else None,
            left_out=left_out,
        )
        return read_requested(reported, tres=requested, submit_line=values[self._submit_line])


def _left_out(options: Mapping[str, str]) -> Iterator[str]:
    """Yield descriptions of the options that `Job` cannot contain."""
    for name, value in options.items():
        if name in _NOT_CARRIED:
            yield _NOT_CARRIED[name]
        elif name == "exclusive" and value:
            yield f"nodes shared with some jobs only (--exclusive={value})"
        elif name == "mem" and not read_megabytes(value):
            yield "all memory of its nodes (--mem=0)"
        elif name == "nodes" and not value.isdecimal():
            yield "a range of node numbers"
        elif name == "clusters" and "," in value:
            yield "several possible clusters (federation)"


def _gpu_types(options: Mapping[str, str]) -> Iterator[str]:
    """Yield the GPU types that the options request."""
    texts = [options[name] for name in _GPUS if name in options]
    gres = (options[name] for name in ("gres", "gres-per-node") if name in options)
    texts += [one for text in gres for one in text.split(",") if one.startswith(("gpu:", "gres"))]
    for text in texts:
        for one in text.split(","):
            found = _GPU_TYPE.match(one)
            if found is not None and not found[1].isdecimal() and found[1] != "gpu":
                yield found[1]


def _gpus_per_node(options: Mapping[str, str]) -> int | None:
    """Return the requested GPUs per node, as in ``--gres=gpu:a100:2``. No number means 1 GPU."""
    parts = [f"gpu:{one}" for one in filter(None, options.get("gpus-per-node", "").split(","))]
    for name in ("gres", "gres-per-node"):
        parts += [one.removeprefix("gres:") for one in options.get(name, "").split(",")]
    counts = [one.rpartition(":")[2] for one in parts if one.partition(":")[0] == "gpu"]
    return sum((_number(count) or 0) if count.isdecimal() else 1 for count in counts) or None


def _utf8(text: str) -> str | None:
    """Return a latin-1 text of the file decoded as UTF-8; None for an empty text."""
    return text.encode("latin-1").decode("utf-8", "replace") if text else None


def _name(text: str | None) -> str | None:
    return None if text is None or text in _NONE else text


def _counted(licences: str | None) -> str | None:
    """Return licences with their numbers. A licence without a number gets the number 1."""
    if licences is None:
        return None
    return ",".join(one if ":" in one else f"{one}:1" for one in licences.split(","))


def _number(text: str) -> int | None:
    return int(text) or None if text.isdecimal() and len(text) < 10 else None  # noqa: PLR2004 - digits


BRIDGED = "limit set by a bridge: user's own limit used (uw= in AdminComment)"

_NOTED = re.compile(r"(?:^|[\s,;])(uw|pred)=([0-9]{1,9}|UNLIMITED)(?=$|[\s,;])")


def noted_limits(comment: str, limit: float | None) -> tuple[float | None, float | None]:
    """Return a job's own limit and its estimate in seconds, from its AdminComment.

    A bridge between a predictor and Slurm may shorten the limits of waiting jobs. It stores the
    user's own limit as ``uw=MINUTES``. The prediction service's ``job_submit.lua`` stores its
    estimate as ``pred=MINUTES``. The comment may contain other text.

    Parameters
    ----------
    comment
        The AdminComment.
    limit
        The recorded limit in seconds; ``None`` for none. It is the own limit if the comment has no
        other.

    Examples
    --------
    >>> noted_limits("seen; uw=120", 1800.0), noted_limits("uw=none pred=20", 1800.0)
    ((7200.0, None), (1800.0, 1200.0))
    """
    noted: dict[str, float | None] = {}
    # most jobs have no comment
    for key, minutes in _NOTED.findall(comment) if "=" in comment else ():
        noted.setdefault(key, None if minutes == "UNLIMITED" else 60.0 * int(minutes))
    return noted.get("uw", limit), noted.get("pred")
