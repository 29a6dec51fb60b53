import os
import threading
from pathlib import Path

import pytest

from workload_tools.errors import InputError
from workload_tools.files import written_whole


def write(path: Path, content: bytes = b"new") -> None:
    with written_whole(path) as file:
        file.write(content)


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with written_whole(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


def test_a_link_stays_and_the_file_it_names_is_written(tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match="full: can't be written: No space left on device"):
        write(link)


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(timeout=10)
    assert read == [b"new"]
    assert pipe.is_fifo()
