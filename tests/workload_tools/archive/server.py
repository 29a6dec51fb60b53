"""A server that has what the Parallel Workloads Archive has, on this machine."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Archive:
    """The files of a server and the requests to it.

    Parameters
    ----------
    files
        Contents by path.
    breaks_after
        After how many bytes the next answer breaks off; ``None`` for never.
    knows_ranges
        Whether it sends a part of a file.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.breaks_after: int | None = None
        self.knows_ranges = True
        self.asked: list[tuple[str, str | None]] = []
        self.address = ""


def _handler(archive: Archive) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            archive.asked.append((self.path, wanted))
            content = archive.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            start = 0
            if wanted is not None and archive.knows_ranges:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if start >= len(content):
                    self.send_error(416)
                    return
                self.send_response(206)
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            end = None if archive.breaks_after is None else start + archive.breaks_after
            archive.breaks_after = None
            self.wfile.write(content[start:end])

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[Archive]:
    """Serve files until the block ends."""
    archive = Archive(files)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(archive))
    archive.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield archive
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
