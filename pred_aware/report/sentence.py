"""Sentences with names of jobs and users that can be replaced."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pred_aware.report.picture import Picture
from pred_aware.report.table import Table


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence or two of a report."""

    text: str
    """The main text."""
    more: str = ""
    """What the main text means, or what the user should do."""
    odd: bool = False
    """Whether the remark is a warning: its subject may make results wrong."""
    strong: bool = False
    """Whether the remark summarises the following remarks."""


Block = Table | Picture | tuple[Remark, ...]
"""A block of a report. A tuple of remarks becomes a list."""


def remarks(texts: Iterable[str]) -> tuple[Remark, ...]:
    """Return sentences as a block."""
    return tuple(map(Remark, texts))


SHOWN = 3
"""The maximum number of jobs that a sentence names."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a sentence mentions."""

    kind: str
    """``job``, ``user`` or ``queue``."""
    value: str
    """The name in the log."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an explanation.

    Examples
    --------
    >>> sentence = Sentence("start", "It started when job {0} ended.", (Name("job", "15"),))
    >>> str(sentence), sentence.text(lambda name: "17 of the page")
    ('It started when job 15 ended.', 'It started when job 17 of the page ended.')
    """

    topic: str
    """The topic: ``job``, a kind of `Reason`, ``start``, ``queue``, ``promise``, ``overtaken``,
    ``estimate`` or ``not_known``."""
    words: str
    """The sentence, with ``{0}``, ``{1}`` and so on instead of names."""
    names: tuple[Name, ...] = ()
    """The names for ``{0}``, ``{1}`` and so on."""

    def text(self, called: Callable[[Name], str]) -> str:
        """Return the sentence, with each name replaced by the result of `called`."""
        return self.words.format(*map(called, self.names))

    def __str__(self) -> str:
        """Return the sentence with the names of the log."""
        return self.text(lambda name: name.value)


class Names:
    """Collects the names of a sentence, in which numbered placeholders replace the names."""

    def __init__(self) -> None:
        self._names: list[Name] = []

    def __call__(self, kind: str, value: str) -> str:
        """Return the placeholder of a name."""
        name = Name(kind, value)
        if name not in self._names:
            self._names.append(name)
        return f"{{{self._names.index(name)}}}"

    def job(self, value: str) -> str:
        """Return the placeholder of a job's name."""
        return self("job", value)

    def jobs(self, values: Iterable[str], number: int = 0) -> str:
        """Name some jobs and say how many more there are; `number` is the total if larger.

        Examples
        --------
        >>> names = Names()
        >>> str(names.sentence("start", f"Those are {names.jobs(['1', '2', '3', '4', '5'])}."))
        'Those are jobs 1, 2, 3 and 2 more.'
        """
        every = list(values)
        number = max(number, len(every))
        named = [self.job(one) for one in every[:SHOWN]]
        if number > len(named):
            return f"jobs {', '.join(named)} and {number - len(named):,} more"
        if len(every) == 1:
            return f"job {named[0]}"
        return f"jobs {', '.join(named[:-1])} and {named[-1]}"

    def sentence(self, topic: str, words: str) -> Sentence:
        """Return the sentence with the collected names."""
        return Sentence(topic, words, tuple(self._names))
