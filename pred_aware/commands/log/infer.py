"""The command `log infer`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pred_aware.commands.options.converting import WorkloadOptions, convert_log
from pred_aware.commands.options.groups import adding, flag, has, option
from pred_aware.commands.options.reading import WORKLOAD_WALLTIME, LogArgument, ReadingOptions

if TYPE_CHECKING:
    from workload_tools.changes.inferred_nodes import NodesAndTasks


def infer(
    log: LogArgument,
    *,
    training: Annotated[
        Path, option("TRAINING", "The log to learn from: a file or folder of any format.")
    ],
    to: WorkloadOptions,
    node_processors: Annotated[
        int | None,
        option(
            "N",
            "Processors per node of LOG's machine, so that each job gets enough nodes.  "
            "[default: no minimum]",
            min=1,
        ),
    ] = None,
    with_run_time: Annotated[
        bool, flag("Also infer from the run time. The inferred values then reveal the run time.")
    ] = False,
    reading: Annotated[ReadingOptions, has("reader", missing_walltime=WORKLOAD_WALLTIME)],
) -> None:
    """Convert a log, and infer the numbers of nodes and tasks that the log lacks.

    A log in the Standard Workload Format lacks these numbers. As in paper 000 (about the COARE
    cluster, section 5.2), a regression tree learns them from another log, such as PBS or Slurm
    accounting. Its inputs are the requested processors, memory and walltime. A job gets at least
    the nodes that its processors need (--node-processors). Each job's field `inferred` in the
    workload names the inferred values. Values that the log has are kept.

    --with-run-time also uses the run time, as paper 000 did. Then nodes and tasks reveal the run
    time to a predictor, so do not use predictors on such a workload.

    docs/how-to/infer-nodes.md describes the rules and their accuracy.

    For example:

        pred-aware log infer KTH-SP2.swf.gz --training accounting -o kth.json --node-processors 1
    """
    from workload_tools.changes.inferred_nodes import Inferred, NodesAndTasks, learn_from
    from workload_tools.formats import open_log

    source = open_log(training)
    model = NodesAndTasks(learn_from(source, path=training, with_run_time=with_run_time))
    opened = reading.open(log, output=to.output)
    inferred = Inferred(opened, model, node_processors=node_processors)
    convert_log(log, inferred, to=to, read_too=[training])
    if not to.quiet:
        _print_accuracy(training, model)


def _print_accuracy(training: Path, model: "NodesAndTasks") -> None:
    """Print how accurate the trees are on the last 20 % of the training log."""
    from pred_aware.report.terminal import for_lines

    console = for_lines()
    fields = ", ".join(model.training.features)
    console.print(f"learned from {model.training.jobs} jobs of {training.name}, from {fields}")
    for target in model.targets:
        it = model.accuracy(target)
        console.print(
            f"{target}: a tree trained on the first 80 % of the jobs is exact for "
            f"{it.exact:.1%} of the last {it.jobs} jobs, with a mean error of {it.mean_error:.2f} "
            f"(predicting {it.usual} for every job is exact for {it.usual_exact:.1%})"
        )


register = adding(infer, page="how-to/infer-nodes.md")
