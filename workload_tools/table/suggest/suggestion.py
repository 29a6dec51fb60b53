"""A first map of a table, while it is being written."""

from dataclasses import dataclass, field

from workload_tools.table.suggest.sample import SampledColumn


@dataclass(slots=True)
class Suggestion:
    """A map that is being written."""

    columns: list[SampledColumn]
    """What was seen of the table."""
    chosen: dict[str, SampledColumn] = field(default_factory=dict)
    """The column of each field."""
    doubts: dict[str, list[str]] = field(default_factory=dict)
    """What is not sure, by field."""

    def doubt(self, name: str, why: str) -> None:
        """Note what is not sure of a field."""
        self.doubts.setdefault(name, []).append(why)


def quoted(text: str) -> str:
    """Return a text as TOML has it, in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def shown(text: str) -> str:
    """Return a text as a comment has it: printable, and no longer than 60 signs."""
    return "'" + "".join(c if c.isprintable() else "?" for c in text[:60]) + "'"
