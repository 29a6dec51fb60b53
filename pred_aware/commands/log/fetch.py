"""The command `log fetch`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from workload_tools.archive.fetching import FetchedLog
    from workload_tools.archive.logs import KnownLog


def fetch(
    name: Annotated[str | None, argument("[NAME]", "The log's name, or a part of it.")] = None,
    *,
    output: Annotated[
        Path | None, option("FILE", "The file to write.", "-o", "--output", shown="in the cache")
    ] = None,
    archive: Annotated[str | None, option("URL", "A mirror of the archive.")] = None,
    url: Annotated[
        str | None,
        option("URL", "The address of a log that is not in the list, or a log's new address."),
    ] = None,
    list_: Annotated[bool, flag("List the known logs.", "--list")] = False,
    quiet: Annotated[
        bool, flag("Print the file's name and nothing else.", "-q", "--quiet")
    ] = False,
) -> None:
    """Download a log of the Parallel Workloads Archive or a public table, and check it.

    NAME is the log's name (`KTH-SP2-1996-2.1-cln`, `eagle`, `fugaku-23_04`) or a unique part of it
    (`kth`). `--list` prints the known logs, with the sizes of tables. The log goes to the user's
    cache (XDG_CACHE_HOME, else ~/.cache), or to `--output`. The command does not download an
    existing file again, and continues an interrupted download. It compares the sha256 of the
    unpacked log (for a table: of the file) with the known sha256. If only a browser can download
    the log, the command says where, and checks the downloaded file at its next call.

    Prints the acknowledgements in the log's header. If you publish results from the log, thank
    these people and cite the archive. `--quiet` prints only the file's name.

    For example:

        pred-aware log fetch kth

        pred-aware convert swf "$(pred-aware log fetch --quiet kth)" -o kth.json --platform kth.xml

        pred-aware inspect "$(pred-aware log fetch --quiet eagle)"

        pred-aware log fetch NEW-LOG --url https://www.cs.huji.ac.il/labs/parallel/workload/l_new/NEW.swf.gz
    """
    from workload_tools.archive import logs as archives

    if list_:
        for one in archives.KNOWN.values():
            say(f"{one.name}{_noted(one)}")
        return
    if name is None:
        raise PredAwareError(
            "give the name of a log; `pred-aware log fetch --list` prints the known logs"
        )
    from workload_tools.archive import fetching

    log = _log(name, url)
    path = fetching.cache_folder() / log.file if output is None else output
    address = log.address(archive or archives.ARCHIVE) if url is None else url
    fetched = fetching.fetch(log, path, address=address)
    if not quiet:
        _print(log, address, fetched)
    # plain output, for use as `$(pred-aware log fetch --quiet kth)`
    typer.echo(fetched.path)


def _log(name: str, url: str | None) -> "KnownLog":
    """Return the log of this name. If a URL is given, an unknown name becomes a new archive log."""
    from workload_tools.archive import logs as archives

    if url is None:
        return archives.find(name)
    table = archives.KNOWN.get(name)
    if table is not None:
        return table
    return archives.ArchivedLog(_plain(name), "")


def _noted(log: "KnownLog") -> str:
    """Return the notes after a log's name in the list."""
    from workload_tools.archive.tables import PublishedTable

    notes = []
    if isinstance(log, PublishedTable):
        notes += [f"table, {log.size / 1e6:.0f} MB" if log.size else "table"]
        notes += ["download with a browser"] if log.by_hand else []
    if log.sha256 is None:
        notes.append("checksum not known")
    return f"  ({', '.join(notes)})" if notes else ""


def _plain(name: str) -> str:
    plain = name.removesuffix(".gz").removesuffix(".swf")
    if not plain or Path(plain).name != plain:
        raise PredAwareError(f"'{name}' cannot be a file name. Give a name such as KTH-SP2-1996-2")
    return plain


def _print(log: "KnownLog", address: str, fetched: "FetchedLog") -> None:
    from workload_tools.archive.logs import CITATION
    from workload_tools.archive.tables import PublishedTable

    how = f"{fetched.received} bytes from {address}" if fetched.received else "already downloaded"
    say(f"{log.name}: {how}")
    known = "as expected" if fetched.checked else "no known checksum to compare with"
    say(f"sha256 of the {log.sha256_of}: {fetched.sha256} ({known})")
    for line in fetched.origin:
        say(f"  {line}")
    if not isinstance(log, PublishedTable):
        say(f"If you publish results, please acknowledge these people and cite {CITATION}.")
    elif log.unpack:
        say(f"This is a ZIP file. Unpack it to a folder, and read the folder with --map {log.map}.")
    else:
        what = f"docs/reference/public-tables/{log.map}.md describes the table"
        say(f"Read the table with --map {log.map}; {what}.")


register = adding(fetch, page="how-to/logs-swf.md")
