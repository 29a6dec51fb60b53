"""The table of a site that an order uses, merged with keys from the order's option."""

from collections.abc import Mapping
from typing import Any

from predictors.errors import OptionError
from schedulers.site.batch_system import SiteTable
from schedulers.site.reader import content_of, site_of
from schedulers.site.site import Site


def require_table(site: Site | None, name: str, own: Mapping[str, Any] | None, need: str) -> None:
    """Raise an `OptionError` with the text `need` if neither the site nor the option has it."""
    if own is None and getattr(site, name, None) is None:
        raise OptionError(need)


def table_of(site: Site, name: str, own: Mapping[str, Any] | None) -> SiteTable | None:
    """Return a site's table with the option's keys replaced; ``None`` if neither has it."""
    if own is not None:
        site = site_of({name: {**content_of(site).get(name, {}), **own}})
    table: SiteTable | None = getattr(site, name)
    return table
