"""Two schedules of the same jobs as charts of a page, drawn by a script of their own."""
