"""Values that are computed once and stored in a file, named by a digest of their inputs."""

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
    """Return a value from its file, or compute it and write the file.

    Parameters
    ----------
    folder
        Folder of the file, which is created.
    kind
        Type of the value: anything that JSON can hold, also dataclasses.
    make
        Computes the value.
    determining
        The inputs that determine the value. Files are identified by their content, logs of a
        campaign by content and changes, policies by their options and the versions of their parts,
        and other values by their text. Include a number that you increase when `make` changes.

    Raises
    ------
    PredAwareError, InputError
        A log or file cannot be read, or the folder or file cannot be written; also any error of
        `make`.
    """
    path = kept_file(folder, *determining)
    if not path.is_file():
        keep(path, make())
    return read_kept(path, kind)


def kept_file(folder: Path, *determining: object, suffix: str = ".json") -> Path:
    """Return the path for these inputs; see `kept`.

    Raises
    ------
    PredAwareError
        A log or file cannot be read.
    """
    content = "".join(f"{_text(one)}\n" for one in determining)
    return folder / f"{hashlib.sha256(content.encode()).hexdigest()}{suffix}"


def read_kept(path: Path, kind: type[T]) -> T:
    """Return the value in a file."""
    return msgspec.json.decode(path.read_bytes(), type=kind)


def keep(path: Path, content: object) -> None:
    """Write a value to a file completely, or not at all.

    Raises
    ------
    PredAwareError, InputError
        The folder or file cannot be written.
    """
    make_folder(path.parent)
    with written_whole(path) as file:
        file.write(msgspec.json.encode(content, order="sorted"))


def make_folder(folder: Path) -> None:
    """Create a folder and its parents.

    Raises
    ------
    PredAwareError
        The folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"{folder}: cannot be created: {error.strerror}") from error


def _text(value: object) -> str:
    if isinstance(value, Path):
        return digest_of_file(value)
    if isinstance(value, LogOfCampaign):
        return of_log(value).digest
    if isinstance(value, PolicyOfCampaign):
        return of_policy(value, delays="none").digest
    return str(value)
