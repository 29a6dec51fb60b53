"""The limits of an OpenPBS server and its queues."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.numbers import decimal
from pred_aware.site_configuration.pbs.text import Attributes, gib_of
from schedulers.site.site import Limit

_ONE = re.compile(r"\[([ougp]):([^=\]]+)=\s*([^\]]+)\]")
_PER = {"u": "user", "g": "group", "p": "project"}
_RESOURCES = {"ncpus": "processors", "nodect": "nodes", "mem": "memory", "ngpus": "gpus"}
_OLD = {"max_running": "all", "max_user_run": "user", "max_group_run": "group"}
_GENERIC, _ALL = "PBS_GENERIC", "PBS_ALL"
_made: Callable[..., Limit] = Limit


def limits_of(
    attributes: Attributes, findings: Findings, *, where: str, queue: str | None = None
) -> Iterator[Limit]:
    """Yield the limits in the attributes of a server or a queue."""
    only: Mapping[str, Any] = {} if queue is None else {"only": {"partition": (queue,)}}
    for key, value in attributes.items():
        name, _, resource = key.partition(".")
        with findings.unless_unreadable(where, f"{key}={value}", "this limit is left out"):
            if name in ("max_run", "max_queued"):
                of = "jobs" if name == "max_run" else "submitted"
                yield from _limits(value, of, only, read=decimal)
            elif name == "max_run_res" and resource in _RESOURCES:
                of = _RESOURCES[resource]
                yield from _limits(value, of, only, read=gib_of if of == "memory" else decimal)
            elif name == "max_run_res":
                findings.add("not modelled", where, f"{key}={value}", "jobs are held above it")
            elif name in _OLD:
                yield _made(of="jobs", per=_OLD[name], most=decimal(value), **only)
            elif name == "max_queuable":
                yield _made(of="submitted", most=decimal(value), **only)


def _limits(
    text: str, of: str, only: Mapping[str, Any], *, read: Callable[[str], float]
) -> Iterator[Limit]:
    """Yield the limits in ``[u:PBS_GENERIC=10],[u:ann=5],[o:PBS_ALL=100]``."""
    found = [(who, name.strip(' "'), read(most.strip())) for who, name, most in _ONE.findall(text)]
    if not found:
        raise ValueError("it has no limit such as [u:PBS_GENERIC=10]")
    for who, per in _PER.items():
        mine = {name: most for one, name, most in found if one == who}
        if mine:
            by = {name: most for name, most in mine.items() if name not in (_GENERIC, _ALL)}
            yield _made(of=of, per=per, most=mine.get(_GENERIC), by=by, **only)
    for who, _, most in found:
        if who == "o":
            yield _made(of=of, per="all", most=most, **only)
