"""Warn of socket addresses that other machines can reach."""

import ipaddress
import sys


def stays_here(endpoint: str) -> bool:
    """Say whether only this machine can reach a ZeroMQ address.

    Examples
    --------
    >>> [stays_here(address) for address in ("ipc:///tmp/a", "tcp://localhost:28000")]
    [True, True]
    >>> [stays_here(address) for address in ("tcp://*:28000", "tcp://[::]:1", "tcp://10.0.0.1:1")]
    [False, False, False]
    """
    scheme, _, rest = endpoint.partition("://")
    if scheme != "tcp":
        return True
    # the part before a semicolon is the local address of the connection
    host = rest.rpartition(";")[2].rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


WARNING = (
    "other machines can reach {endpoint}, and Batsim's protocol has neither passwords nor "
    "encryption; use {instead} to allow only this machine"
)
"""The warning for an address that other machines can reach."""


def warn_of(endpoint: str) -> None:
    """Warn if other machines can reach the address at which pybatsim listens."""
    if not stays_here(endpoint):
        warning = WARNING.format(endpoint=endpoint, instead="-s tcp://127.0.0.1:28000")
        sys.stderr.write(f"pybatsim: warning: {warning}\n")
