"""Parts of other packages: check their attributes, and name the parts in errors."""

from typing import Any

from predictors.errors import OptionError, PredictorError, in_words, is_ours
from predictors.registry import Part
from schedulers.errors import SchedulerError


def described(part: object) -> str:
    """Return a part's ``module:Class`` in quotes, as users give it in options."""
    return f"'{type(part).__module__}:{type(part).__qualname__}'"


def require(kind: str, part: object, *names: str) -> None:
    """Raise an `OptionError` if a part lacks an attribute of its contract."""
    missing = [name for name in names if not hasattr(part, name)]
    if missing:
        raise OptionError(
            f"{kind} {described(part)} has no `{missing[0]}`; it needs {', '.join(names)}"
        )


def failure(
    kind: str, part: object, error: Exception, *, job_id: str | None = None
) -> SchedulerError:
    """Return an error that names the part, the job and the line of the failure."""
    on_job = "" if job_id is None else f" on job '{job_id}'"
    said = in_words(error, type(part).__module__)
    return SchedulerError(f"{kind} {described(part)} failed{on_job}: {said}")


class Guard:
    """Wraps a part of another package, so that errors name the part.

    Messages call the part by its `kind`, such as ``backfilling``.
    """

    def __init__(self, kind: str, part: object) -> None:
        self._kind = kind
        self._part = part

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the part has
        """Return an attribute of the part. Methods are wrapped to report their failures."""
        if "_part" not in self.__dict__:
            # called while the object is being copied
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
    """Wrap a part of another package. Our own parts stay unwrapped, for speed."""
    return part if is_ours(type(part).__module__) else Guard(kind, part)
