"""The numbers of one line of a log in the Standard Workload Format."""

import math
from pathlib import Path

from workload_tools.errors import LogError

STANDARD_FIELDS = 18
MORE_FIELDS = 21  # see `workload_tools.swf.extra`
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
"""No field of a log is larger."""

WHOLE_FIELDS = (4, 7, 10)
"""The places of those that are whole numbers: processors and status."""

PARTIAL_STATUS = (2.0, 3.0, 4.0)
"""The status of a line that is one execution of a job that has others."""


def line_numbers(path: str | Path, line_number: int, line: str, fields: list[str]) -> list[float]:
    """Return the 18 numbers of a line, checked.

    Parameters
    ----------
    path, line_number
        What errors name.
    line, fields
        The line, and the same split at white space.

    Raises
    ------
    LogError
        The line has another number of fields, a field that is not a number, or a fraction for the
        processors or the status.
    """
    if len(fields) not in (STANDARD_FIELDS, MORE_FIELDS):
        raise LogError(
            path,
            f"{len(fields)} fields instead of {STANDARD_FIELDS}; a log in the Standard Workload "
            "Format has a job in each line, and comments after ';'",
            line_number,
        )
    try:
        values = [*map(float, fields[:STANDARD_FIELDS])]
    except ValueError:
        values = [math.nan]
    # float() takes nan, inf and 1_000, which are no numbers of a log.
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
