"""Sites from a batch system's configuration, read from a snapshot of its commands' output."""

from pred_aware.site_configuration.configured import ConfiguredSite
from pred_aware.site_configuration.reading import configured_site, read_site, site_in

__all__ = ["ConfiguredSite", "configured_site", "read_site", "site_in"]
