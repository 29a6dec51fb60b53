"""The command `explain`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.commands.options.output import PrintOptions
from pred_aware.commands.options.parts import RerunOptions

if TYPE_CHECKING:
    from pred_aware.explanation.explanation import Explanation


def explain(
    run: Annotated[Path, argument("RUN", "Prefix of a run's files, or its PREFIX_jobs.csv.")],
    *,
    job: Annotated[list[str], option("ID", "The job's id in the workload. Repeatable.")],
    again: RerunOptions,
    schedule_only: Annotated[bool, flag("Do not repeat the run; use only the schedule.")] = False,
    output: PrintOptions,
) -> None:
    """Explain why a job of a run waited.

    Shows which jobs used the processors, the job's planned starts and why they changed, and which
    jobs overtook the job by which rule. RUN is the prefix of `pred-aware run -e PREFIX`, or its
    PREFIX_jobs.csv. The run's files lack the planned starts. So the command repeats the run as
    PREFIX_run.json describes it, and checks that the schedule is the same. For a run of the real
    Batsim or another program, the command uses only the schedule and says what is unknown.

    The output contains the names of jobs and users.

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
    output.print_result(content, _lines(found), readable=True)


def _lines(found: "list[Explanation]") -> Iterator[object]:
    for place, one in enumerate(found):
        first, *others = one.sentences
        yield from ("", first) if place else (first,)
        for sentence in others:
            yield f"  - {sentence}"


register = adding(explain, page="how-to/explain.md")
