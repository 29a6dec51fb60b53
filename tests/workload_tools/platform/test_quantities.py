"""Platforms as values in a script."""

import pickle
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools.errors import PlatformError
from workload_tools.platform.platform import Platform
from workload_tools.platform.quantities import BANDWIDTH, SPEED, TIME, parse_quantity
from workload_tools.platform.writer import write_platform


@each_case(
    ("text", "units", "value"),
    [
        ("50us", TIME, 50 * 1e-6),
        ("59.904us", TIME, 59.904 * 1e-6),
        ("1.5 ms", TIME, 1.5 * 1e-3),
        ("0", TIME, 0.0),
        ("2h", TIME, 7200.0),
        ("125MBps", BANDWIDTH, 125e6),
        ("1Gbps", BANDWIDTH, 125e6),
        ("1KiBps", BANDWIDTH, 1024.0),
        ("98.095Mf", SPEED, 98.095 * 1e6),
        ("1e3Mf", SPEED, 1e9),
    ],
)
def test_units_are_those_of_simgrid(text: str, units: dict[str, float], value: float) -> None:
    assert parse_quantity(text, units) == value


@each_case("text", ["", "us", "1,5us", "nan", "inf", "-1us", "0x10us", "1_0us", "1e999s"])
def test_an_invalid_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a number|too large"):
        parse_quantity(text, TIME)


def test_a_unit_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown unit 'us'; known: Bps"):
        parse_quantity("50us", BANDWIDTH)


def test_a_platform_of_a_size_equals_the_written_one(tmp_path: Path) -> None:
    write_platform(tmp_path / "machine.xml", hosts=12)
    read = Platform.read(str(tmp_path / "machine.xml"))
    assert read == Platform.of(12)
    assert read.sha256 == Platform.of(12).sha256 != Platform.of(13).sha256


def test_a_platform_can_be_sent_to_another_process() -> None:
    platform = Platform.of(12)
    sent = pickle.loads(pickle.dumps(platform))  # noqa: S301 - what was pickled here
    assert (sent, sent.sha256) == (platform, platform.sha256)


def test_the_repr_of_a_platform_has_its_size_and_not_all_hosts() -> None:
    assert repr(Platform.of(10_000)) == "<Platform of 10000 processors>"


def test_a_platform_without_processors_is_refused() -> None:
    with pytest.raises(PlatformError, match="between 1 and"):
        Platform.of(0)
