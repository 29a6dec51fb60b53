"""Parser of the numbers in one line of an SWF."""

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
"""Largest value of a field."""

WHOLE_FIELDS = (4, 7, 10)
"""Positions of the whole numbers: processors and status."""

PARTIAL_STATUS = (2.0, 3.0, 4.0)
"""Status of a line that is a partial execution of a job."""


def line_numbers(path: str | Path, line_number: int, line: str, fields: list[str]) -> list[float]:
    """Return the 18 numbers of a line, checked.

    Parameters
    ----------
    path, line_number
        Place for error messages.
    line, fields
        The line, and its fields split at white space.

    Raises
    ------
    LogError
        The line has a wrong number of fields, a field that is not a number, or a fraction as
        processors or status.
    """
    if len(fields) not in (STANDARD_FIELDS, MORE_FIELDS):
        raise LogError(
            path,
            f"{len(fields)} fields instead of {STANDARD_FIELDS}; in the Standard Workload "
            "Format each line is a job, or a comment after ';'",
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
