"""Why a job of a run waited: processors held by other jobs, planned starts, and overtaking jobs."""
