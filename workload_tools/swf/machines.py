"""The machine of a log in a file of its own, as CERIT-SC's logs have it: ``LOG.swf.machines``."""

from pathlib import Path

from workload_tools.errors import LogError

_LEAST_FIELDS = 4


def read_machines(log: str | Path) -> tuple[int, int] | None:
    """Read the machine's size from the file of clusters beside a log, if there is one.

    Each line has a cluster: its number, its name, its nodes, the processors of a node, and what
    does not matter here (speed, memory in KB).

    Parameters
    ----------
    log
        The log ``NAME.swf`` or ``NAME.swf.gz``, beside which ``NAME.swf.machines`` may be.

    Returns
    -------
    tuple or None
        Processors and nodes of all clusters; ``None`` without such a file.

    Raises
    ------
    LogError
        The file can't be read, or a line is not of this form.
    """
    log = Path(log)
    path = log.with_name(f"{log.name.removesuffix('.gz')}.machines")
    if not path.is_file():
        return None
    processors = nodes = 0
    try:
        lines = path.read_text(encoding="latin-1").splitlines()
    except OSError as error:
        raise LogError(path, f"can't be read: {error.strerror or error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields or fields[0][0] in ";#":
            continue
        if len(fields) < _LEAST_FIELDS or not all(map(_is_count, fields[2:4])):
            raise LogError(path, "is not 'number name nodes processors-a-node ...'", number)
        nodes += int(fields[2])
        processors += int(fields[2]) * int(fields[3])
    if not processors:
        raise LogError(path, "has no nodes; correct it, or take it away and give --processors")
    return processors, nodes


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9  # noqa: PLR2004 - digits
