"""Reader of the public job table of the supercomputer Marconi100."""
