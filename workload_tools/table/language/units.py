"""The units of durations and of memory."""

SECONDS = {
    "seconds": 1.0,
    "milliseconds": 1e-3,
    "microseconds": 1e-6,
    "nanoseconds": 1e-9,
    "minutes": 60.0,
    "hours": 3600.0,
    "days": 86400.0,
}
CLOCK = "d-hh:mm:ss"
DURATION_UNITS = (*SECONDS, CLOCK)
"""The units of a duration; `CLOCK` is a text such as ``1-02:03:04``, ``02:03:04`` or ``03:04``."""

GIB = {
    "bytes": 2.0**-30,
    "KB": 1e3 * 2.0**-30,
    "MB": 1e6 * 2.0**-30,
    "GB": 1e9 * 2.0**-30,
    "TB": 1e12 * 2.0**-30,
    "KiB": 2.0**-20,
    "MiB": 2.0**-10,
    "GiB": 1.0,
    "TiB": 2.0**10,
}
SUFFIX = "with suffix"
MEMORY_UNITS = (*GIB, SUFFIX)
"""The units of memory; `SUFFIX` is a text such as ``4000M`` or ``16gb``, in powers of 1024."""
