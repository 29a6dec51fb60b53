"""The folder of compiled code: whom it belongs to, and what becomes of damaged files."""

import logging
import os
from pathlib import Path

import pytest

from predictors import compile_cache
from predictors.compile_cache import cache_folder, compiled_once


def folder_in(base: Path) -> Path | None:
    """Return the folder for what is compiled of this file."""
    return cache_folder("code", [Path(__file__)], {"XDG_CACHE_HOME": str(base)})


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    folder = folder_in(tmp_path)
    assert folder is not None
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(mode)
    assert folder_in(tmp_path) is None
    assert f"{folder} can be written by other users" in caplog.text


def test_nor_is_one_below_a_folder_where_others_could_put_their_own(tmp_path: Path) -> None:
    base = tmp_path / "shared"
    base.mkdir()
    for mode, used in ((0o777, False), (0o1777, True), (0o755, True)):
        base.chmod(mode)
        assert (folder_in(base) is not None) is used, f"{mode:o}"


def test_what_a_generous_umask_has_made_is_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "pred-aware").mkdir()
    (tmp_path / "pred-aware").chmod(0o775)
    assert folder_in(tmp_path) is not None
    assert (tmp_path / "pred-aware").stat().st_mode & 0o777 == 0o755


def test_a_folder_of_another_user_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert folder_in(tmp_path) is not None
    ours = os.geteuid()
    monkeypatch.setattr(compile_cache.os, "geteuid", lambda: ours + 1)
    assert folder_in(tmp_path) is None
    assert "belongs to another user" in caplog.text


@pytest.mark.parametrize("damaged", [b"", b"tre", b"\xff\xfe\x00\n"])
def test_a_cut_note_of_what_was_compiled_is_written_again(tmp_path: Path, damaged: bytes) -> None:
    mark = tmp_path / "mark"
    assert compiled_once(mark, lambda: "tree") == "tree"
    mark.write_bytes(damaged)
    assert compiled_once(mark, lambda: "again") == "again"
    assert compiled_once(mark, lambda: "never") == "again"


def test_a_damaged_file_of_compiled_code_counts_as_missing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("numba")
    from predictors.compiled import _CheckedFiles

    files = _CheckedFiles(str(tmp_path), "function", "stamp")
    files.save("key", ("code", 1))
    assert files.load("key") == ("code", 1)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        for what, damaged in (
            ("empty", b""), ("cut", whole[:-1]), ("zeros", bytes(len(whole))),
            ("a bit", whole[:-2] + bytes([whole[-2] ^ 1]) + whole[-1:]),
            ("numba's own", whole[16:]),
        ):  # fmt: skip
            caplog.clear()
            path.write_bytes(damaged)
            with caplog.at_level(logging.WARNING):
                assert files.load("key") is None, f"{path.name}: {what}"
            assert f"{path} is damaged" in caplog.text, f"{path.name}: {what}"
            files.save("key", ("code", 1))
            assert files.load("key") == ("code", 1), f"{path.name}: {what}"
