"""Sites made of what a batch system is configured with, as a snapshot of its commands has it."""

from pred_aware.site_configuration.configured import ConfiguredSite
from pred_aware.site_configuration.reading import configured_site, read_site, site_in

__all__ = ["ConfiguredSite", "configured_site", "read_site", "site_in"]
