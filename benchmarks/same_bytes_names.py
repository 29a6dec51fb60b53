"""What was renamed from one version to another, for `same_bytes.py`.

A table in TOML, old = "new", with these parts:

- ``[commands]``: the words after ``pred-aware``, such as ``"campaign gc" = "campaign clear"``
- ``[options]``: such as ``"--trust" = "--min-concordance"``
- ``[keys]``: of JSON and TOML, and heads of CSV
- ``[values]``: whole strings of JSON and TOML, cells of CSV, words of command lines
- ``[files]``: parts of the names of files
- ``[text]``: phrases of all else: what is printed, pages, pictures, help; those of several words
  in JSON, CSV and command lines, too
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PARTS = ("commands", "options", "keys", "values", "files", "text")
CELL = r"(?m:^|(?<=[,\"]))"
CELL_ENDS = r"(?=[,\"\r]|$)"


def _swapped(text: str, words: Mapping[str, str], before: str = "", after: str = "") -> str:
    """Put new words for old ones that stand between two patterns."""
    if not words:
        return text
    longest_first = sorted(words, key=len, reverse=True)
    pattern = f"(?m){before}({'|'.join(map(re.escape, longest_first))}){after}"
    return re.sub(pattern, lambda found: words[found[1]], text)


@dataclass(frozen=True, slots=True)
class Names:
    """Old names and new ones."""

    commands: Mapping[str, str]
    options: Mapping[str, str]
    keys: Mapping[str, str]
    values: Mapping[str, str]
    files: Mapping[str, str]
    text: Mapping[str, str]

    def __bool__(self) -> bool:
        """Whether anything has another name."""
        return any(getattr(self, part) for part in PARTS)

    def of_file(self, name: str) -> str:
        """Return the new name of a file."""
        return _swapped(name, self.files)

    def of_command(self, words: list[str]) -> list[str]:
        """Return a command line in the new words, with or without ``pred-aware`` before it."""
        begins = words.index("pred-aware") + 1 if "pred-aware" in words else 0
        before, words = words[:begins], words[begins:]
        for count in (2, 1):
            known = " ".join(words[:count])
            if known in self.commands:
                words = [*self.commands[known].split(), *words[count:]]
                break
        made = []
        for word in words:
            whole = self.values.get(word, _swapped(word, self.options, "^", "(?=$|=)"))
            made.append(self.of_file(self._of_json(whole)))
        return [*before, *made]

    def _of_json(self, text: str) -> str:
        keys = _swapped(text, self.keys, r'(?<=")', r'(?=\\?"\s*:)')
        values = _swapped(keys, self.values, r'(?<=")', r'(?=\\?"(?!\s*:))')
        return _swapped(values, self._phrases, r"(?<!\w)", r"(?!\w)")

    @property
    def _phrases(self) -> dict[str, str]:
        """The text of several words; a single one may be somebody's own value."""
        return {old: new for old, new in self.text.items() if " " in old}

    def of_text(self, text: str, ending: str) -> str:
        """Return a text with new names, as is right for its form: its file's ending."""
        text = _swapped(text, self.options, r"(?<![\w-])", r"(?![\w-])")
        text = _swapped(text, self.commands, r"(?<=pred-aware )", r"(?![\w-])")
        if ending in (".json", ".jsonl"):
            return self._of_json(text)
        if ending == ".toml":
            keys = _swapped(text, self.keys, r"(?<![\w\"'-])", r"(?=\s*=)")
            return self._of_json(keys)
        if ending == ".csv":
            head, line, rows = text.partition("\n")
            rows = _swapped(rows, self.values, CELL, CELL_ENDS)
            rows = _swapped(rows, self._phrases, r"(?<!\w)", r"(?!\w)")
            return _swapped(head, self.keys, CELL, CELL_ENDS) + line + rows
        return _swapped(text, self.text, r"(?<!\w)", r"(?!\w)")


def read_names(path: Path | None) -> Names:
    """Read a table of names; without one nothing has another."""
    table = {} if path is None else tomllib.loads(path.read_text())
    unknown = sorted(set(table) - set(PARTS))
    if unknown:
        raise SystemExit(f"{path}: unknown: {', '.join(unknown)}; known: {', '.join(PARTS)}")
    return Names(**{part: table.get(part, {}) for part in PARTS})
