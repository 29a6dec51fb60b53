"""Parsing of Slurm texts: settings, records of ``scontrol show``, tables of ``sacctmgr``."""

import re
from collections.abc import Iterator

from workload_tools.slurm.amounts import NO_LIMIT, read_count

NOTHING = frozenset(("", "(null)", "N/A", "n/a", "NONE", "None", "none", "(null type)"))
_PAIR = re.compile(r'(?<!\w)([A-Za-z_][\w]*(?:\[\d+\])?)=("[^"]*"|\S*)')
_UNIT = re.compile(r"([0-9]{1,15}) (sec|min|usec|hours?|days?)")
_SECONDS = {"sec": 1.0, "min": 60.0, "usec": 1e-6, "hour": 3600.0, "day": 86400.0}
_CLOCK = re.compile(r"(?:([0-9]{1,9})-)?([0-9]{1,12})(?::([0-9]{1,12}))?(?::([0-9]{1,12}))?")
UNLIMITED = NO_LIMIT | {"INFINITE", "NONE", "N/A", "(null)", "4294967295"}


def config_settings(text: str) -> dict[str, tuple[str, str]]:
    """Return the settings in ``scontrol show config``: names and values, by lower-case name."""
    found: dict[str, tuple[str, str]] = {}
    for line in text.split("\n"):
        match = re.match(r"(\w+(?:\[\d+\])?)\s*= ?(.*)", line)
        if match is not None:
            found[match[1].lower()] = match[1], match[2].strip()
    return found


def records(text: str, first: str) -> list[dict[str, str]]:
    r"""Return the records in the output of ``scontrol show``, each of which begins with a name.

    Examples
    --------
    >>> records("NodeName=a\n   State=IDLE Weight=1\n\nNodeName=b\n", "NodeName")
    [{'NodeName': 'a', 'State': 'IDLE', 'Weight': '1'}, {'NodeName': 'b'}]
    """
    parts = re.split(rf"(?:^|\n)(?={first}=)", text)
    return [dict(_PAIR.findall(part)) for part in parts if part.startswith(f"{first}=")]


def tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Yield the tables of ``sacctmgr -P`` in a text; the first line of each has the column names.

    A line without columns, such as a heading or an empty line, ends a table.
    """
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if "|" in line and not line.startswith("#"):
            rows.append(line.rstrip("\r").split("|"))
        elif rows:
            head, *rest = rows
            yield [dict(zip(head, row, strict=False)) for row in rest]
            rows = []


def seconds_of(text: str) -> float | None:
    """Convert a time of Slurm into seconds; a plain number is in minutes, ``None`` means no limit.

    Examples
    --------
    >>> seconds_of("5"), seconds_of("0-01:00"), seconds_of("00:05:00"), seconds_of("30 sec")
    (300.0, 3600.0, 300.0, 30.0)
    >>> seconds_of("2:30"), seconds_of("1-0"), seconds_of("UNLIMITED")
    (150.0, 86400.0, None)

    Raises
    ------
    ValueError
        The text is not a time.
    """
    if text.upper() in UNLIMITED:
        return None
    unit = _UNIT.fullmatch(text)
    if unit is not None:
        return float(unit[1]) * _SECONDS[unit[2].rstrip("s")]
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a time")
    days, *rest = match.groups()
    first, second, third = (None if part is None else int(part) for part in rest)
    assert first is not None
    if days is not None:
        return 86400.0 * int(days) + 3600.0 * first + 60.0 * (second or 0) + (third or 0)
    if third is not None:
        return 3600.0 * first + 60.0 * (second or 0) + third
    return 60.0 * first + (second or 0)


def count_of(text: str) -> int | None:
    """Convert a text into a count; ``None`` means no limit.

    Raises
    ------
    ValueError
        The text is not a count.
    """
    return None if text.upper() in UNLIMITED else read_count(text, "a count")


def listed(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list; none for an empty value or ALL."""
    if text in NOTHING or text.upper() == "ALL":
        return ()
    return tuple(filter(None, (part.strip() for part in text.split(","))))
