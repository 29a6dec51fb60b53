"""Time zones by IANA name, for logs whose dates lack the offset from UTC."""

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workload_tools.errors import LogError


class UnknownZoneError(ValueError):
    """A time zone does not exist."""


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises
    ------
    UnknownZoneError
        The zone does not exist.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZoneError(
            f"unknown time zone '{name}'; it must be an IANA name such as Europe/Paris"
        ) from None


def known_zone(name: str | None) -> ZoneInfo | None:
    """Return the time zone of a name, or None if the name is None or unknown."""
    try:
        return None if name is None else zone_named(name)
    except UnknownZoneError:
        # old logs have abbreviations that several zones share
        return None


def zone_of(name: str | None, path: str | Path) -> ZoneInfo | None:
    """Return the time zone that a user has named, or None if the name is None.

    Raises
    ------
    LogError
        The zone does not exist.
    """
    try:
        return None if name is None else zone_named(name)
    except UnknownZoneError as error:
        raise LogError(path, str(error)) from error
