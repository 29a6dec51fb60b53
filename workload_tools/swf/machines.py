"""Reader of ``LOG.swf.machines``, a file with the machine of a log, as CERIT-SC's logs have it."""

from pathlib import Path

from workload_tools.errors import LogError

_LEAST_FIELDS = 4


def read_machines(log: str | Path) -> tuple[int, int] | None:
    """Read the machine's size from the file beside a log, if it exists.

    Each line is a cluster: number, name, nodes, processors per node, and further fields that are
    ignored (speed, memory in KB).

    Parameters
    ----------
    log
        The log ``NAME.swf`` or ``NAME.swf.gz``; the file is ``NAME.swf.machines`` beside it.

    Returns
    -------
    tuple or None
        Processors and nodes of all clusters; ``None`` if there is no file.

    Raises
    ------
    LogError
        The file cannot be read, or a line is invalid.
    """
    log = Path(log)
    path = log.with_name(f"{log.name.removesuffix('.gz')}.machines")
    if not path.is_file():
        return None
    processors = nodes = 0
    try:
        lines = path.read_text(encoding="latin-1").splitlines()
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields or fields[0][0] in ";#":
            continue
        if len(fields) < _LEAST_FIELDS or not all(map(_is_count, fields[2:4])):
            raise LogError(
                path, "does not have the form 'number name nodes processors-per-node ...'", number
            )
        nodes += int(fields[2])
        processors += int(fields[2]) * int(fields[3])
    if not processors:
        raise LogError(path, "has no nodes; correct it, or remove it and give --processors")
    return processors, nodes


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9  # noqa: PLR2004 - digits
