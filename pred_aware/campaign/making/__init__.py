"""Who makes the runs of a campaign: workers of this machine, and what each does."""
