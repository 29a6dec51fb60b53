"""The commands `site show` and `site check`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pred_aware.commands.options.groups import adding, argument, flag
from pred_aware.commands.options.output import JsonOption, PrintOptions
from pred_aware.errors import PredAwareError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pred_aware.report.sentence import Block
    from pred_aware.report.table import Table
    from schedulers.site.site import Site


def show(
    file: Annotated[Path | None, argument("[FILE]", "The site file.")] = None,
    *,
    example: Annotated[bool, flag("Print an example site file with all kinds of tables.")] = False,
    output: JsonOption,
) -> None:
    """Print a site file with all possible keys.

    Keys that the file lacks are printed as comments with their defaults.

    For example:

        pred-aware site show --example > site.toml

        pred-aware site show site.toml
    """
    from pred_aware.site_configuration import read_site
    from schedulers.site.example import EXAMPLE
    from schedulers.site.reader import content_of
    from schedulers.site.writer import text_of

    if example is (file is not None):
        raise PredAwareError("give either a site file or --example")
    site = EXAMPLE if file is None else read_site(file)
    output.print_result(content_of(site), text_of(site, comments=True).splitlines(), readable=True)


def check(
    file: Annotated[Path, argument("FILE", "The site file.")],
    *,
    output: PrintOptions,
) -> None:
    """Check a site file, and show its first error or its nodes, partitions and rules.

    `pred-aware inspect LOG --site FILE` also lists jobs of a log that can never start on the site.

    For example:

        pred-aware site check site.toml
    """
    from pred_aware.site_configuration import read_site
    from schedulers.site.in_words import rules_in_words
    from schedulers.site.reader import content_of

    site = read_site(file)
    content: dict[str, Any] = {
        "site": content_of(site),
        "rules": list(rules_in_words(site, names=True)),
    }
    output.print_blocks(content, _blocks(site), readable=True)


def _blocks(site: "Site") -> "Iterator[Block]":
    from pred_aware.report.plural import counted
    from pred_aware.report.sentence import Remark, remarks
    from schedulers.site.in_words import oversubscribed, rules_in_words

    nodes = sum(one.count for one in site.nodes)
    size = "a machine of any size" if site.size is None else f"{site.size:,} processors"
    text = f"{site.name}: {counted(nodes, 'node')}, {size}" if nodes else f"{site.name}: {size}"
    yield (Remark(text, strong=True),)
    yield from (table for table in (_nodes(site), _partitions(site)) if table.rows)
    yield remarks(rules_in_words(site, names=True) or ("no rule delays or rejects a job",))
    shared = [oversubscribed(one) for one in site.partitions if one.oversubscribe > 1]
    yield tuple(Remark(f"Not simulated: {text}.", odd=True) for text in shared)


def _nodes(site: "Site") -> "Table":
    from pred_aware.report.table import Table, number

    rows = tuple(
        (
            one.name,
            number(one.count),
            number(one.cores) if one.threads == 1 else f"{one.cores:,} of {one.threads} CPUs",
            "" if one.memory is None else f"{one.memory:g} GiB",
            ", ".join(f"{count} {name}" for name, count in one.gpus.items()),
            ", ".join(one.features),
        )
        for one in site.nodes
    )
    return Table("Nodes", ("class", "nodes", "cores", "memory", "GPUs", "features"), rows)


def _partitions(site: "Site") -> "Table":
    from pred_aware.report.durations import timespan
    from pred_aware.report.table import Table, number
    from schedulers.site.node_sets import node_set
    from schedulers.site.site import texts

    def most(value: float | None) -> str:
        return "" if value is None else number(value)

    rows = tuple(
        (
            f"{one.name}{' (default)' if one.default else ''}",
            number(len(node_set(texts(one.nodes), site.nodes, one.name))) if site.nodes else "",
            most(one.max_nodes),
            most(one.max_processors),
            "" if one.max_walltime is None else timespan(one.max_walltime),
            ", ".join(texts(one.accounts)) or "all",
        )
        for one in site.partitions
    )
    columns = ("partition", "nodes", "max. nodes", "max. processors", "max. walltime", "accounts")
    return Table("Partitions", columns, rows)


register = adding(show, check, page="reference/site.md")
