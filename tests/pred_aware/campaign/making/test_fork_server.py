"""The process that forks workers, when the process that asks it ends."""

import os
import socket
import subprocess
import sys

import pytest

from pred_aware.campaign.making import fork_server


def test_a_request_of_a_process_that_has_ended_stops_the_server_without_an_error() -> None:
    asking, asked = socket.socketpair()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as worker:
        asking.sendall(fork_server.REQUEST.pack(worker.pid, 0.0))
        asking.close()
        assert fork_server._serve(asked) is None  # noqa: SLF001 - its only other entrance is a process
        with pytest.raises(ProcessLookupError):
            os.kill(worker.pid, 0)
