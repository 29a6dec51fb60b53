"""Parse the fields of one line of an SWF file."""

import math
import re
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from workload_tools.errors import LogError
from workload_tools.pbs.specifications import read_nodes

STANDARD_FIELDS = 18
MORE_FIELDS = 21  # in logs of CERIT-SC and Frontier; see `Extra`
FIELD_NAMES = (
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
)

LARGEST_WHOLE = 2.0**53
"""Largest valid value of a field."""

WHOLE_FIELDS = (4, 7, 10)
"""Positions of the fields that must be whole numbers: processors and status."""

PARTIAL_STATUS = (2.0, 3.0, 4.0)
"""Values of the status field in lines that describe a partial execution of a job."""


def line_numbers(path: str | Path, line_number: int, line: str, fields: list[str]) -> list[float]:
    """Check the 18 standard fields of a line, and return them as numbers.

    Parameters
    ----------
    path, line_number
        The file and the line number, for error messages.
    line, fields
        The line, and its fields after splitting at white space.

    Raises
    ------
    LogError
        The line has a wrong number of fields, a field is not a number, or a number of processors or
        a status is a fraction.
    """
    if len(fields) not in (STANDARD_FIELDS, MORE_FIELDS):
        raise LogError(
            path,
            f"{len(fields)} fields instead of {STANDARD_FIELDS}; in the Standard Workload "
            "Format, each line describes a job, or is a comment that begins with ';'",
            line_number,
        )
    try:
        values = [*map(float, fields[:STANDARD_FIELDS])]
    except ValueError:
        values = [math.nan]
    # float() accepts nan, inf and 1_000, which are not valid in a log
    if not math.isfinite(sum(values)) or "_" in line:
        for name, field in zip(FIELD_NAMES, fields, strict=False):
            if not _is_number(field):
                raise LogError(path, f"field '{name}' is '{field}', not a number", line_number)
    if not (values[4].is_integer() and values[7].is_integer() and values[10].is_integer()):
        _refuse_fractions(path, line_number, fields)
    if max(values) > LARGEST_WHOLE:
        field = fields[values.index(max(values))]
        raise LogError(path, f"'{field}' is too large for any field of a log", line_number)
    return values


def _is_number(field: str) -> bool:
    try:
        return math.isfinite(float(field)) and "_" not in field
    except ValueError:
        return False


def _refuse_fractions(path: str | Path, line_number: int, fields: list[str]) -> None:
    for index in WHOLE_FIELDS:
        if not float(fields[index]).is_integer():
            raise LogError(
                path,
                f"field '{FIELD_NAMES[index]}' is '{fields[index]}', not a whole number",
                line_number,
            )


CERIT, FRONTIER = "CERIT-SC", "Frontier"

NOT_UNDERSTOOD = "an invalid PBS specification"
MOVED_SIZE = "size: nodes in field 21 used, because field 8 may be in nodes or cores"

_NODES = re.compile(r"[^:]+:[^:]+:([0-9]{1,9})x[0-9]{1,9}")


class Extra(NamedTuple):
    """The fields 19 to 21 of a line."""

    site: str
    """The form of the fields. In the form `CERIT`, they are hosts, queue name and PBS request.

    In the form `FRONTIER`, they are used GPUs, soft walltime and ``frontier:excl:NODESxCORES``.
    """
    fields: dict[str, Any]
    """The values by field name of :class:`~workload_tools.job.Job`."""
    left_out: tuple[str, ...] = ()
    """Requests that `Job` cannot contain."""


def read_extra(fields: list[str]) -> Extra:
    """Detect the form of the fields 19 to 21 of a line, and return them.

    Parameters
    ----------
    fields
        All 21 fields of a line.

    Raises
    ------
    ValueError
        The form is unknown.

    Examples
    --------
    >>> read_extra([*"0" * 18, "{1,2}", "q_1d", "2:ppn=8:x86_64+1:ppn=4"]).fields["nodes"]
    3
    >>> read_extra([*"0" * 18, "20000", "7200", "frontier:excl:2500x112"]).fields
    {'nodes': 2500, 'gpus': 20000, 'soft_walltime': 7200.0}
    """
    first, second, third = fields[STANDARD_FIELDS:]
    if first.startswith("{") and first.endswith("}"):
        return _of_cerit(intern(second), third)
    match = _NODES.fullmatch(third)
    gpus, soft_walltime = _number(first), _number(second)
    if match is not None and not (math.isnan(gpus) or math.isnan(soft_walltime)):
        fields_of_job = {
            "nodes": int(match[1]),
            "gpus": int(gpus) if gpus >= 0.0 else None,
            "soft_walltime": soft_walltime if soft_walltime > 0.0 else None,
        }
        return Extra(FRONTIER, fields_of_job)
    raise ValueError(
        f"the fields 19 to 21 are '{first[:40]}', '{second[:40]}' and '{third[:40]}'. They must "
        "be hosts, queue and PBS specification (as in CERIT-SC's logs), or GPUs, soft walltime "
        "and system:mode:NODESxCORES (as in Frontier's). For others, write a column map and use "
        "`convert table`"
    )


def _of_cerit(queue: str, specification: str) -> Extra:
    """Return the queue and the PBS request; if the request is invalid, only its nodes."""
    chunks = read_nodes(specification)
    if chunks is None:
        fields = {"queue": queue, "nodes": _pbs_nodes(specification)}
        return Extra(CERIT, fields, (NOT_UNDERSTOOD,))
    names = ("nodes", "gpus", "tasks_per_node", "memory_per_node", "features", "exclusive")
    fields = {"queue": queue, **{name: getattr(chunks, name) for name in names}}
    return Extra(CERIT, fields, chunks.left_out)


def _pbs_nodes(specification: str) -> int:
    """Count the nodes of a PBS specification such as ``2:ppn=8:x86_64+1:ppn=4``."""
    chunks = (chunk.split(":", 1)[0] for chunk in specification.split("+"))
    return sum(int(count) if count.isdecimal() else 1 for count in chunks)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if abs(number) <= 2.0**53 and "_" not in text else math.nan
