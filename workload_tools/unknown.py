"""Files that no reader knows, told by what they seem to be."""

import re

_PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}
_PARQUET = b"PAR1"
_SEPARATORS = "|\t;,"
_LINES = 20
"""So many say whether a file is a table."""
_IN_PROSE = 2
"""A line of text may well have a comma."""
_SHOWN = 4
_LONGEST = 40
_A_VALUE = re.compile(r"[-+\d][-+.:T\d]*")
_MAP = "`pred-aware log map suggest` writes a first map for it (docs/how-to/logs-table.md)"


def seen_in(head: bytes) -> str:
    r"""Say what a file is that is no job log of a known format, and what to do.

    Parameters
    ----------
    head
        How it begins, unpacked; not empty.

    Examples
    --------
    >>> seen_in(b"# Notes\nof a meeting\n")
    "is no job log that is known, but text that begins '# Notes'"
    >>> seen_in(b"job,user,seconds\n1,ann,60\n")
    'is a table with a header that is not known (job, user, seconds); `pred-aware log map suggest` writes a first map for it (docs/how-to/logs-table.md)'
    """  # noqa: E501 - what is shown
    if head.startswith(_PARQUET):
        return f"is a Parquet table with columns that are not known; {_MAP}"
    packed = next((name for magic, name in _PACKED.items() if head.startswith(magic)), None)
    if packed is not None:
        return f"is packed by {packed}; unpack it first (only gzip is read as it is)"
    if b"\0" in head:
        return "is no text, and of no binary format that is known"
    lines = [line for line in head.decode(errors="replace").splitlines() if line.strip()][:_LINES]
    if lines[0].lstrip().startswith(("{", "[")):
        return "is JSON, but neither sacct's nor a Batsim workload"
    for separator in _SEPARATORS:
        fields = lines[0].split(separator)
        if len(fields) > _IN_PROSE and len({line.count(separator) for line in lines}) == 1:
            return _table(fields, separator)
    begin = lines[0].strip()
    begin = begin if len(begin) <= _LONGEST else f"{begin[:_LONGEST]}..."
    return f"is no job log that is known, but text that begins {begin!r}"


def _table(fields: list[str], separator: str) -> str:
    if not any(_A_VALUE.fullmatch(field.strip()) for field in fields):
        names = ", ".join([*fields[:_SHOWN], *["..."] * (len(fields) > _SHOWN)])
        return f"is a table with a header that is not known ({names}); {_MAP}"
    if separator == "|":
        return (
            f"has {len(fields)} fields in a row and no header that names them; if it is of sacct, "
            "dump it with its header, or name the fields as they were given to sacct: "
            """--reader '{"name": "slurm", "format": "JobID,User,..."}'"""
        )
    return f"has {len(fields)} fields in a row and no header that names them; add one"
