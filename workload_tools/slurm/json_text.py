"""Reader of the jobs of `sacct --json`, one at a time, from files of any length."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from workload_tools.errors import LogError
from workload_tools.packed import unpacked

_BLOCK = 1 << 20
_LONGEST_JOB = 1 << 27
_SPACE = " \t\r\n"


def json_jobs(path: Path) -> Iterator[Any]:
    """Yield the jobs of one or more documents of `sacct --json`, one job in memory at a time.

    A document is an object with a list ``jobs``, a list of jobs or of such objects, or a single
    job.

    Raises
    ------
    LogError
        The file cannot be read or is not JSON, or a document has no jobs.
    """
    with unpacked(path) as file:
        yield from _jobs(_Text(path, file))


def is_json(path: Path) -> bool:
    """Return True if a file, may be gzipped, begins like a JSON object or list.

    Raises
    ------
    LogError
        The file cannot be read.
    """
    with unpacked(path) as file:
        head = file.read(_BLOCK).removeprefix(codecs.BOM_UTF8)
        return head.lstrip().startswith((b"{", b"["))


def _jobs(text: "_Text") -> Iterator[Any]:
    """Yield the jobs of consecutive documents."""
    yield from _of_document(text)
    while text.peek():
        yield from _of_document(text)


def _of_document(text: "_Text") -> Iterator[Any]:
    """Yield the jobs of a document, and skip other content."""
    if text.peek() == "[":
        for one in text.members():
            listed = one.get("jobs") if isinstance(one, dict) else None
            yield from listed if isinstance(listed, list) else [one]
        return
    text.expect("{")
    others: dict[str, Any] = {}
    has_jobs = False
    while text.peek() != "}":
        name = text.value()
        text.expect(":")
        if name != "jobs":
            others[name] = text.value()
        elif text.peek() != "[":
            raise text.error("'jobs' is not a list")
        else:
            has_jobs = True
            yield from text.members()
        if text.peek() != "}":
            text.expect(",")
    if not has_jobs:
        if "job_id" not in others:
            raise text.error("has no list of jobs")
        yield others
    text.expect("}")


class _Text:
    """JSON text that is read as needed."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.file = file
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False
        self.decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self.decoder = json.JSONDecoder(strict=False)

    def peek(self) -> str:
        """Return the next character that is not white space; empty at the end."""
        while True:
            while self.at < len(self.text):
                character = self.text[self.at]
                if character not in _SPACE:
                    return character
                self.at += 1
            if not self._more():
                return ""

    def expect(self, character: str) -> None:
        """Consume a character that must be next."""
        found = self.peek()
        if found != character:
            raise self.error(f"'{character}' expected, not '{found}'" if found else "is incomplete")
        self.at += 1

    def members(self) -> Iterator[Any]:
        """Consume the next list, and yield its members."""
        self.expect("[")
        while self.peek() != "]":
            yield self.value()
            if self.peek() != "]":
                self.expect(",")
        self.expect("]")

    def value(self) -> Any:  # noqa: ANN401 - as JSON has it
        """Consume and return the next value."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except (json.JSONDecodeError, RecursionError) as error:
                # a value that is cut off at the end of the text may continue in the next block
                if len(self.text) - self.at > _LONGEST_JOB or not self._more():
                    raise self._not_json(error) from error
                continue
            except ValueError as error:
                # Python refuses integers of more than 4300 digits
                raise self.error("has an integer of too many digits") from error
            if end == len(self.text) and self._more():
                continue  # a number may go on
            self.at = end
            return value

    def error(self, message: str) -> LogError:
        """Return an error at the current position."""
        return LogError(self.path, message, self.line + self.text.count("\n", 0, self.at))

    def _not_json(self, error: json.JSONDecodeError | RecursionError) -> LogError:
        if isinstance(error, json.JSONDecodeError):
            self.at = error.pos
            return self.error(f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}")
        return self.error("is nested too deeply")

    def _more(self) -> bool:
        """Read a block as long as the unread text, so that a long value takes linear time."""
        if self.ended:
            return False
        block = self.file.read(max(_BLOCK, len(self.text) - self.at))
        self.ended = not block
        self.line += self.text.count("\n", 0, self.at)
        self.text = self.text[self.at :] + self.decode(block, final=self.ended)
        self.at = 0
        return not self.ended
