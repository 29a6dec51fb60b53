"""Quantities with SimGrid's units, such as ``50us``, ``125MBps`` or ``1Gf``."""

import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from workload_tools.errors import PlatformError
from workload_tools.platform.xml_tree import Element

TIME = {
    "w": 604800.0,
    "d": 86400.0,
    "h": 3600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
    "ps": 1e-12,
}

_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTPE", start=1)}
_PREFIXES = {**_DECIMAL, **_BINARY}

BANDWIDTH = {f"{prefix}Bps": factor for prefix, factor in _PREFIXES.items()} | {
    f"{prefix}bps": factor * 0.125 for prefix, factor in _PREFIXES.items()
}
SPEED = {
    **{f"{prefix}{unit}": factor for prefix, factor in _DECIMAL.items() for unit in ("f", "flops")},
    "Kf": 1e3,
}

_QUANTITY = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.)\s*([A-Za-z]*)\s*")


def parse_quantity(text: str, units: dict[str, float]) -> float:
    """Return a quantity in the base unit: seconds, bytes per second or operations per second.

    A number without a unit is already in the base unit.

    Parameters
    ----------
    units
        The value of each known unit in the base unit: `TIME`, `BANDWIDTH` or `SPEED`.

    Raises
    ------
    ValueError
        The text is not a number, or its unit is unknown.

    Examples
    --------
    >>> parse_quantity("125MBps", BANDWIDTH)
    125000000.0
    >>> parse_quantity("1Gbps", BANDWIDTH)
    125000000.0
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a number with a unit such as {_examples(units)}")
    number, unit = match.groups()
    factor = units.get(unit) if unit else 1.0
    if factor is None:
        raise ValueError(f"'{text}' has the unknown unit '{unit}'; known: {', '.join(units)}")
    value = float(number) * factor
    if not math.isfinite(value):
        raise ValueError(f"'{text}' is too large")
    return value


def _examples(units: dict[str, float]) -> str:
    return {id(TIME): "50us", id(BANDWIDTH): "125MBps"}.get(id(units), "1Gf")


Link = tuple[float, float]
"""A link: latency in seconds and bandwidth in bytes per second."""


def needed(path: str | Path, element: Element, attribute: str) -> str:
    """Return a required attribute of an element."""
    try:
        return element.attributes[attribute]
    except KeyError:
        raise PlatformError(
            path, f"<{element.tag}> lacks the attribute '{attribute}'", element.line
        ) from None


def quantity(path: str | Path, element: Element, attribute: str, units: dict[str, float]) -> float:
    """Return an attribute that is a quantity; a speed or bandwidth must be above 0."""
    text = needed(path, element, attribute)
    if units is SPEED:
        # a host may have one speed per power state; the first state is the initial one
        text = text.partition(",")[0]
    try:
        value = parse_quantity(text, units)
    except ValueError as error:
        raise PlatformError(path, f"{attribute}: {error}", element.line) from error
    if units is not TIME and value <= 0.0:
        raise PlatformError(path, f"{attribute} must be above 0", element.line)
    return value


def link(path: str | Path, element: Element) -> Link:
    """Return the latency and bandwidth of a ``<link>`` element."""
    return (
        quantity(path, element, "latency", TIME),
        quantity(path, element, "bandwidth", BANDWIDTH),
    )


def routes(
    path: str | Path, elements: Iterable[Element], links: Mapping[str, Link]
) -> dict[tuple[str, str], list[Link]]:
    """Return, for each pair of source and destination names, the links of the route in order."""
    found: dict[tuple[str, str], list[Link]] = {}
    for element in elements:
        way = []
        for step in element.children:
            name = step.attributes.get("id", "")
            if step.tag != "link_ctn" or name not in links:
                raise PlatformError(
                    path, f"<{step.tag} id='{name}'> names no <link> of the zone", step.line
                )
            way.append(links[name])
        ends = needed(path, element, "src"), needed(path, element, "dst")
        found[ends] = way
        if element.attributes.get("symmetrical", "YES").upper() in ("YES", "TRUE", "1"):
            found.setdefault((ends[1], ends[0]), way[::-1])
    return found


def properties(element: Element) -> dict[str, str]:
    """Return the values of an element's ``<prop>`` children by name."""
    return {
        prop.attributes.get("id", ""): prop.attributes.get("value", "")
        for prop in element.named("prop")
    }


def has_role(known: Mapping[str, str], role: str) -> bool:
    """Return True if the properties of a host or cluster contain a role."""
    return role in known.get("role", "").replace(" ", "").split(",")


def refuse_twins(path: str | Path, hosts: list[str]) -> None:
    """Raise an error if two hosts have the same name."""
    if len(set(hosts)) != len(hosts):
        twin = next(host for host in hosts if hosts.count(host) > 1)
        raise PlatformError(path, f"has more than one host '{twin}'")
