"""The correction that the scheduler of OpenPBS makes itself."""

from schedulers.corrections.correction import Overrun, bounded


class OpenPbs:
    """An estimate that ran out becomes the shortest multiple of the first that is not over yet.

    A job with a soft walltime of S that has run for t is planned with S x (1 + floor(t / S)), at
    most its walltime: measured with OpenPBS 23.06.06. So the estimate grows by S each time, where
    paper 003 says that it doubles (`doubling`).
    """

    lead = 0.0
    asks = True
    memoryless = True

    def correct(self, overrun: Overrun) -> float:
        """Return the next multiple of the first estimate, at most the walltime, in seconds.

        Examples
        --------
        >>> from predictors import Submission
        >>> overrun = Overrun(
        ...     elapsed=2700.0, estimate=1200.0, first_estimate=1200.0, walltime=3600.0,
        ...     corrections=0, submission=Submission(id="1", submit_time=0.0, processors=1),
        ... )
        >>> OpenPbs().correct(overrun)
        3600.0
        """
        soft = overrun.first_estimate
        estimate = soft * (1.0 + overrun.elapsed // soft)
        # what a division of doubles rounds away
        if estimate <= overrun.estimate:
            estimate += soft
        return bounded(estimate, overrun)
