"""Campaigns: many runs, of several policies on several logs, kept in a store of files."""
