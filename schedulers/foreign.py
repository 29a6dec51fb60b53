"""Parts that somebody else wrote: what they must have, and errors that name them."""

from predictors.errors import OptionError
from schedulers.errors import SchedulerError


def described(part: object) -> str:
    """Name a part by its module and class, as it can be given in the options."""
    return f"'{type(part).__module__}:{type(part).__qualname__}'"


def require(kind: str, part: object, *names: str) -> None:
    """Check that a part has what its contract says.

    Raises
    ------
    OptionError
        It lacks something.
    """
    missing = [name for name in names if not hasattr(part, name)]
    if missing:
        raise OptionError(
            f"{kind} {described(part)} has no `{missing[0]}`; a {kind} needs {', '.join(names)}"
        )


def failure(kind: str, part: object, job_id: str, error: Exception) -> SchedulerError:
    """Make the error that says in which part, and on which job, something went wrong."""
    words = " ".join(str(error).split())
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return SchedulerError(f"{kind} {described(part)} failed on job '{job_id}': {said}")
