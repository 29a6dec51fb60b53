"""Two schedules of the same jobs as interactive charts in a page, with their own script."""
