"""Why a job of a run waited: who held the processors, what it was promised, who overtook it."""
