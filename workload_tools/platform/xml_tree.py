"""Parse small XML files into trees with line numbers. The parser never reads other files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from workload_tools.errors import PlatformError


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an XML file."""

    tag: str
    """Tag name of the element."""
    attributes: dict[str, str]
    line: int
    """Number of the line on which the element begins; the first line is 1."""
    children: list["Element"] = field(default_factory=list)
    """Child elements in the order of the file."""

    def named(self, *tags: str) -> Iterator["Element"]:
        """Yield the children with one of these tag names."""
        return (child for child in self.children if child.tag in tags)


class _EntityError(Exception):
    pass


def read_bytes(path: str | Path) -> bytes:
    """Read a file.

    Raises
    ------
    PlatformError
        The file cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise PlatformError(path, f"cannot be read: {error.strerror or error}") from error


def parse_xml(content: bytes, path: str | Path) -> Element:
    """Return the outermost element of an XML file's content.

    The file may name a document type, which is not downloaded. Entities are refused, because a few
    lines of entities can expand to gigabytes.

    Raises
    ------
    PlatformError
        The content is not XML, or declares entities. The message names `path`.
    """
    # XML forbids empty lines before the declaration, but SimGrid accepts them
    body = content.lstrip(b" \t\r\n")
    skipped = content.count(b"\n", 0, len(content) - len(body))
    document = Element("", {}, 0)
    open_elements = [document]
    parser = expat.ParserCreate()

    def begin(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber + skipped)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_tag: str) -> None:
        open_elements.pop()

    def refuse_entity(*_declaration: object) -> None:
        raise _EntityError

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(body, True)
    except _EntityError:
        raise PlatformError(
            path, "declares an entity; write its text instead", parser.CurrentLineNumber + skipped
        ) from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise PlatformError(path, f"not XML: {error}") from error
    return document.children[0]
