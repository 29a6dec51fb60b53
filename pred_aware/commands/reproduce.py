"""The command `reproduce`: the papers' claims on the logs at hand."""

from pathlib import Path
from typing import Annotated

import typer

from pred_aware.commands.outputs import JsonOption, QuietOption, print_json
from pred_aware.commands.panels import see

HELP = """Try the papers' claims, one by one, on the logs that are at hand.

Looks for the logs in the folders and among the files given by --logs, and in the cache of `fetch`;
simulates the papers' policies on them and on shakes of them, replays their predictors, and says of
each claim whether it holds, does not hold, or can't be told. What can't be checked is said, with
the way to get it. Stopped, it goes on where it was.

Writes claims.html, claims.csv and claims.json into the folder given by -o.

Examples:

    pred-aware reproduce 003 --logs ~/logs --quick

    pred-aware reproduce all --logs ~/logs -o papers
"""


def reproduce(
    papers: Annotated[
        list[str], typer.Argument(metavar="PAPER...", help="Numbers of papers, or all.")
    ],
    *,
    logs: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            metavar="PATH",
            help="Where logs are: a folder or a file; can be given many times.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder to write to.")
    ] = Path("reproduced"),
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: fewer logs, and five shakes of each.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "-j", "--workers", min=1, help="Processes, by default one a core.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Try the papers' claims."""
    from pred_aware.campaign.showing import progress_shown
    from pred_aware.papers import report
    from pred_aware.papers.drawing import write_figures
    from pred_aware.papers.evidence import QUICK, Effort
    from pred_aware.papers.figures import Drawn
    from pred_aware.papers.reproducing import papers_named
    from pred_aware.papers.reproducing import reproduce as try_claims
    from pred_aware.report.lines import say
    from workload_tools.archive.fetching import cache_folder
    from workload_tools.files import written_whole

    wanted = papers_named(papers)
    cache = cache_folder()
    places = [*(logs or ()), *([cache] if cache.is_dir() else [])]
    output.mkdir(parents=True, exist_ok=True)
    results = []
    for paper in wanted:
        with progress_shown(shown=not (quiet or as_json)) as progress:
            results.append(
                try_claims(
                    paper,
                    places,
                    folder=output,
                    effort=QUICK if quick else Effort(),
                    workers=workers,
                    told=(lambda _: None)
                    if quiet or as_json
                    else (lambda text: say(f"replays {text}", error=True)),
                    progress=progress,
                )
            )
    import msgspec

    with written_whole(output / "claims.json") as file:
        content = [one.to_dict() for one in results]
        file.write(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
    report.write_csv(results, output / "claims.csv")
    write_figures(
        (
            (one.paper.number, [each for each in one.figures if isinstance(each, Drawn)])
            for one in results
        ),
        output / "figures.csv",
    )
    names = " ".join(paper.number for paper in wanted)
    report.write_report(results, output / "claims.html", made=f"pred-aware reproduce {names}")
    if as_json:
        print_json([one.to_dict() for one in results])
    elif not quiet:
        from pred_aware.report.terminal import console, show

        show([*map(report.in_short, results), report.counts_table(results)], console())
        say(" ".join(report.summary(results)))
        say(f"Figures and intervals are on the page, {output / 'claims.html'}.")


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("reproduce", help=HELP, epilog=see("papers.md"), no_args_is_help=True)(reproduce)
