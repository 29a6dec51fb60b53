"""The lines of an accounting log.

The format is ``date time;record type;job id;attributes``. Attributes are ``name=value``, separated
by blanks (PBS Professional Administrator's Guide, "Accounting log format"; Torque Administrator
Guide, "Accounting records").
"""

import re
from typing import NamedTuple

OTHER_RECORDS = {
    "L": "record of licences, not of a job",
    **dict.fromkeys("UYBFKk", "record of a reservation, not of a job"),
}
JOB_RECORDS = frozenset("QSsERDACTMaruczePp")

_RECORD = re.compile(
    r"\s*(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d(?:\.\d+)?);([A-Za-z]);([^;\s]+);(.*?)\s*", re.DOTALL
)
_NAME = re.compile(r"[A-Za-z_][\w.\-]*=")


class Record(NamedTuple):
    """One line of an accounting log."""

    date: str
    """Date of the record, in the server's local time, as text."""
    type: str
    """The record type's letter."""
    id: str
    """The id of the job or reservation."""
    message: str
    """The rest of the line, for `attributes`."""


def is_record(line: str) -> bool:
    """Return True if a line is a record of an accounting log."""
    return _RECORD.fullmatch(line) is not None


def read_record(line: str) -> Record | None:
    """Parse a line; return None if it is not a record.

    Examples
    --------
    >>> read_record("10/01/2017 00:00:16;Q;520887.m1;queue=batch")
    Record(date='10/01/2017 00:00:16', type='Q', id='520887.m1', message='queue=batch')
    >>> read_record("10/01/2017;Q")
    """
    match = _RECORD.fullmatch(line)
    return None if match is None else Record(*match.groups())


def attributes(message: str) -> dict[str, str]:
    """Return the attributes of a record by name.

    A value that contains blanks is in double quotes, or not quoted (Torque).

    Examples
    --------
    >>> attributes('user=ann account="my grant" Resource_List.select=1:ncpus=4 jobname=a b')
    {'user': 'ann', 'account': 'my grant', 'Resource_List.select': '1:ncpus=4', 'jobname': 'a b'}
    """
    values: dict[str, str] = {}
    name = ""
    quoted = False
    for word in message.split(" "):
        if not quoted and _NAME.match(word):
            name, _, value = word.partition("=")
            values[name] = value
            quoted = value.startswith('"') and not _closed(value)
        elif name and (word or quoted):
            values[name] += f" {word}"
            quoted = quoted and not word.endswith('"')
    for name, value in values.items():
        if value.startswith('"') and _closed(value):
            values[name] = value[1:-1]
    return values


def _closed(value: str) -> bool:
    return len(value) > 1 and value.endswith('"')
