import gzip
import hashlib
import random
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.suites import each_case
from tests.workload_tools.archive.server import Archive, serving
from workload_tools.archive.fetching import cache_folder, download, fetch
from workload_tools.archive.logs import LOGS, ArchivedLog, ArchiveError, find
from workload_tools.archive.tables import TABLES, PublishedTable
from workload_tools.table.shipped import shipped_names

LOG = b"; Installation: somewhere\n; Acknowledge: Ann\n" + b"".join(
    b"%d 0 0 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 %d\n" % (n, random.Random(n).getrandbits(40))  # noqa: S311 - no secret
    for n in range(1, 5000)
)
PACKED = gzip.compress(LOG)
MADE = ArchivedLog("Made-2026-1", "l_made", hashlib.sha256(LOG).hexdigest())


@pytest.fixture
def archive() -> Iterator[Archive]:
    with serving({"/l_made/Made-2026-1.swf.gz": PACKED, "/bad.gz": b"no gzip"}) as served:
        yield served


def test_a_log_is_fetched_once_and_checked(archive: Archive, tmp_path: Path) -> None:
    path, address = tmp_path / "cache" / MADE.file, MADE.address(archive.address)
    first = fetch(MADE, path, address=address)
    again = fetch(MADE, path, address=address)
    assert path.read_bytes() == PACKED
    assert (first.received, again.received, len(archive.asked)) == (len(PACKED), 0, 1)
    assert (first.sha256, first.checked) == (MADE.sha256, True)
    assert first.origin == ("Installation: somewhere", "Acknowledge: Ann")


def test_an_interrupted_download_resumes(archive: Archive, tmp_path: Path) -> None:
    path, address = tmp_path / "log.gz", MADE.address(archive.address)
    archive.breaks_after = 1000
    with pytest.raises(ArchiveError, match="1000 bytes are saved, and the next download continues"):
        fetch(MADE, path, address=address)
    assert not path.exists()
    assert fetch(MADE, path, address=address).received == len(PACKED) - 1000
    assert [wanted for _, wanted in archive.asked] == [None, "bytes=1000-"]
    assert [file.name for file in tmp_path.iterdir()] == ["log.gz"]


def test_a_server_without_ranges_sends_the_whole_file_again(
    archive: Archive, tmp_path: Path
) -> None:
    archive.knows_ranges = False
    (tmp_path / "log.gz.part").write_bytes(b"a beginning")
    assert download(MADE.address(archive.address), tmp_path / "log.gz") == len(PACKED)
    assert (tmp_path / "log.gz").read_bytes() == PACKED


def test_a_partial_file_longer_than_the_log_is_discarded(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "log.gz.part").write_bytes(b"x" * (len(PACKED) + 1))
    download(MADE.address(archive.address), tmp_path / "log.gz")
    assert (tmp_path / "log.gz").read_bytes() == PACKED


def test_a_log_with_a_wrong_checksum_is_an_error_and_not_kept(
    archive: Archive, tmp_path: Path
) -> None:
    other = ArchivedLog("Made-2026-1", "l_made", "0" * 64)
    with pytest.raises(ArchiveError, match="is not the known Made-2026-1"):
        fetch(other, tmp_path / "log.gz", address=other.address(archive.address))
    with pytest.raises(ArchiveError, match="is not a complete gzip file"):
        fetch(MADE, tmp_path / "log.gz", address=f"{archive.address}/bad.gz")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_damaged_file_is_named_and_kept(archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(PACKED[:-9])
    with pytest.raises(ArchiveError, match="remove the file to download it again"):
        fetch(MADE, path, address=MADE.address(archive.address))
    assert path.exists()
    assert archive.asked == []


@each_case(
    ("path", "message"),
    [("/none.gz", "the server answered 404"), ("", "is not an HTTP or HTTPS address")],
)
def test_a_file_missing_on_the_server_is_an_error(
    archive: Archive, tmp_path: Path, path: str, message: str
) -> None:
    address = f"{archive.address}{path}" if path else "file:///etc/passwd"
    with pytest.raises(ArchiveError, match=message):
        download(address, tmp_path / "log.gz")


def test_without_a_network_the_error_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{bound.getsockname()[1]}/log.gz"
        with pytest.raises(
            ArchiveError, match=r"cannot be reached .*download the file on another machine"
        ):
            download(address, tmp_path / "new" / "log.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_silent_server_ends_in_a_timeout(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/log.gz"
        with pytest.raises(ArchiveError, match="cannot be reached"):
            download(address, tmp_path / "log.gz", timeout=0.1)


@each_case(
    ("name", "found"),
    [
        ("kth", "KTH-SP2-1996-2.1-cln"),
        ("KTH-SP2-1996-2.1-cln.swf.gz", "KTH-SP2-1996-2.1-cln"),
        ("unilu-gaia-2014-1", "UniLu-Gaia-2014-1"),
        ("hpc2n", "HPC2N-2002-2.2-cln"),
        ("eagle", "eagle"),
        ("cerit-soft", "CERIT-soft-wall"),
    ],
)
def test_a_log_is_found_by_its_name_or_a_part_of_it(name: str, found: str) -> None:
    assert find(name).name == found


@each_case(
    ("name", "message"),
    [
        ("gaia", "several logs match: UniLu-Gaia-2014-1, UniLu-Gaia-2014-2"),
        ("CTC-SP2-1997", "did you mean CTC-SP2"),
        ("", "is not a known public log"),
        ("theta", "several logs match: ANL-ALCF-DJC-THETA_2017"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_an_error(name: str, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        find(name)


TABLE = PublishedTable(
    name="made", file="made.csv", map="eagle", page="http://a.b", licence="MIT",
    at="/made.csv", sha256=hashlib.sha256(b"a,b\n").hexdigest(),
)  # fmt: skip


def test_a_table_is_checked_during_the_download(tmp_path: Path) -> None:
    with serving({"/made.csv": b"a,b\n", "/other.csv": b"a,c\n"}) as archive:
        fetched = fetch(TABLE, tmp_path / TABLE.file, address=f"{archive.address}/made.csv")
        assert (fetched.received, fetched.checked) == (4, True)
        assert fetched.origin == ("Information: http://a.b", "Licence: MIT")
        with pytest.raises(ArchiveError, match="the sha256 of the file is"):
            fetch(TABLE, tmp_path / "other.csv", address=f"{archive.address}/other.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["made.csv"]


def test_a_manually_downloaded_table_is_checked(tmp_path: Path) -> None:
    by_hand = replace(TABLE, at=None, by_hand="ask at the desk")
    path = tmp_path / "made.csv"
    with pytest.raises(ArchiveError, match=f"ask at the desk; save the file as {path}"):
        fetch(by_hand, path, address=by_hand.address())
    path.write_bytes(b"a,b\n")
    assert fetch(by_hand, path, address=by_hand.address()).checked


def test_each_table_has_a_map_a_source_and_a_unique_name() -> None:
    assert len({one.file for one in TABLES.values()}) == len(TABLES)
    assert not set(TABLES) & set(LOGS)
    for one in TABLES.values():
        assert one.map in shipped_names()
        assert bool(one.at) != bool(one.by_hand)
        assert one.sha256 is None or re.fullmatch("[0-9a-f]{64}", one.sha256)
        assert (one.size is None) == (one.sha256 is None)


def test_the_checksums_match_the_logs(shared: Path) -> None:
    known = [log for log in LOGS.values() if log.sha256 is not None]
    assert len(known) == 6
    for log in known:
        content = gzip.decompress((shared / "traces" / log.file).read_bytes())
        assert hashlib.sha256(content).hexdigest() == log.sha256


def test_the_cache_folder_follows_the_users_setting() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/big"}) == Path("/big/pred-aware/logs")
    assert cache_folder({"XDG_CACHE_HOME": "here"}) == cache_folder({})
    assert cache_folder({}) == Path.home() / ".cache" / "pred-aware" / "logs"


def test_a_folder_as_target_is_refused(archive: Archive, tmp_path: Path) -> None:
    for folder in (tmp_path, Path()):
        with pytest.raises(ArchiveError, match="is a folder; give a file name"):
            fetch(MADE, folder, address=MADE.address(archive.address))
    assert archive.asked == []
