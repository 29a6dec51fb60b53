"""Platforms as values in a script."""

import pickle
from pathlib import Path

import pytest

from workload_tools.errors import PlatformError
from workload_tools.platform.platform import Platform
from workload_tools.platform.writer import write_platform


def test_a_platform_of_a_size_is_the_one_that_is_written(tmp_path: Path) -> None:
    write_platform(tmp_path / "machine.xml", hosts=12)
    read = Platform.read(str(tmp_path / "machine.xml"))
    assert read == Platform.of(12)
    assert read.sha256 == Platform.of(12).sha256 != Platform.of(13).sha256


def test_a_platform_can_be_sent_to_another_process() -> None:
    platform = Platform.of(12)
    sent = pickle.loads(pickle.dumps(platform))  # noqa: S301 - what was pickled here
    assert (sent, sent.sha256) == (platform, platform.sha256)


def test_a_platform_says_its_size_and_not_all_of_its_hosts() -> None:
    assert repr(Platform.of(10_000)) == "<Platform of 10000 processors>"


def test_a_platform_of_nothing_is_refused() -> None:
    with pytest.raises(PlatformError, match="between 1 and"):
        Platform.of(0)
