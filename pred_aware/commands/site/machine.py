"""The command `site machine`: machines that allocate processors in blocks."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pred_aware.commands.options.groups import adding, argument, has, option
from pred_aware.commands.options.output import OutputOptions

if TYPE_CHECKING:
    from pred_aware.metrics.block_use import BlockUse
    from pred_aware.runs.run import Run
    from schedulers.machine.block import BlockList


def machine(
    which: Annotated[str, argument("MACHINE", "intrepid, mira, or a machine file.")],
    *,
    file: Annotated[
        Path | None, option("FILE", "Write the machine file.", "-o", "--output")
    ] = None,
    platform: Annotated[
        Path | None, option("FILE", "Also write a platform of the machine's size.")
    ] = None,
    node_processors: Annotated[
        int | None,
        option(
            "N",
            "Processors per node in the workload: by default 4 for Intrepid, as in its log, "
            "and 1 for Mira.",
        ),
    ] = None,
    run: Annotated[
        Path | None,
        option(
            "PREFIX",
            "A run on these blocks: show the used, wasted and lost shares of its machine.",
        ),
    ] = None,
    day: Annotated[
        str | None,
        option(
            "DAY",
            "The day of the run to draw: a date such as 2009-07-05, or the day's number from 0. "
            "By default the day on which most processors were drained.",
        ),
    ] = None,
    output: Annotated[OutputOptions, has("picture", "as_json", "quiet")],
) -> None:
    """Show, check or write a machine that allocates processors in blocks, for `run --machine`.

    MACHINE is `intrepid` or `mira`, Argonne's Blue Genes, or the file of another machine with
    blocks. The table shows, for each block size, the number of blocks and how many of them jobs can
    use at the same time. The output also says which facts about the machine are known or assumed.

    For example:

        pred-aware site machine intrepid -o intrepid.json --platform intrepid.xml

        pred-aware site machine mine.json --run out/wfp

        pred-aware site machine intrepid --run out/wfp --picture day.png --day 2009-07-05
    """
    from pred_aware.errors import PredAwareError
    from schedulers.machine.block_file import read_blocks, text_of
    from schedulers.machine.blue_gene import BLUE_GENES, blue_gene

    picture = output.picture
    if (run is None and picture is not None) or (picture is None and day is not None):
        raise PredAwareError("to draw a day, give both --run and --picture")
    output.check({}, output=file, platform=platform)
    if which in BLUE_GENES:
        blocks = blue_gene(which, node_processors=node_processors)
    elif node_processors is not None:
        raise PredAwareError(
            f"--node-processors is only for {' and '.join(BLUE_GENES)}, not for a machine file"
        )
    else:
        blocks = read_blocks(which)
    if file is not None:
        from workload_tools.files import written_whole

        with written_whole(file) as into:
            into.write(text_of(blocks).encode())
    if platform is not None:
        from workload_tools.platform.writer import write_platform

        write_platform(platform, hosts=blocks.processors)
    use = None
    if run is not None:
        from pred_aware.metrics.block_use import block_use

        found = _read(run, dated=day is not None)
        use = block_use(found, blocks)
        if picture is not None:
            from pred_aware.runs.blocks_picture import day_of, draw

            draw(found, blocks, day_of(found, day), path=picture)
    written = [path for path in (file, platform, picture) if path is not None]
    output.print_result(_as_json(blocks, use), partial(_show, blocks, use, written))


def _as_json(blocks: "BlockList", use: "BlockUse | None") -> dict[str, Any]:
    names = ("processors", "blocks", "at_once")
    return {
        "name": blocks.name,
        "processors": blocks.processors,
        "sizes": [dict(zip(names, row, strict=True)) for row in sizes_of(blocks)],
        "about": blocks.about,
        **({} if use is None else {"run": use}),
    }


def _read(prefix: Path, *, dated: bool) -> "Run":
    """Read a run, and its workload if dates are needed."""
    from pred_aware.runs.reading import read_run

    found = read_run(prefix)
    if dated and found.path is not None:
        from pred_aware.runs.reading import workload_of

        found.workload = workload_of(found.provenance, found.path)
    return found


def sizes_of(blocks: "BlockList") -> list[tuple[int, int, int]]:
    """Return for each block size: processors, number of blocks, and blocks usable together.

    A greedy pass through the list counts the blocks usable together, so the count may be too low.
    """
    in_use: Counter[int] = Counter()
    at_once: Counter[int] = Counter()
    for place, (block, excluded) in enumerate(zip(blocks.blocks, blocks.excluded, strict=True)):
        if not in_use[block.size] & excluded:
            in_use[block.size] |= 1 << place
            at_once[block.size] += 1
    numbers = Counter(block.size for block in blocks.blocks)
    return [(size, numbers[size], at_once[size]) for size in sorted(numbers)]


def _show(blocks: "BlockList", use: "BlockUse | None", written: list[Path]) -> None:
    from pred_aware.report.lines import say
    from pred_aware.report.table import Table, number, percent
    from pred_aware.report.terminal import Terminal, show

    rows = tuple(tuple(number(value) for value in row) for row in sizes_of(blocks))
    title = f"{blocks.name or 'machine'}: {blocks.processors:,} processors"
    tables = [Table(title, ("processors", "blocks", "usable together"), rows)]
    if use is not None:
        parts = (
            ("used", use.used),
            ("wasted: in the blocks of jobs, but not requested", use.wasted),
            ("lost: free while a job waited that would fit", use.lost),
            ("drained: free, but reserved in a draining block", use.drained),
        )
        shares = tuple(
            (what, percent(part / use.capacity)) for what, part in parts if part is not None
        )
        tables.append(Table("Shares of the run's processor time", ("", "share"), shares))
    show(tables, Terminal())
    for sentence in blocks.about:
        say(sentence)
    for path in written:
        say(f"wrote {path}")


register = adding(machine, page="explanation/blocks.md")
