"""The files in the folder of a study."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec

from pred_aware.campaign.store import Store
from pred_aware.errors import PredAwareError
from pred_aware.study.reading import ReadLog
from pred_aware.study.request import Reading
from schedulers.site.writer import text_of, toml_value
from workload_tools.files import written_whole
from workload_tools.platform.writer import write_platform

JSON, PAGE = "study.json", "study.html"
WORKLOAD, PLATFORM, SITE, STORE, CAMPAIGN, KEY = (
    "workload.json", "platform.xml", "site.toml", "runs", "campaign.toml", "names.json",
)  # fmt: skip
"""The names of a study's files, except the page and the data."""


def check_folder(folder: Path, request: Reading) -> None:
    """Make the folder, or check that an earlier study made it.

    Raises
    ------
    PredAwareError
        The folder cannot be made, is in the log's folder, or has files but is not a study's.
    """
    for path in request.paths:
        if path.is_dir() and folder.resolve().is_relative_to(path.resolve()):
            raise PredAwareError(f"{folder} is in the log's folder; give another folder with -o")
    store = Store(folder / STORE)
    try:
        there = folder.is_dir() and any(folder.iterdir())
        if there and not store.folder.is_dir():
            raise PredAwareError(
                f"{folder} has files, but is not the folder of a study; give another folder with -o"
            )
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"cannot make the folder {folder}: {error.strerror}") from error
    store.begin()


@contextmanager
def study_folder(folder: Path, request: Reading) -> Iterator[None]:
    """Check or make a folder, and remove a new folder if the block raises."""
    was_there = folder.exists()
    check_folder(folder, request)
    try:
        yield
    except Exception:
        if not was_there:
            rmtree(folder, ignore_errors=True)
        raise


def write_json(content: Any, path: Path) -> None:  # noqa: ANN401 - any JSON value
    """Write indented JSON, the whole file or nothing."""
    with written_whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")


def write_inputs(log: ReadLog, folder: Path, *, platform: Path | None) -> None:
    """Write the workload, the platform, the names and the site."""
    with written_whole(folder / WORKLOAD) as file:
        # the page shows the digest of this content
        file.write(log.log.workload.raw.content)
    if platform is None:
        write_platform(folder / PLATFORM, hosts=log.size.processors)
    else:
        with written_whole(folder / PLATFORM) as file:
            file.write(platform.read_bytes())
    log.write_key(folder / KEY)
    if log.site is not None:
        with written_whole(folder / SITE) as file:
            file.write(text_of(log.site).encode())


def write_campaign(content: Mapping[str, Any], path: Path) -> None:
    """Write a campaign's file, so that `pred-aware campaign` can use the study's runs.

    Parameters
    ----------
    content
        The content. Its file names are relative to the folder.
    path
        The path of the campaign's file.
    """
    lines = ["# The campaign of `pred-aware study`: `pred-aware campaign table` shows its runs."]
    tables = {key: value for key, value in content.items() if isinstance(value, Mapping)}
    lines += [f"{key} = {toml_value(value)}" for key, value in content.items() if key not in tables]
    for key, value in tables.items():
        nested = {name: one for name, one in value.items() if isinstance(one, Mapping)}
        for name, one in (nested or {"": value}).items():
            lines += ["", f"[{key}.{name}]" if name else f"[{key}]"]
            lines += [f"{inner} = {toml_value(given)}" for inner, given in one.items()]
    with written_whole(path) as file:
        file.write("\n".join([*lines, ""]).encode())
