"""Sites read from a batch system's configuration: from a snapshot of the output of its commands."""

from pred_aware.site_configuration.configured import ConfiguredSite
from pred_aware.site_configuration.reading import configured_site, read_site, site_in

__all__ = ["ConfiguredSite", "configured_site", "read_site", "site_in"]
