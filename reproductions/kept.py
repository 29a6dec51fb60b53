"""What was made for a claim, kept in a file that is named by what determines it."""

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pred_aware.errors import PredAwareError
from workload_tools.files import written_whole

T = TypeVar("T")


def kept_file(folder: Path, *determining: object) -> Path:
    """Return the file of what is determined by these, each told by its text."""
    told = "".join(f"{one}\n" for one in determining)
    return folder / f"{hashlib.sha256(told.encode()).hexdigest()}.json"


def keep(path: Path, content: Any) -> None:  # noqa: ANN401 - whatever JSON can have
    """Write what was made, whole or not at all.

    Raises
    ------
    PredAwareError, InputError
        Folder or file can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"{path.parent}: can't be written: {error.strerror}") from error
    with written_whole(path) as file:
        file.write(msgspec.json.encode(content, order="sorted"))


def read_kept(path: Path, kind: type[T]) -> T:
    """Return what was kept."""
    return msgspec.json.decode(path.read_bytes(), type=kind)
