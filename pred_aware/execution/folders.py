"""Temporary folders for runs with other programs, and the logs that are kept."""

import gzip
import logging
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.simulator.outputs import ADVICE
from workload_tools.batsim.versions import is_version_5, to_version_4, to_version_5
from workload_tools.files import GZIP_MAGIC, created_folder

_logger = logging.getLogger(__name__)

_LOGS = ("batsim.log", "decision_process.log")


@contextmanager
def scratch(prefix: Path) -> Iterator[Path]:
    """Provide a folder for sockets and logs; the logs are always copied next to the output."""
    for name in _LOGS:
        if Path(f"{prefix}_{name}").is_dir():
            raise PredAwareError(f"{prefix}_{name}: is a folder; give the name of a file; {ADVICE}")
    # the path must be short, because the name of a socket has at most 107 characters
    with (
        created_folder(prefix.parent, advice=ADVICE),
        tempfile.TemporaryDirectory(prefix="pred-aware-") as name,
    ):
        folder = Path(name)
        try:
            yield folder
        finally:
            for log in folder.glob("*.log"):
                _keep_log(log, Path(f"{prefix}_{log.name}"))


def _keep_log(log: Path, target: Path) -> None:
    """Copy a log; ignore errors, so that a full disk does not hide an earlier error."""
    if not target.parent.is_dir():
        return
    try:
        shutil.copyfile(log, target)
    except OSError as error:
        _logger.warning("%s: cannot be written: %s", target, error.strerror)
        with suppress(OSError):
            target.unlink(missing_ok=True)


@contextmanager
def results(prefix: Path) -> Iterator[Path]:
    """Provide a temporary folder next to the output, so that its files can be renamed."""
    with tempfile.TemporaryDirectory(
        prefix=f".{prefix.name}.{os.getpid()}.", suffix=".part", dir=prefix.parent,
        ignore_cleanup_errors=True,
    ) as name:  # fmt: skip
        yield Path(name).resolve()


def for_batsim(workload: Path, folder: Path, version: int) -> Path:
    """Return a workload in the format of a Batsim version: the file itself, or a converted copy.

    Raises
    ------
    PredAwareError
        The gzip file is incomplete or damaged.
    """
    content = workload.read_bytes()
    if content.startswith(GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise PredAwareError(f"{workload}: damaged gzip: {error}") from error
    elif (version == 5) == is_version_5(content):  # noqa: PLR2004
        return workload
    target = folder / workload.name.removesuffix(".gz")
    target.write_bytes(to_version_4(content) if version == 4 else to_version_5(content))  # noqa: PLR2004
    return target
