"""Describe files that no reader recognises."""

import re

_PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}
_PARQUET = b"PAR1"
_SEPARATORS = "|\t;,"
_LINES = 20
"""Number of lines that are examined to decide whether a file is a table."""
_IN_PROSE = 2
"""Largest number of fields in a line of prose: a sentence may contain one comma."""
_SHOWN = 4
_LONGEST = 40
_A_VALUE = re.compile(r"[-+\d][-+.:T\d]*")
_MAP = "`pred-aware log map suggest` writes a first column map for it (docs/how-to/logs-table.md)"


def seen_in(head: bytes) -> str:
    r"""Describe a file that is not a job log of a known format, and say what to do.

    Parameters
    ----------
    head
        The file's first bytes after unpacking; not empty.

    Examples
    --------
    >>> seen_in(b"# Notes\nof a meeting\n")
    "is not a known job log, but text that begins with '# Notes'"
    >>> seen_in(b"job,user,seconds\n1,ann,60\n")
    'is a table with an unknown header (job, user, seconds); `pred-aware log map suggest` writes a first column map for it (docs/how-to/logs-table.md)'
    """  # noqa: E501 - what is shown
    if head.startswith(_PARQUET):
        return f"is a Parquet table with unknown columns; {_MAP}"
    packed = next((name for magic, name in _PACKED.items() if head.startswith(magic)), None)
    if packed is not None:
        return f"is compressed with {packed}; unpack it first (only gzip can be read directly)"
    if b"\0" in head:
        return "is neither a text nor a known binary format"
    lines = [line for line in head.decode(errors="replace").splitlines() if line.strip()][:_LINES]
    if lines[0].lstrip().startswith(("{", "[")):
        return "is JSON, but neither sacct output nor a Batsim workload"
    for separator in _SEPARATORS:
        fields = lines[0].split(separator)
        if len(fields) > _IN_PROSE and len({line.count(separator) for line in lines}) == 1:
            return _table(fields, separator)
    begin = lines[0].strip()
    begin = begin if len(begin) <= _LONGEST else f"{begin[:_LONGEST]}..."
    return f"is not a known job log, but text that begins with {begin!r}"


def _table(fields: list[str], separator: str) -> str:
    if not any(_A_VALUE.fullmatch(field.strip()) for field in fields):
        names = ", ".join([*fields[:_SHOWN], *["..."] * (len(fields) > _SHOWN)])
        return f"is a table with an unknown header ({names}); {_MAP}"
    if separator == "|":
        return (
            f"has {len(fields)} fields in a row but no header with their names. If it is from "
            "sacct, run sacct without --noheader, or list the fields as in sacct --format: "
            """--reader '{"name": "slurm", "format": "JobID,User,..."}'"""
        )
    return f"has {len(fields)} fields in a row but no header with their names; add one"
