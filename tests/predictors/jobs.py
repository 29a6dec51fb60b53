"""A job of which predictors are asked."""

from typing import Any

from predictors import Submission


def job(name: str = "7", **known: Any) -> Submission:  # noqa: ANN401 - fields of any type
    """Make a job of ann's on one processor, submitted at 0 s, of which this is known as well."""
    return Submission(**{"id": name, "submit_time": 0.0, "processors": 1, "user": "ann", **known})
