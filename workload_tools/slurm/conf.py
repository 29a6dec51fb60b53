"""Read settings, nodes and partitions from slurm.conf and included files.

`convert`, `study` and Slurm sites use this module. The patterns follow Slurm's own parser
(``keyvalue_pattern`` in ``src/common/parse_config.c``). A value is quoted or ends at a blank.
Blanks are allowed on both sides of ``=``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from workload_tools.errors import LogError

MOST_NODES = 1 << 18
"""Largest allowed number of nodes in a list. The largest machines have about 160,000 nodes."""

_PART = re.compile(r"([^\[\],]*)(?:\[([0-9,-]+)\])?")
_LONGEST = 100
"""Largest number of characters that a message quotes from a list."""
_RANGE = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})?")


def node_names(text: str) -> list[str]:
    """Return the node names in a list in Slurm's short form.

    Raises
    ------
    ValueError
        The text is not a list of nodes, or contains more than `MOST_NODES`.

    Examples
    --------
    >>> node_names("n[01-03,07],g01")
    ['n01', 'n02', 'n03', 'n07', 'g01']
    >>> node_names("rack[1-2]n[1-2]")
    ['rack1n1', 'rack1n2', 'rack2n1', 'rack2n2']
    """
    names: list[str] = []
    for part in parts(text):
        found = [""]
        at = 0
        while at < len(part):
            match = _PART.match(part, at)
            if match is None or match.end() == at:
                raise ValueError(f"'{_short(text)}' is not a list of nodes")
            at = match.end()
            stem, numbers = match.groups()
            ends = [""] if numbers is None else list(islice(_numbers(numbers), MOST_NODES + 1))
            if len(found) * len(ends) + len(names) > MOST_NODES:
                raise ValueError(f"'{_short(text)}' contains more than {MOST_NODES:,} nodes")
            found = [f"{before}{stem}{end}" for before in found for end in ends]
        names.extend(found)
    return names


def parts(text: str) -> Iterator[str]:
    """Yield the parts of a list, split at each comma outside brackets."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers of ranges such as ``01-03,07``, with leading zeros."""
    for item in text.split(","):
        low, dash, high = item.partition("-")
        if _RANGE.fullmatch(item) is None:
            raise ValueError(f"'{item}' is not a range of nodes")
        last = int(high) if dash else int(low)
        for number in range(int(low), last + 1):
            yield f"{number:0{len(low)}}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


MOST_BYTES = 1 << 26
"""Largest allowed file, in bytes."""
LONGEST_LINE = 1 << 20
"""Longest allowed line including its continuation lines, in characters."""
MOST_FILES = 100

_SETTING = re.compile(r'([A-Za-z_][\w.]*(?:\[\d+\])?)\s*[-+*/]?=\s*(?:"([^"]*)"|([^\s"]\S*)|$)')
_COMMENT = re.compile(r"(?<!\\)#")
_GRES = re.compile(
    # a type must not look like a count, such as 2K
    r"([^:,()=]+)(?::(?![0-9]+[KMGkmg]?(?:\(|$))([^:,()=]*[^:,()=0-9][^:,()=]*))?"
    r"(?:[:=]([0-9]+)([KMGkmg]?))?(?:\(.*)?"
)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_LISTS = ("nodename", "partitionname", "nodeset", "downnodes", "frontendname")
_NOTHING = frozenset(("", "(null)", "N/A", "n/a", "NONE", "None", "none"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of slurm.conf. In `settings`, names are in lower case."""

    path: Path
    number: int
    settings: Mapping[str, str]
    names: Mapping[str, str]
    """For each name in lower case, the name as written in the file."""
    text: str

    @property
    def where(self) -> str:
        """The file name and the line number, for messages."""
        return f"{self.path.name}, line {self.number}"

    def error(self, message: str) -> LogError:
        """Return an error about this line."""
        return LogError(self.path, message, self.number)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line about nodes or a partition, completed by earlier ``DEFAULT`` lines."""

    line: Line
    options: dict[str, str]
    """The options by name in lower case."""


@dataclass(slots=True)
class SlurmConfFile:
    """The content of slurm.conf and of included files."""

    path: Path
    nodes: dict[str, Entry] = field(default_factory=dict)
    """The nodes by name, in the file's order, without nodes of ``State=FUTURE``."""
    partitions: dict[str, Entry] = field(default_factory=dict)
    """The partitions by name, in the file's order."""
    sets: dict[str, list[Entry]] = field(default_factory=dict)
    """The lines of each ``NodeSet``, by name of the set."""
    settings: list[Line] = field(default_factory=list)
    """All lines that are not about nodes, partitions or node sets."""
    future: list[Entry] = field(default_factory=list)
    """Nodes that do not exist yet (``State=FUTURE``)."""
    not_read: list[tuple[Line, str]] = field(default_factory=list)
    """Each ``Include`` line whose file is missing, and the name of the missing file."""

    def members(self, text: str, known: Iterable[str] | None = None) -> list[str]:
        """Return the nodes of a list of nodes and node sets, without duplicates.

        Parameters
        ----------
        text
            For example ``n[1-4],gpus`` or ``ALL``.
        known
            The nodes that ``ALL`` means; by default all nodes in this file.

        Raises
        ------
        ValueError
            The text is not a list of nodes.
        """
        everything = [*(self.nodes if known is None else known)]
        found: dict[str, None] = {}
        for part in parts(text):
            if part.upper() == "ALL":
                found |= dict.fromkeys(everything)
            elif part in self.sets:
                found |= dict.fromkeys(self._of_set(part))
            elif part not in _NOTHING:
                found |= dict.fromkeys(node_names(part))
        return [*found]

    def _of_set(self, name: str) -> Iterator[str]:
        for entry in self.sets[name]:
            wanted = entry.options.get("feature", "")
            for node, of_node in self.nodes.items() if wanted else ():
                if wanted in features(of_node.options):
                    yield node
            if entry.options.get("nodes"):
                yield from node_names(entry.options["nodes"])


@dataclass(frozen=True, slots=True)
class Node:
    """The hardware of a node."""

    cpus: int
    """Number of CPUs that Slurm schedules on the node: hardware threads or cores."""
    cores: int
    gpus: int
    """Numbers of cores and GPUs."""

    @property
    def threads(self) -> int:
        """CPUs per core; 1 if the CPUs do not divide evenly among the cores."""
        return self.cpus // self.cores if self.cpus % self.cores == 0 else 1


@dataclass(frozen=True, slots=True)
class SlurmConf:
    """The nodes and partitions of a cluster."""

    nodes: dict[str, Node]
    """The nodes by name."""
    partitions: dict[str, tuple[str, ...]]
    """For each partition, the names of its nodes."""
    oversubscribed: frozenset[str] = frozenset()
    """Partitions in which jobs always share cores, even if jobs do not request sharing."""
    notes: tuple[str, ...] = ()
    """Remarks about missing included files and about nodes that do not exist yet."""

    def nodes_of(self, partitions: tuple[str, ...]) -> dict[str, Node]:
        """Return the nodes of the given partitions, or all nodes if no partition is given.

        Raises
        ------
        KeyError
            A partition does not exist.
        """
        if not partitions:
            return self.nodes
        names = {name for partition in partitions for name in self.partitions[partition]}
        return {name: node for name, node in self.nodes.items() if name in names}


def read_slurm_conf(path: str | Path) -> SlurmConf:
    """Read the nodes and partitions of slurm.conf.

    Raises
    ------
    LogError
        The file cannot be read, defines no node, or has an invalid line.
    """
    file = read_conf_file(path)
    if not file.nodes:
        missing = ", ".join(name for _, name in file.not_read)
        raise LogError(
            path,
            "has no line that begins with NodeName"
            + (f"; the included file {missing} is missing" if missing else ""),
        )
    nodes: dict[str, Node] = {}
    for name, entry in file.nodes.items():
        try:
            nodes[name] = hardware(entry.options)
        except ValueError as error:
            raise entry.line.error(f"node {name}: {error}") from error
    partitions: dict[str, tuple[str, ...]] = {}
    oversubscribed: set[str] = set()
    for name, entry in file.partitions.items():
        try:
            partitions[name] = tuple(file.members(entry.options.get("nodes", "")))
        except ValueError as error:
            raise entry.line.error(str(error)) from error
        if sharing(entry.options).startswith("FORCE") and sharing(entry.options) != "FORCE:1":
            oversubscribed.add(name)
    future = sum(len(node_names(entry.options["nodename"])) for entry in file.future)
    notes = [f"{line.where}: Include {name}: the file is missing" for line, name in file.not_read]
    if future:
        notes.append(f"{Path(path).name}: {future} nodes of State=FUTURE are left out")
    return SlurmConf(nodes, partitions, frozenset(oversubscribed), tuple(notes))


def read_conf_file(path: str | Path) -> SlurmConfFile:
    """Read slurm.conf and the files that it includes.

    The path of an included file is relative to the folder of slurm.conf. If no such file exists,
    the file with the same name in this folder is read.

    Raises
    ------
    LogError
        A file cannot be read or is too large, a line is too long, or a node list is invalid.
    """
    found = SlurmConfFile(Path(path))
    defaults: dict[str, dict[str, str]] = {}
    for line in _lines_of_all(found):
        kind = next(iter(line.settings), "")
        if kind not in ("nodename", "partitionname", "nodeset"):
            found.settings.append(line)
            continue
        name = line.settings[kind]
        if name.upper() == "DEFAULT":
            defaults.setdefault(kind, {}).update(line.settings)
            continue
        entry = Entry(line, {**defaults.get(kind, {}), **line.settings})
        if kind == "partitionname":
            if not name:
                raise line.error("PartitionName has no name")
            found.partitions[name] = entry
        elif kind == "nodeset":
            found.sets.setdefault(name, []).append(entry)
        else:
            _add_nodes(found, entry)
    return found


def _add_nodes(found: SlurmConfFile, entry: Entry) -> None:
    try:
        names = node_names(entry.options["nodename"])
    except ValueError as error:
        raise entry.line.error(str(error)) from error
    if len(found.nodes) + len(names) > MOST_NODES:
        raise entry.line.error(f"the file has more than {MOST_NODES:,} nodes")
    if entry.options.get("state", "").upper() == "FUTURE":
        found.future.append(entry)
    else:
        found.nodes |= dict.fromkeys(names, entry)


def _lines_of_all(found: SlurmConfFile) -> Iterator[Line]:
    """Yield the lines of slurm.conf. The lines of a file replace the ``Include`` that names it."""
    home = found.path.parent
    read = {found.path.resolve()}

    def lines_of(path: Path, within: tuple[Path, ...]) -> Iterator[Line]:
        for number, text in _lines(path):
            word, *rest = text.split(maxsplit=1)
            if word.lower() != "include":
                yield _line(path, number, text)
                continue
            name = "".join(rest).strip().strip('"')
            line = Line(path, number, {}, {}, text)
            included = next(
                (one for one in (home / name, home / Path(name).name) if one.is_file()), None
            )
            if included is None:
                found.not_read.append((line, name))
            elif included.resolve() in within or len(read) >= MOST_FILES:
                raise line.error(f"{name} includes itself, or over {MOST_FILES} files are included")
            elif included.resolve() not in read:
                # a file that is included twice is read once
                read.add(included.resolve())
                yield from lines_of(included, (*within, included.resolve()))

    yield from lines_of(found.path, (found.path.resolve(),))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line's number and text, without comments and after joining continued lines."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise LogError(path, f"cannot be read: {error.strerror or error}") from error
    if len(text) > MOST_BYTES:
        raise LogError(path, f"is larger than {MOST_BYTES >> 20} MiB, so it is not a slurm.conf")
    begun: list[str] = []
    length = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        plain = _COMMENT.split(line, maxsplit=1)[0].rstrip()
        continues = plain.endswith("\\")
        begun.append(plain[:-1] if continues else plain)
        length += len(plain)
        if length > LONGEST_LINE:
            raise LogError(path, f"a line is longer than {LONGEST_LINE:,} characters", number)
        if not continues:
            joined = " ".join(begun).replace("\\#", "#")
            begun, length = [], 0
            if joined.strip():
                yield number, joined
    if "".join(begun).strip():
        yield number, " ".join(begun)


def _line(path: Path, number: int, text: str) -> Line:
    pairs = [(name, quoted or plain) for name, quoted, plain in _SETTING.findall(text)]
    if len(pairs) == 1 and pairs[0][0].lower() not in _LISTS:
        # if a line has only one setting, its value may contain blanks
        pairs = [(pairs[0][0], text.partition("=")[2].strip().strip('"'))]
    return Line(
        path,
        number,
        {name.lower(): value for name, value in pairs},
        {name.lower(): name for name, _ in pairs},
        text.strip(),
    )


def hardware(options: Mapping[str, str]) -> Node:
    """Return the CPUs, cores and GPUs of a node, from slurm.conf or ``scontrol show node``.

    Parameters
    ----------
    options
        The node's options by name in lower case.

    Raises
    ------
    ValueError
        An option is not a number, or the node has no CPUs.

    Examples
    --------
    >>> hardware({"sockets": "2", "corespersocket": "8", "threadspercore": "2"})
    Node(cpus=32, cores=16, gpus=0)
    """
    threads = number_of(options, "threadspercore") or 1
    cores_of_socket = number_of(options, "corespersocket") or 1
    boards = number_of(options, "boards") or 1
    sockets = number_of(options, "sockets") or boards * (number_of(options, "socketsperboard") or 1)
    sockets_known = any(key in options for key in ("corespersocket", "sockets", "socketsperboard"))
    keys = ("cpuefctv", "cputot", "cpus", "procs")
    cpus = next((count for key in keys if (count := number_of(options, key))), 0)
    cpus = cpus or sockets * cores_of_socket * threads
    # if only CPUs are given, Slurm treats each CPU as a socket with one core
    cores = sockets * cores_of_socket if sockets_known else cpus // threads
    if sockets_known and cpus > cores and cpus % threads == 0:
        # `CPUs` may be fewer than the hardware has, because some are reserved for the system
        cores = min(cores, cpus // threads)
    gpus = sum(count for kind, _, count in gres(options.get("gres", ""))[0] if kind == "gpu")
    if cpus < 1:
        raise ValueError("a node needs CPUs")
    return Node(cpus=cpus, cores=max(1, min(cores, cpus)), gpus=gpus)


def number_of(options: Mapping[str, str], key: str) -> int:
    """Return the value of a numeric option, or 0 if the option is missing.

    Raises
    ------
    ValueError
        The option is not a number.
    """
    text = options.get(key, "")
    if text in _NOTHING:
        return 0
    if not text.isdecimal():
        raise ValueError(f"{key}={text} is not a number")
    return int(text)


def gres(text: str) -> tuple[list[tuple[str, str, int]], list[str]]:
    """Return generic resources as (name, type, count), and the parts of the text that are invalid.

    Examples
    --------
    >>> gres("gpu:a100:4(S:0-1),nvme:2K,gpu")
    ([('gpu', 'a100', 4), ('nvme', '', 2048), ('gpu', '', 1)], [])
    """
    found: list[tuple[str, str, int]] = []
    unread: list[str] = []
    for part in re.split(r",(?![^(]*\))", text) if text not in _NOTHING else ():
        match = _GRES.fullmatch(part.strip())
        if match is None:
            unread.append(part)
        else:
            count = 1 if match[3] is None else int(match[3]) * _UNITS[match[4].lower()]
            found.append((match[1], match[2] or "", count))
    return found, unread


def features(options: Mapping[str, str]) -> list[str]:
    """Return a node's features, without counts in parentheses."""
    keys = ("availablefeatures", "feature", "features")
    text = next((options[key] for key in keys if key in options), "")
    names = [] if text in _NOTHING else text.split(",")
    return [name for one in names if (name := one.strip().partition("(")[0])]


def sharing(options: Mapping[str, str]) -> str:
    """Return a partition's ``OverSubscribe`` in upper case. Older versions call it ``Shared``."""
    return (options.get("oversubscribe") or options.get("shared") or "NO").upper()
