"""Attributes, quantities and links: common parts of a platform's XML."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from workload_tools.errors import PlatformError
from workload_tools.platform.quantities import BANDWIDTH, SPEED, TIME, parse_quantity
from workload_tools.platform.xml_tree import Element

Link = tuple[float, float]
"""Latency in seconds, bandwidth in bytes per second."""


def needed(path: str | Path, element: Element, attribute: str) -> str:
    """Return a required attribute of an element."""
    try:
        return element.attributes[attribute]
    except KeyError:
        raise PlatformError(
            path, f"<{element.tag}> lacks the attribute '{attribute}'", element.line
        ) from None


def quantity(path: str | Path, element: Element, attribute: str, units: dict[str, float]) -> float:
    """Return an attribute that is a quantity. Except for times, it must be above 0."""
    text = needed(path, element, attribute)
    if units is SPEED:
        # a host may have one speed per power state; it starts in the first state
        text = text.partition(",")[0]
    try:
        value = parse_quantity(text, units)
    except ValueError as error:
        raise PlatformError(path, f"{attribute}: {error}", element.line) from error
    if units is not TIME and value <= 0.0:
        raise PlatformError(path, f"{attribute} must be above 0", element.line)
    return value


def link(path: str | Path, element: Element) -> Link:
    """Read a ``<link>``."""
    return (
        quantity(path, element, "latency", TIME),
        quantity(path, element, "bandwidth", BANDWIDTH),
    )


def routes(
    path: str | Path, elements: Iterable[Element], links: Mapping[str, Link]
) -> dict[tuple[str, str], list[Link]]:
    """Return the links of each route in their order, by the names of its ends."""
    found: dict[tuple[str, str], list[Link]] = {}
    for element in elements:
        way = []
        for step in element.children:
            name = step.attributes.get("id", "")
            if step.tag != "link_ctn" or name not in links:
                raise PlatformError(
                    path, f"<{step.tag} id='{name}'> is not a <link> of the zone", step.line
                )
            way.append(links[name])
        ends = needed(path, element, "src"), needed(path, element, "dst")
        found[ends] = way
        if element.attributes.get("symmetrical", "YES").upper() in ("YES", "TRUE", "1"):
            found.setdefault((ends[1], ends[0]), way[::-1])
    return found


def properties(element: Element) -> dict[str, str]:
    """Return the names and values of an element's ``<prop>`` children."""
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
