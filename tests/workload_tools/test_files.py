import os
import threading
from pathlib import Path

import pytest

from workload_tools.errors import InputError
from workload_tools.files import WholeFiles, written_whole


def write(path: Path, content: bytes = b"new") -> None:
    with written_whole(path) as file:
        file.write(content)


def write_together(*paths: Path, interrupted: bool = False) -> None:
    with WholeFiles() as files:
        for path in paths:
            files.text(path).write("new")
        files.leave_none(paths[0].with_name("earlier"))
        files.leave_none(paths[0])
        if interrupted:
            raise KeyboardInterrupt


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with written_whole(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


def test_a_link_is_kept_and_its_target_is_written(tmp_path: Path) -> None:
    link = tmp_path / "latest"
    link.symlink_to("run5")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "run5").read_bytes() == b"new"


def test_a_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    link = tmp_path / "nothing"
    link.symlink_to("/dev/null")
    write(link)
    assert link.is_char_device()
    assert [*tmp_path.iterdir()] == [link]


def test_a_full_device_is_an_error(tmp_path: Path) -> None:
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    with pytest.raises(InputError, match="full: cannot be written: No space left on device"):
        write(link)


def test_writing_to_a_pipe_works(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(timeout=10)
    assert read == [b"new"]
    assert pipe.is_fifo()


def test_several_files_get_their_names_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    (tmp_path / "a").write_bytes(b"old")
    names = ("a", "b", "full")
    with pytest.raises(InputError, match="full: cannot be written: No space left on device"):
        write_together(*(tmp_path / name for name in names))
    assert (tmp_path / "a").read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"a", "full"}


def test_a_file_of_an_earlier_run_is_removed_only_after_success(tmp_path: Path) -> None:
    (tmp_path / "earlier").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_together(tmp_path / "a", interrupted=True)
    assert [*tmp_path.iterdir()] == [tmp_path / "earlier"]
    write_together(tmp_path / "a")
    assert [*tmp_path.iterdir()] == [tmp_path / "a"]


def test_another_program_can_write_one_of_several_files(tmp_path: Path) -> None:
    with WholeFiles() as files:
        files.place(tmp_path / "copied").write_bytes(b"by another program")
        assert not (tmp_path / "copied").exists()
    assert [*tmp_path.iterdir()] == [tmp_path / "copied"]


def test_a_name_that_is_too_long_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        write(tmp_path / ("x" * 300))
