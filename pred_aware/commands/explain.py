"""The command `explain`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pred_aware.commands.options.groups import add, argument, flag, option
from pred_aware.commands.options.output import Told
from pred_aware.commands.options.parts import RerunOptions

if TYPE_CHECKING:
    from pred_aware.explanation.explanation import Explanation


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, explain, page="how-to/explain.md")


def explain(
    run: Annotated[Path, argument("RUN", "Prefix of a run's files, or its PREFIX_jobs.csv.")],
    *,
    job: Annotated[list[str], option("ID", "The job's id in the workload; may be repeated.")],
    again: RerunOptions,
    schedule_only: Annotated[
        bool, flag("Simulate nothing; say only what the schedule tells.")
    ] = False,
    output: Told,
) -> None:
    """Explain why a job of a run waited: the answer to a user who asks.

    Who held the processors meanwhile, what the job was promised and why that moved, who overtook it
    and by which rule. RUN is the prefix of the files that `pred-aware run -e PREFIX` wrote, or its
    PREFIX_jobs.csv. What a scheduler promises stands in no file, so the run is simulated once more,
    as PREFIX_run.json tells how, and must come out the same. Runs of the real Batsim, or of another
    program's decisions, are explained by their schedule alone, and what that does not tell is said.

    Jobs and users are called by their names.

    For example:

        pred-aware explain out/easy --job 1234

        pred-aware explain out/easy --job 1234 --job 1240 --json

        pred-aware explain batsim/out_jobs.csv --job 15 --schedule-only
    """
    from pred_aware.explanation.explainer import Explainer
    from pred_aware.runs.reading import read_run

    read = read_run(run, workload=again.workload)
    with output.progress(shown=not output.as_json) as progress:
        explainer = Explainer(
            read, platform=again.platform, own_parts=again.own_parts, schedule_only=schedule_only,
            progress=progress,
        )  # fmt: skip
        found = [explainer.explain(one) for one in job]
    content = {"explanations": [one.as_json() for one in found]}
    output.tell(content, _lines(found), readable=True)


def _lines(found: "list[Explanation]") -> Iterator[object]:
    for place, one in enumerate(found):
        first, *others = one.sentences
        yield from ("", first) if place else (first,)
        for sentence in others:
            yield f"  - {sentence}"
