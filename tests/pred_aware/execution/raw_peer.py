"""A decision process that misbehaves: run as ``python raw_peer.py FAULT ENDPOINT``.

It answers the first request with nothing to do, and the second with the fault. Those below ZeroMQ's
own rules speak ZMTP, its protocol, over a bare socket.
"""

import json
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable

import zmq

NOTHING = b'{"now": 0.0, "events": []}'
HOUR = 3600


def reply(kind: str, data: object, *, now: float = 0.0, at: float = 0.0) -> bytes:
    """Write a reply with one event."""
    event = {"timestamp": at, "type": kind, "data": data}
    return json.dumps({"now": now, "events": [event]}).encode()


def execute(job: str, alloc: str) -> bytes:
    """Write a reply that starts a job."""
    return reply("EXECUTE_JOB", {"job_id": job, "alloc": alloc})


def twice() -> bytes:
    """Write a reply that gives two jobs the same processors."""
    events = [
        {"timestamp": 0.0, "type": "EXECUTE_JOB", "data": {"job_id": job, "alloc": "0-1"}}
        for job in ("w0!1", "w0!2")
    ]
    return json.dumps({"now": 0.0, "events": events}).encode()


def rejections() -> bytes:
    """Write a reply that rejects all jobs."""
    events = [
        {"timestamp": 0.0, "type": "REJECT_JOB", "data": {"job_id": f"w0!{number}"}}
        for number in (1, 2, 3)
    ]
    return json.dumps({"now": 0.0, "events": events}).encode()


REPLIES: dict[str, Callable[[], bytes]] = {
    "half": lambda: NOTHING[:-4],
    "past": lambda: b'{"now": -1.0, "events": []}',
    "disordered": lambda: reply("CALL_ME_LATER", {"timestamp": 5.0}, now=0.0, at=1.0),
    "unknown-event": lambda: reply("DANCE", {}),
    "unknown-job": lambda: execute("w0!77", "0"),
    "too-many": lambda: execute("w0!1", "0-7"),
    "in-use": twice,
    "beyond": lambda: execute("w0!1", "9-10"),
    "nan": lambda: b'{"now": NaN, "events": []}',
    "deep": lambda: b'{"now": 0.0, "events": ' + b"[" * 100_000 + b"}",
    "huge": lambda: b'{"now": 0.0, "events": [], "x": "' + b" " * 100_000_000 + b'"}',
}


def converse(fault: str, endpoint: str) -> None:
    """Listen with a REP socket, as it should be, and do wrong."""
    listener = zmq.Context().socket(zmq.REP)
    listener.bind(endpoint)
    listener.recv()
    if fault == "dies-first":
        sys.exit("Ouch")
    listener.send(NOTHING)
    listener.recv()
    if fault == "vanishes":
        shutil.rmtree("out")
    if fault in REPLIES:
        listener.send(REPLIES[fault]())
    elif fault == "dies":
        sys.exit("Ouch")
    elif fault == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif fault == "vanishes":
        listener.send(rejections())
        listener.recv()
        listener.send(NOTHING)
    time.sleep(HOUR)


def framed(content: bytes, *, more: bool = False, command: bool = False) -> bytes:
    """Write a frame of ZMTP 3."""
    return bytes([more + 2 + 4 * command]) + len(content).to_bytes(8, "big") + content


def converse_raw(fault: str, endpoint: str) -> None:
    """Listen with a bare socket, do as a REP socket, and then what none would."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(endpoint.removeprefix("ipc://"))
    listener.listen()
    line, _ = listener.accept()
    if fault == "no-zeromq":
        line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        time.sleep(HOUR)
    line.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16 + 1 + 31))
    line.recv(64, socket.MSG_WAITALL)
    line.sendall(framed(b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REP", command=True))
    said = b""
    # what it says first, and the request, may come together or in pieces
    while not said.endswith(b"]}"):
        said += line.recv(1 << 20)
    whole = framed(b"", more=True) + framed(NOTHING)
    if fault == "two-replies":
        line.sendall(whole + whole)
    elif fault == "half-frame":
        line.sendall(whole[:-5])
    elif fault == "half-frame-gone":
        line.sendall(whole[:-5])
        time.sleep(0.1)
        sys.exit("Ouch")
    elif fault == "three-frames":
        line.sendall(framed(b"", more=True) + framed(NOTHING, more=True) + framed(NOTHING))
    time.sleep(HOUR)


RAW = ("no-zeromq", "two-replies", "half-frame", "half-frame-gone", "three-frames")

if __name__ == "__main__":
    name, address = sys.argv[1:]
    if name == "never":
        time.sleep(HOUR)
    (converse_raw if name in RAW else converse)(name, address)
