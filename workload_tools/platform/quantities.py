"""Quantities with SimGrid's units, such as ``50us``, ``125MBps`` or ``1Gf``."""

import math
import re

TIME = {
    "w": 604800.0,
    "d": 86400.0,
    "h": 3600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
    "ps": 1e-12,
}

_DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTPE", start=1)}
_PREFIXES = {**_DECIMAL, **_BINARY}

BANDWIDTH = {f"{prefix}Bps": factor for prefix, factor in _PREFIXES.items()} | {
    f"{prefix}bps": factor * 0.125 for prefix, factor in _PREFIXES.items()
}
SPEED = {
    **{f"{prefix}{unit}": factor for prefix, factor in _DECIMAL.items() for unit in ("f", "flops")},
    "Kf": 1e3,
}

_QUANTITY = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.)\s*([A-Za-z]*)\s*")


def parse_quantity(text: str, units: dict[str, float]) -> float:
    """Return a quantity in the base unit: seconds, bytes per second or operations per second.

    A number without a unit is in the base unit.

    Parameters
    ----------
    units
        `TIME`, `BANDWIDTH` or `SPEED`: each unit in the base unit.

    Raises
    ------
    ValueError
        The text is not a number, or its unit is unknown.

    Examples
    --------
    >>> parse_quantity("125MBps", BANDWIDTH)
    125000000.0
    >>> parse_quantity("1Gbps", BANDWIDTH)
    125000000.0
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a number with a unit such as {_examples(units)}")
    number, unit = match.groups()
    factor = units.get(unit) if unit else 1.0
    if factor is None:
        raise ValueError(f"'{text}' has the unknown unit '{unit}'; known: {', '.join(units)}")
    value = float(number) * factor
    if not math.isfinite(value):
        raise ValueError(f"'{text}' is too large")
    return value


def _examples(units: dict[str, float]) -> str:
    return {id(TIME): "50us", id(BANDWIDTH): "125MBps"}.get(id(units), "1Gf")
