"""Write docs/reference/api.md from the docstrings of every public name of `pred_aware`.

Usage: python docs/make_api.py
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pred_aware
from predictors.failures import OURS
from workload_tools.strict import field_docs

PAGE = Path(__file__).parent / "reference" / "api.md"

HEAD = """\
# The API

Made from the docstrings by `python docs/make_api.py`; a test sees that it is current, and that each
example is true.

```python
import pred_aware as pa
```

Values in, values out: read a log or a workload once, simulate it as often as wanted, and look at
frames, figures and pictures. The commands are made of the same functions, so both give the same
figures. What goes wrong is an error of `pred_aware.errors.USER_ERRORS`, whose text is one line.
Beside these, the names in `__all__` of a package are stable: `pred_aware.report` has tables, bar
charts and remarks, `pred_aware.report.page` pages, `pred_aware.metrics` the measures,
`pred_aware.statistics` intervals, `pred_aware.prediction` measures of predictions,
`pred_aware.campaign` what campaigns are made of (`kept` keeps any value by what determines it).
`reproductions`, which tries the papers' claims, is made of these alone.
[own-parts.md](../how-to/own-parts.md) has the contracts of parts of your own,
[metrics.md](metrics.md) the definition of every figure, [run-files.md](run-files.md) that of every
file, [schedulers.md](schedulers.md) and [predictors.md](predictors.md) what there is by name.

| | |
|---|---|
"""

ORDER = (
    "read_log", "JobLog", "read_workload", "Workload", "Platform", "simulate",
    "PolicyOptions", "Run", "read_run", "compare", "Comparison", "explain", "Explainer",
    "Explanation", "read_campaign", "Campaign", "check_baseline", "BaselineCheck", "lower_bound",
    "LowerBound", "predict", "Measured", "rehearse", "Rehearsal", "blue_gene",
    "read_blocks", "BlockList",
)  # fmt: skip
"""In which order one meets them; others follow."""

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\S.*)\n((?:    .*\n|\n)*)", re.MULTILINE)


def names() -> list[str]:
    """Return the public names, in the order of the page."""
    public = [name for name in pred_aware.__all__ if not name.startswith("__")]
    return [*ORDER, *(name for name in public if name not in ORDER)]


def page() -> str:
    """Return the page."""
    values = {name: getattr(pred_aware, name) for name in names()}
    rows = [
        f"| [`{name}`](#{name.lower()}) | {_first_line(value)} |" for name, value in values.items()
    ]
    parts = [HEAD + "\n".join(rows)]
    for name, value in values.items():
        parts.append(f"## {name}")
        parts += _described(name, value)
    return "\n\n".join(parts) + "\n"


def _first_line(value: object) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0]


def _described(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - a class or function
    if not inspect.isclass(value):
        yield f"```python\n{_signature(name, value)}\n```"
    yield from _text(value)
    if inspect.isclass(value):
        for member, what in _members(value):
            if isinstance(what, property) or not callable(what):
                yield f"### {name}.{member}"
            else:
                yield f"### {name}.{member}()"
                yield f"```python\n{_signature(member, what)}\n```"
            yield from _text(what)


def _lineage(owner: type) -> list[type]:
    """Return a class and those of ours that it inherits, from the highest down."""
    return [one for one in reversed(owner.__mro__) if one.__module__.partition(".")[0] in OURS]


def _fields(owner: type) -> list[str]:
    """Return an entry for each field of a class that documents any below them; else none."""
    return [entry for one in _lineage(owner) for entry in _own_fields(one)]


def _own_fields(owner: type) -> list[str]:
    if not (documented := field_docs(owner)):
        return []
    public = [name for name in owner.__annotations__ if not name.startswith("_")]
    return [_entry(name, documented.get(name, "")) for name in public]


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class in the order of its source."""
    defined = {name: raw for one in _lineage(owner) for name, raw in vars(one).items()}
    for member, raw in defined.items():
        if member.startswith("_"):
            continue
        what = raw.func if hasattr(raw, "func") else raw
        if isinstance(raw, classmethod):
            what = getattr(owner, member)
        elif hasattr(raw, "func"):
            what = property(raw.func)  # one that is kept once it is made
        if inspect.getdoc(what) and (isinstance(what, property) or inspect.isroutine(what)):
            yield member, what


def _signature(name: str, value: Any) -> str:  # noqa: ANN401
    """Return a signature without types, which the text tells."""
    parameters = []
    star = False
    for parameter in inspect.signature(value).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            star = True
            parameters.append("*")
        prefix = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        default = "" if parameter.default is parameter.empty else f"={_value(parameter.default)}"
        parameters.append(f"{prefix}{parameter.name}{default}")
    line = f"{name}({', '.join(parameters)})"
    if len(line) <= 100:  # noqa: PLR2004 - as the code
        return line
    return f"{name}(\n" + "".join(f"    {parameter},\n" for parameter in parameters) + ")"


def _value(default: object) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _text(value: object) -> Iterator[str]:
    """Yield the paragraphs of a docstring, with a class's fields below the first, in Markdown."""
    pieces = _SECTION.split((inspect.getdoc(value) or "") + "\n")
    yield pieces[0].replace("``", "`").strip()
    if inspect.isclass(value) and (fields := _fields(value)):
        yield "**Parameters**"
        yield "\n".join(fields)
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        yield f"**{title}**"
        if title == "Examples":
            shown = re.sub(r"  # doctest: .*", "", body.strip())
            yield f"```python\n{shown}\n```"
        else:
            yield "\n".join(_entries(body))


def _entries(body: str) -> Iterator[str]:
    for entry, lines in _ENTRY.findall(body.strip() + "\n"):
        yield _entry(entry, lines) if lines.strip() else f"- {entry}"


def _entry(name: str, text: str) -> str:
    words = " ".join(text.split()).replace("``", "`")
    return f"- `{name}`: {words}" if words else f"- `{name}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
