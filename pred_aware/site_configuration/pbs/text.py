"""Parsing of OpenPBS texts: ``qstat -f`` attributes, ``qmgr`` directives, ``sched_config``."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from workload_tools.pbs.quantities import count, gibibytes, seconds

_NAME = re.compile(r"^(Server|Queue): (\S+)$")
_ATTRIBUTE = re.compile(r"^    ([\w.]+)\s*= ?(.*)$")
_DIRECTIVE = re.compile(r"^set (server|queue) (?:(\S+) )?([\w.]+) (\+?=) (.*)$")
_QUOTE = re.compile(r'(?<!\\)"')
_AFTER_TEXT = re.compile(r'\s*(?:$|[:}\]]|,\s*["{\[])')
_ODD_NUMBER = re.compile(r"([:,\[]\s*)(-?0[0-9][\w.]*)")
Attributes = dict[str, str]


def of_qstat(text: str) -> dict[str, Attributes]:
    r"""Return the attributes of servers or queues from the output of ``qstat -Bf`` or ``-Qf``.

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
            own, last = found.setdefault(name[2], {}), ""
        elif attribute is not None:
            last = attribute[1]
            own[last] = attribute[2].strip()
        elif line.startswith("\t") and last in own:
            own[last] += line.strip()
    return found


def of_qmgr(text: str) -> tuple[Attributes, dict[str, Attributes]]:
    r"""Return the attributes of server and queues from the output of ``qmgr -c 'print server'``.

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
    """Convert a duration such as ``24:00:00``, ``7:00:00:00`` or ``86400`` into seconds.

    Raises
    ------
    ValueError
        The text is not a duration.
    """
    found = seconds(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not a duration")
    return found


def gib_of(text: str) -> float:
    """Convert an amount of memory into GiB; without a unit it is in bytes.

    Raises
    ------
    ValueError
        The text is not an amount of memory.

    Examples
    --------
    >>> gib_of("16gb"), gib_of("1048576kb")
    (16.0, 1.0)
    """
    found = gibibytes(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not an amount of memory")
    return found


def count_of(text: str) -> int:
    """Convert a text into a count.

    Raises
    ------
    ValueError
        The text is not a count.
    """
    found = count(text.strip())
    if found is None:
        raise ValueError(f"'{text}' is not a count")
    return found


def of_pbsnodes(text: str) -> dict[str, dict[str, Any]]:
    r"""Return the nodes in the output of ``pbsnodes -av``, as text or as JSON (``-F json``).

    JSON of PBS up to version 20 has unescaped quotes inside texts, and numbers with leading zeros;
    both are accepted.

    Raises
    ------
    ValueError
        The text is neither.

    Examples
    --------
    >>> of_pbsnodes("n1\n     state = free\n     resources_available.ncpus = 8\n")
    {'n1': {'resources_available': {'ncpus': '8'}, 'state': 'free'}}
    """
    if text.lstrip().startswith("{"):
        return _of_json(text)
    found: dict[str, dict[str, Any]] = {}
    own: dict[str, Any] | None = None
    for line in text.split("\n"):
        key, equals, value = line.partition(" = ")
        if line[:1].strip() and not equals:
            own = found.setdefault(line.strip(), {})
        elif equals and own is not None:
            place, _, name = key.strip().partition(".")
            own.setdefault("resources_available", {})
            if place == "resources_available":
                own[place][name] = value.strip()
            elif not name:
                own[place] = value.strip()
    if not any(found.values()):
        raise ValueError("is neither the text nor the JSON of `pbsnodes -av`")
    return found


def _of_json(text: str) -> dict[str, dict[str, Any]]:
    try:
        content = msgspec.json.decode(text)
    except msgspec.DecodeError:
        content = msgspec.json.decode(_repaired(text))
    nodes = content.get("nodes") if isinstance(content, dict) else None
    if not isinstance(nodes, dict):
        raise ValueError("has no nodes by name")  # noqa: TRY004 - of a file, not of an argument
    found = {}
    for name, node in nodes.items():
        resources = node.get("resources_available", {}) if isinstance(node, dict) else None
        readable = isinstance(resources, dict)
        found[name] = {**node, "resources_available": resources} if readable else {}
    return found


def _repaired(text: str) -> str:
    """Return PBS's JSON with inner quotes escaped, and numbers with leading zeros quoted."""
    parts: list[str] = []
    start = inside = 0
    for match in _QUOTE.finditer(text):
        at = match.start()
        if not inside:
            parts += _ODD_NUMBER.sub(r'\1"\2"', text[start:at]), '"'
            start, inside = at + 1, 1
        elif _AFTER_TEXT.match(text, at + 1):
            parts += text[start:at].replace('"', '\\"'), '"'
            start, inside = at + 1, 0
    rest = text[start:]
    return "".join((*parts, rest if inside else _ODD_NUMBER.sub(r'\1"\2"', rest)))
