"""What the runs of a campaign show."""
