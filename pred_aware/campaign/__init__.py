"""Campaigns: many runs of several policies on several logs, which are stored as files."""

from pred_aware.campaign.cache import kept, kept_file, make_folder
from pred_aware.campaign.campaign import Campaign, read_campaign
from pred_aware.campaign.results.frames import NoGroupsError
from pred_aware.campaign.results.showing import progress_shown
from pred_aware.campaign.specification import LogOfCampaign, PolicyOfCampaign
from pred_aware.campaign.store import StoreError

__all__ = [
    "Campaign",
    "LogOfCampaign",
    "NoGroupsError",
    "PolicyOfCampaign",
    "StoreError",
    "kept",
    "kept_file",
    "make_folder",
    "progress_shown",
    "read_campaign",
]
