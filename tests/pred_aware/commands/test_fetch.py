import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from tests.workload_tools.archive.server import Archive, serving

LOG = b"; Acknowledge: Ann\n1 0 0 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1\n"
PATH = "/l_kit_fh2/KIT-FH2-2016-1.swf.gz"


@pytest.fixture
def archive() -> Iterator[Archive]:
    with serving({PATH: gzip.compress(LOG), "/new.gz": gzip.compress(LOG)}) as served:
        yield served


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    return command


def test_a_log_goes_to_the_cache_and_its_contributors_are_named(
    run: Command, archive: Archive, tmp_path: Path
) -> None:
    ended = run("log", "fetch", "kit", "--archive", archive.address)
    path = tmp_path / "cache" / "pred-aware" / "logs" / "KIT-FH2-2016-1.swf.gz"
    assert (ended.code, ended.err, ended.out.splitlines()[-1]) == (0, "", str(path))
    assert "  Acknowledge: Ann\n" in ended.out
    assert "no known checksum to compare with" in ended.out
    assert run("log", "fetch", "kit", "--quiet", "--archive", archive.address).out == f"{path}\n"
    assert [asked for asked, _ in archive.asked] == [PATH]


def test_an_unknown_log_is_fetched_by_its_address(run: Command, archive: Archive) -> None:
    ended = run(
        "log", "fetch", "new", "--url", f"{archive.address}/new.gz", "-o", "here.swf.gz", "-q"
    )
    assert (ended.code, ended.out) == (0, "here.swf.gz\n")
    assert gzip.decompress(Path("here.swf.gz").read_bytes()) == LOG


def test_the_list_says_which_checksums_are_known(run: Command) -> None:
    lines = run("log", "fetch", "--list").out.splitlines()
    assert "KTH-SP2-1996-2.1-cln" in lines
    assert "KIT-FH2-2016-1  (checksum not known)" in lines
    assert "eagle  (table, 253 MB)" in lines
    assert "fugaku-21_03  (table, checksum not known)" in lines
    assert "CERIT-soft-wall  (table, download with a browser, checksum not known)" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gaia",), "several logs match"),
        (("../x", "--url", "http://127.0.0.1/x.gz"), "'../x' cannot be a file name"),
        (("--quiet",), "give the name of a log"),
        (("cerit-soft",), "the file's address is unknown; download CERIT-soft-wall in a browser"),
        (("kth", "--archive", "ftp://127.0.0.1"), "is not an HTTP or HTTPS address"),
    ],
)
def test_a_failed_download_gives_one_error(
    run: Command, arguments: tuple[str, ...], message: str
) -> None:
    run("log", "fetch", *arguments).assert_refused(message)
    assert list(Path().iterdir()) == []


def test_the_readmes_fetch_command_writes_the_log_of_its_next_commands(
    run: Command, shared: Path
) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"`pred-aware (log fetch \w+ -o [^ `]+)`", readme)
    *_, name = line.split()
    log = (shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz").read_bytes()
    with serving({f"/l_kth_sp2/{name}": log}) as served:
        ended = run(*line.split(), "--archive", served.address)
    assert (ended.code, ended.err, Path(name).read_bytes()) == (0, "", log)
    assert readme.count(name) > 1
