"""Values made of a log once and kept in a file, named by what determines it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from pred_aware.campaign.run_digest import digest_of_file, of_log, of_policy
from pred_aware.campaign.specification import LogOfCampaign, PolicyOfCampaign
from pred_aware.errors import PredAwareError
from workload_tools.files import written_whole

T = TypeVar("T")


def kept(folder: Path, kind: type[T], make: Callable[[], T], *determining: object) -> T:
    """Return what was made once: from its file if that is there, made and kept otherwise.

    Parameters
    ----------
    folder
        Where it is kept; it is made.
    kind
        Of the value: what JSON can hold, also dataclasses.
    make
        Makes it.
    determining
        What determines it: a file counts by its content, a log of a campaign by its content and
        what is done to it, a policy by its options and the versions of its parts, all else by its
        text. A number that is raised when `make` makes something else belongs to it.

    Raises
    ------
    PredAwareError, InputError
        A log or file cannot be read, or folder or file cannot be written; and what `make` raises.
    """
    path = kept_file(folder, *determining)
    if not path.is_file():
        keep(path, make())
    return read_kept(path, kind)


def kept_file(folder: Path, *determining: object, suffix: str = ".json") -> Path:
    """Return the file of what these determine; see `kept`.

    Raises
    ------
    PredAwareError
        A log or file cannot be read.
    """
    told = "".join(f"{_text(one)}\n" for one in determining)
    return folder / f"{hashlib.sha256(told.encode()).hexdigest()}{suffix}"


def read_kept(path: Path, kind: type[T]) -> T:
    """Return what was kept in a file."""
    return msgspec.json.decode(path.read_bytes(), type=kind)


def keep(path: Path, content: object) -> None:
    """Write what was made, whole or not at all.

    Raises
    ------
    PredAwareError, InputError
        Folder or file cannot be written.
    """
    make_folder(path.parent)
    with written_whole(path) as file:
        file.write(msgspec.json.encode(content, order="sorted"))


def make_folder(folder: Path) -> None:
    """Make a folder, with those that it stands in.

    Raises
    ------
    PredAwareError
        It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"{folder}: cannot be made: {error.strerror}") from error


def _text(one: object) -> str:
    if isinstance(one, Path):
        return digest_of_file(one)
    if isinstance(one, LogOfCampaign):
        return of_log(one).digest
    if isinstance(one, PolicyOfCampaign):
        return of_policy(one, delays="none").digest
    return str(one)
