"""Time zones by name, for logs with dates in local time."""

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workload_tools.errors import LogError


def zone_of(name: str | None, path: str | Path) -> ZoneInfo | None:
    """Return the time zone of an IANA name.

    Raises
    ------
    LogError
        The zone does not exist.
    """
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise LogError(
            path, f"unknown time zone '{name}'; it must be an IANA name such as Europe/Paris"
        ) from error
