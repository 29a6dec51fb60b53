"""Texts of OpenPBS: attributes of ``qstat -f``, directives of ``qmgr``, ``sched_config``."""

import re
from collections.abc import Iterator

_NAME = re.compile(r"^(Server|Queue): (\S+)$")
_ATTRIBUTE = re.compile(r"^    ([\w.]+)\s*= ?(.*)$")
_DIRECTIVE = re.compile(r"^set (server|queue) (?:(\S+) )?([\w.]+) (\+?=) (.*)$")
_AMOUNT = re.compile(r"([0-9]+)([kmgtp]?)(w|b)?", re.IGNORECASE)
_GIB = {"": 2.0**-30, "k": 2.0**-20, "m": 2.0**-10, "g": 1.0, "t": 2.0**10, "p": 2.0**20}
_WORD = 8.0
Attributes = dict[str, str]


def of_qstat(text: str) -> dict[str, Attributes]:
    r"""Return the attributes of servers or queues as ``qstat -Bf`` and ``-Qf`` print them.

    Examples
    --------
    >>> of_qstat("Queue: workq\n    enabled = True\n    acl_users = ann,\n\tbob\n\n")
    {'workq': {'enabled': 'True', 'acl_users': 'ann,bob'}}
    """
    found: dict[str, Attributes] = {}
    last = ""
    own: Attributes = {}
    for line in text.split("\n"):
        name, attribute = _NAME.match(line), _ATTRIBUTE.match(line)
        if name is not None:
            own = found.setdefault(name[2], {})
        elif attribute is not None:
            last = attribute[1]
            own[last] = attribute[2].strip()
        elif line.startswith("\t") and last:
            own[last] += line.strip()
    return found


def of_qmgr(text: str) -> tuple[Attributes, dict[str, Attributes]]:
    r"""Return the attributes of the server and of queues as ``qmgr -c 'print server'`` has them.

    Examples
    --------
    >>> of_qmgr("set queue q priority = 5\nset server max_run = [u:PBS_GENERIC=2]\n")
    ({'max_run': '[u:PBS_GENERIC=2]'}, {'q': {'priority': '5'}})
    """
    server: Attributes = {}
    queues: dict[str, Attributes] = {}
    for line in text.split("\n"):
        created = re.match(r"^create queue (\S+)$", line.strip())
        if created is not None:
            queues.setdefault(created[1], {})
        match = _DIRECTIVE.match(line.strip())
        if match is None:
            continue
        of, name, key, how, value = match.groups()
        own = server if of == "server" else queues.setdefault(name or "", {})
        told = value.strip().strip('"')
        own[key] = f"{own[key]},{told}" if how == "+=" and key in own else told
    return server, queues


def of_sched_config(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, key, value and time (``prime``, ``non_prime``, ``all``) of ``sched_config``."""
    for number, line in enumerate(text.split("\n"), 1):
        told = line.partition("#")[0].strip()
        if ":" not in told:
            continue
        key, _, rest = told.partition(":")
        quoted = re.match(r'\s*"([^"]*)"\s*(\S*)', rest)
        value, when = quoted.groups() if quoted else (*rest.split(), "", "")[:2]
        yield number, key.strip(), value, when.lower() or "all"


def seconds_of(text: str) -> float:
    """Return a duration such as ``24:00:00`` or ``86400``, in seconds.

    Raises
    ------
    ValueError
        It is none.
    """
    total = 0.0
    for part in text.split(":"):
        total = 60.0 * total + float(part)
    return total


def gib_of(text: str) -> float:
    """Return an amount of memory in GiB; without a unit it is of bytes.

    Raises
    ------
    ValueError
        It is none.

    Examples
    --------
    >>> gib_of("16gb"), gib_of("1048576kb")
    (16.0, 1.0)
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is no amount of memory")
    words = _WORD if (match[3] or "").lower() == "w" else 1.0
    return float(match[1]) * _GIB[match[2].lower()] * words
