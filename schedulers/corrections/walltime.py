"""The correction that goes back to what the user asked for."""

from schedulers.corrections.correction import Overrun


class ToWalltime:
    """An estimate that ran out becomes the walltime; without a walltime it doubles."""

    lead = 0.0
    asks = True

    def correct(self, overrun: Overrun) -> float:
        """Return the walltime, in seconds.

        Examples
        --------
        >>> from predictors import Submission
        >>> overrun = Overrun(
        ...     elapsed=60.0, estimate=60.0, first_estimate=60.0, walltime=3600.0,
        ...     corrections=0, submission=Submission(id="1", submit_time=0.0, processors=1),
        ... )
        >>> ToWalltime().correct(overrun)
        3600.0
        """
        if overrun.walltime is None:
            return 2.0 * max(overrun.estimate, overrun.elapsed)
        return overrun.walltime
