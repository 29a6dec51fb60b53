"""A table of a site's that an order goes by, with the keys of it that its option gives."""

from collections.abc import Mapping
from typing import Any

from predictors.errors import OptionError
from schedulers.site.batch_system import SiteTable
from schedulers.site.reader import content_of, site_of
from schedulers.site.site import Site


def require_table(site: Site | None, name: str, own: Mapping[str, Any] | None, need: str) -> None:
    """Raise an `OptionError` that tells a need where neither a site nor the option has a table."""
    if own is None and getattr(site, name, None) is None:
        raise OptionError(need)


def table_of(site: Site, name: str, own: Mapping[str, Any] | None) -> SiteTable | None:
    """Return a site's table with the keys of the option over its own; ``None`` without either."""
    if own is not None:
        site = site_of({name: {**content_of(site).get(name, {}), **own}})
    table: SiteTable | None = getattr(site, name)
    return table
