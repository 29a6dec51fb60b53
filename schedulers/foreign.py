"""Parts of other packages: their required attributes, and errors that name them."""

from typing import Any

from predictors.errors import OptionError, PredictorError
from predictors.failures import in_words, is_ours
from predictors.registry import Part
from schedulers.errors import SchedulerError


def described(part: object) -> str:
    """Name a part by its module and class, as it can be given in the options."""
    return f"'{type(part).__module__}:{type(part).__qualname__}'"


def require(kind: str, part: object, *names: str) -> None:
    """Check that a part has what its contract says, or raise an `OptionError`."""
    missing = [name for name in names if not hasattr(part, name)]
    if missing:
        raise OptionError(
            f"{kind} {described(part)} has no `{missing[0]}`; a {kind} needs {', '.join(names)}"
        )


def failure(
    kind: str, part: object, error: Exception, *, job_id: str | None = None
) -> SchedulerError:
    """Return the error that says in which part, on which job and in which line it failed."""
    on_job = "" if job_id is None else f" on job '{job_id}'"
    said = in_words(error, type(part).__module__)
    return SchedulerError(f"{kind} {described(part)} failed{on_job}: {said}")


class Guard:
    """A part of another package with its attributes and methods, which is named when it fails.

    `kind` is its word in messages, such as ``backfilling``.
    """

    def __init__(self, kind: str, part: object) -> None:
        self._kind = kind
        self._part = part

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the part has
        """Return an attribute of the part; its methods with their failures told."""
        if "_part" not in self.__dict__:
            # a copy that is being made
            raise AttributeError(name)
        found = getattr(self._part, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            try:
                return found(*arguments, **named)
            except (PredictorError, SchedulerError):
                raise
            except Exception as error:
                raise failure(self._kind, self._part, error) from error

        return call


def guarded_part(kind: str, part: Part) -> Part:
    """Guard a part from outside of our packages; ours need none, and are asked very often."""
    return part if is_ours(type(part).__module__) else Guard(kind, part)
