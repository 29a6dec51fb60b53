import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.suites import each_case
from workload_tools import log_lines
from workload_tools.errors import LogError
from workload_tools.log_lines import line_blocks


def numbered(path: Path) -> list[tuple[int, str]]:
    return [
        (first + index, text)
        for first, lines in line_blocks(path)
        for index, text in enumerate(lines)
    ]


@each_case("pack", [bytes, gzip.compress])
@each_case("block_size", [1, 3, 1000])
def test_lines_are_complete_and_numbered_across_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], block_size: int
) -> None:
    monkeypatch.setattr(log_lines, "BLOCK_SIZE", block_size)
    path = tmp_path / "log"
    path.write_bytes(pack(b"one\ntwo words\n\nlast, without an end"))
    assert numbered(path) == [(1, "one"), (2, "two words"), (3, ""), (4, "last, without an end")]


def test_concatenated_gzip_files_are_one_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert numbered(path) == [(1, "one"), (2, "two")]


def test_a_truncated_gzip_is_an_error_with_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    text = b"".join(b"%d %d\n" % (number, number**7) for number in range(20_000))
    path.write_bytes(gzip.compress(text)[:-1000])
    with pytest.raises(LogError, match="damaged gzip") as error:
        numbered(path)
    assert error.value.line > 10_000


def test_a_damaged_gzip_is_an_error(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(bytes(range(256)) * 100))
    content[40:60] = b"\xff" * 20
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(LogError, match="damaged gzip"):
        numbered(path)


def test_a_missing_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nowhere\.swf: cannot be read: No such file"):
        numbered(tmp_path / "nowhere.swf")
    with pytest.raises(LogError, match="cannot be read: Is a directory"):
        numbered(tmp_path)


def test_a_file_without_line_ends_is_not_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_lines, "LONGEST_LINE", 1000)
    path = tmp_path / "log"
    path.write_bytes(b"x" * 1_000_000)
    with pytest.raises(LogError, match="not a log"):
        numbered(path)
