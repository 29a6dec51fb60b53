"""Requests to the service and its answers: one JSON object per line."""

from typing import Annotated, Any, TypeAlias

import msgspec

from pred_aware.production.schema import LARGEST, LARGEST_COUNT, LAST_DATE
from pred_aware.production.schema import LONGEST as LONGEST_TIME
from predictors import Submission
from workload_tools.expected import in_words
from workload_tools.job import Job
from workload_tools.printable import on_one_line

LONGEST = 1 << 16
"""Largest size of a line, in bytes."""


# requests have the same limits as stored jobs
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_COUNT)]
_Amount: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=LARGEST)]


class MessageError(ValueError):
    """The message is invalid; the error says why."""


class JobDescription(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A job at its submission; its fields are those of `predictors.Submission`.

    The job may have no id yet. Without a submission date, the current time is used.
    """

    id: str = ""
    submit_time: Annotated[float, msgspec.Meta(ge=-LAST_DATE, le=LAST_DATE)] | None = None
    processors: _Number = 1
    walltime: Annotated[float, msgspec.Meta(gt=0, le=LONGEST_TIME)] | None = None
    user: str | None = None
    group: str | None = None
    project: str | None = None
    queue: str | None = None
    partition: str | None = None
    executable: str | None = None
    name: str | None = None
    nodes: _Number | None = None
    gpus: _Number | None = None
    memory: _Amount | None = None
    qos: str | None = None

    def submission(self, now: float) -> Submission:
        """Return the submission for predictors."""
        values = msgspec.structs.asdict(self)
        if self.submit_time is None:
            values["submit_time"] = now
        return Submission(**values)


class EstimateRequest(msgspec.Struct, frozen=True, tag_field="ask", tag="estimate"):
    """Asks for the run time of a job."""

    job: JobDescription


class PbsEstimate(msgspec.Struct, frozen=True, tag_field="ask", tag="pbs"):
    """An estimate request from the PBS hook, with attributes as in PBS's accounting log."""

    job: dict[str, str]


class FinishedJobs(msgspec.Struct, frozen=True, tag_field="ask", tag="ended"):
    """Reports ended jobs; dates are Unix dates."""

    jobs: list[Job]


class Health(msgspec.Struct, frozen=True, tag_field="ask", tag="health"):
    """Asks for the state of the service."""


class Reload(msgspec.Struct, frozen=True, tag_field="ask", tag="reload"):
    """Asks the service to learn all jobs of the store again."""


Request = EstimateRequest | PbsEstimate | FinishedJobs | Health | Reload

_DECODER = msgspec.json.Decoder(Request)
_ENCODER = msgspec.json.Encoder()


def read_request(line: bytes) -> Request:
    """Decode a request.

    Raises
    ------
    MessageError
        The line is not a valid request.

    Examples
    --------
    >>> read_request(b'{"ask": "estimate", "job": {"user": "ann", "walltime": 3600}}').job.user
    'ann'
    """
    try:
        request: Request = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MessageError(on_one_line(f"invalid request: {in_words(error)}")) from error
    return request


def write_answer(answer: dict[str, Any]) -> bytes:
    r"""Encode an answer, with a newline.

    Examples
    --------
    >>> write_answer({"estimate": 60.0})
    b'{"estimate":60.0}\n'
    """
    return _ENCODER.encode(answer) + b"\n"
