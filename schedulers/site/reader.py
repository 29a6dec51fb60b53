"""Reads and checks site files, and converts sites back."""

import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import msgspec

from predictors.errors import OptionError
from schedulers.site.batch_system import SiteTable
from schedulers.site.calendar import Calendar, duration_of
from schedulers.site.checks import check_site
from schedulers.site.site import Site, SiteError
from workload_tools.expected import in_words
from workload_tools.strict import StrictError, structured

DURATIONS = frozenset(
    {
        "cycle", "max_walltime", "default_walltime", "longer_than", "at_most", "priority_max_age",
        "priority_decay_half_life", "priority_calc_period", "fairshare_decay_time", "max_starve",
    }
)  # fmt: skip
"""Keys that accept a duration such as ``24:00:00`` or seconds."""


def read_site(path: str | Path) -> Site:
    """Read the file of a site.

    Raises
    ------
    SiteError
        The file cannot be read or is invalid. The message names the file, table and key.

    Examples
    --------
    >>> read_site("nowhere.toml")
    Traceback (most recent call last):
    schedulers.site.site.SiteError: site nowhere.toml: No such file or directory
    """
    try:
        return site_of(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise SiteError(f"site {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SiteError(f"site {path}: is not UTF-8 text: {error.reason}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SiteError(f"site {path}: is not TOML: {in_words(error)}") from error
    except SiteError as error:
        raise SiteError(f"site {path}: {error}") from error


def site_of(content: Mapping[str, Any]) -> Site:
    """Return a site from the content of its TOML or JSON file. Errors are those of `read_site`.

    Examples
    --------
    >>> site_of({"limits": [{"of": "jobs", "per": "user", "most": 10}]}).limits[0].per
    'user'
    """
    try:
        site = structured(_in_seconds(content), Site)
    except StrictError as error:
        raise SiteError(str(error)) from None
    check_site(site)
    return site


def site_in(given: Any) -> Site:  # noqa: ANN401 - of options
    """Return the site that an option gives as a `Site`, a file, or a file's content.

    Raises
    ------
    SiteError
        The option is none of these, or the site is invalid.
    """
    if isinstance(given, Site):
        return given
    if isinstance(given, str | Path):
        return read_site(given)
    if isinstance(given, Mapping):
        return site_of(given)
    raise SiteError(f"site is {given!r}; it must be a site file, the content of one, or a Site")


def calendar_of(site: Site) -> Calendar:
    """Return the calendar of a site. It converts calendar dates only if the site has a start.

    Raises
    ------
    SiteError
        The site's start is not a date.
    """
    start = site.start
    if isinstance(start, float):
        try:
            start = datetime.fromtimestamp(start, UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise SiteError(f"start is {start:g}, which is not a date in Unix seconds") from error
    return Calendar(site.time_zone, start)


def content_of(site: Site) -> dict[str, Any]:
    """Return the content of a site's file, with dates as text. `site_of` is the inverse.

    Examples
    --------
    >>> content_of(site_of({"limits": [{"of": "jobs", "per": "user", "most": 10}]}))
    {'limits': [{'of': 'jobs', 'per': 'user', 'most': 10.0}]}
    """
    content: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(site))
    return content


def _in_seconds(value: Any, key: str = "") -> Any:  # noqa: ANN401 - of a file
    """Return a file's content with durations in seconds, and days as dates at midnight."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time())
    if isinstance(value, Mapping):
        inside = {name: _in_seconds(one, name) for name, one in value.items()}
        if inside.get("of") == "walltime" and isinstance(inside.get("most"), str):
            inside["most"] = _seconds("most", inside["most"])
        return inside
    if isinstance(value, list):
        return [_in_seconds(one, key) for one in value]
    return _seconds(key, value) if key in DURATIONS and isinstance(value, str) else value


def _seconds(key: str, text: str) -> float:
    try:
        return duration_of(text)
    except SiteError as error:
        raise SiteError(f"{key} is {error}") from None


def require_table(
    site: Site | None, name: str, options: Mapping[str, Any] | None, need: str
) -> None:
    """Raise an `OptionError` with the text `need` if neither the site nor the option has it."""
    if options is None and getattr(site, name, None) is None:
        raise OptionError(need)


def table_of(site: Site, name: str, options: Mapping[str, Any] | None) -> SiteTable | None:
    """Return a site's table with keys replaced by `options`; ``None`` if both are missing."""
    if options is not None:
        site = site_of({name: {**content_of(site).get(name, {}), **options}})
    table: SiteTable | None = getattr(site, name)
    return table
