"""The service as a process of its own, for the tests."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any, Self


class Serving:
    """`pred-aware service serve`, from the moment at which it answers."""

    def __init__(
        self, folder: Path, *more: str, predictor: str = "last_two", files: int | None = None
    ) -> None:
        self.socket = folder / "socket"
        self.store = folder / "jobs.db"
        self._command = [sys.executable, "-m", "pred_aware", "service", "serve",
                         "--store", str(self.store), "--socket", str(self.socket),
                         "--predictor", predictor, "--deadline", "20", *more]  # fmt: skip
        if files is not None:
            limited = f'ulimit -n {files} && exec "$@"'
            self._command = ["sh", "-c", limited, "sh", *self._command]
        self.errors = ""
        self.begin()

    def begin(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.told = self.process.stdout.readline()

    def end(self, number: int = signal.SIGTERM) -> int:
        os.kill(self.process.pid, number)
        _, self.errors = self.process.communicate(timeout=60)
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)

    def connected(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(20)
        made.connect(str(self.socket))
        return made

    def ask(self, request: dict[str, Any] | bytes) -> dict[str, Any]:
        with self.connected() as asking:
            return answer_to(asking, request)


def answer_to(asking: socket.socket, request: dict[str, Any] | bytes) -> dict[str, Any]:
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    asking.sendall(line + b"\n")
    with asking.makefile("rb") as answers:
        answer: dict[str, Any] = json.loads(answers.readline())
    return answer


class Answers:
    """A service that gives the same answer to each request."""

    def __init__(self, folder: Path, answer: bytes) -> None:
        self.place = folder / "says"
        self.asked: list[bytes] = []
        self._answer = answer
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.place))
        self._listening.listen()
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            client, _ = self._listening.accept()
            with client:
                self.asked.append(client.recv(1 << 17))
                client.sendall(self._answer)
