"""The command `paper001`: the four prediction experiments of paper 001."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pred_aware.commands.options import (
    OutputOptions,
    ReadingOptions,
    add,
    argument,
    has,
    option,
)
from pred_aware.report import Result

if TYPE_CHECKING:
    from pred_aware.prediction import PastTable
    from pred_aware.report import Table
    from reproductions.paper001 import Experiment

HELP = """Repeat the four prediction experiments of paper 001 on past jobs.

The paper's are on 628,977 jobs of Marconi100: a decision tree, a random forest and gradient
boosting, learned from four fifths of the jobs (drawn at random, which looks into the future; in
experiment 4 those submitted first) and tried on the rest. Errors are in minutes, as there; JSON has
seconds.

The jobs come from a table (.csv, .csv.gz or .parquet) in the paper's columns cpu, mem (GB), node,
gres/gpu, user_id, qos, time_limit and run_time, with times in seconds, or from a job log, with what
it knows. Predictions are not cut to the walltime.

Examples:

    pred-aware paper001 train_jobs.csv

    pred-aware paper001 KTH-SP2-1996-2.1-cln.swf.gz --experiment baseline --experiment consecutive

    pred-aware paper001 LOG.swf.gz --model decision_tree --json
"""


def paper001(  # noqa: PLR0913 - one parameter an option
    past: Annotated[Path, argument("TABLE|LOG", "The past jobs.")],
    *,
    experiment: Annotated[
        list[str] | None,
        option(
            "",
            "Only this one: baseline, best_users, augmentation, consecutive; can be given many "
            "times.",
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        option(
            "",
            "Only this one: decision_tree, random_forest, gradient_boosting; can be given many "
            "times.",
        ),
    ] = None,
    test_share: Annotated[
        float, option("", "Share of the jobs that is predicted, between 0 and 1.")
    ] = 0.2,
    best_users: Annotated[int, option("", "How many users experiment 2 keeps.", min=1)] = 50,
    seed: Annotated[
        int, option("", "Seed of the random split and of the models.", min=0, max=2**32 - 1)
    ] = 13,
    workers: Annotated[
        int, option("", "Threads that fit a forest; -1 for one a processor.", min=-1)
    ] = -1,
    reading: Annotated[ReadingOptions, has("reader")],
    output: Annotated[OutputOptions, has("tables", "as_json", "quiet")],
) -> None:
    """Repeat paper 001's prediction experiments."""
    from pred_aware.prediction import chosen_names, read_past
    from reproductions import paper001 as experiments

    output.check({"the past jobs": past, **reading.files})
    setup = experiments.Setup(
        test_share=test_share,
        seed=seed,
        best_users=best_users,
        models=chosen_names(model or (), list(experiments.MODELS), "model"),
        workers=workers or -1,
    )
    names = chosen_names(experiment or (), list(experiments.EXPERIMENTS), "experiment")
    table = read_past(past, log_format=reading.open_options["format"], options=reading.options)
    found = []
    for name in names:
        if sys.stderr.isatty() and not output.quiet:
            sys.stderr.write(f"{experiments.EXPERIMENTS[name]} ...\n")
        found.append(experiments.run(name, table, setup))
    output.deliver(_Experiments(table, found), readable=True)


class _Experiments(Result):
    """What came out of the experiments, for people."""

    def __init__(self, past: "PastTable", found: "list[Experiment]") -> None:
        self.past = past
        self.found = found

    def to_dict(self) -> dict[str, Any]:
        """Return the jobs that were left out, and the experiments."""
        return {
            "jobs": len(self.past.submissions),
            "dropped": dict(sorted(self.past.dropped.items())),
            "experiments": [one.to_dict() for one in self.found],
        }

    def show(self) -> None:
        """Print the experiments, and which jobs were left out."""
        _show(self.past, self.found)

    def tables(self) -> "list[Table]":
        """Return a table for each experiment."""
        return [one for experiment in self.found for one in _tables(experiment)]


def _show(table: "PastTable", found: "list[Experiment]") -> None:
    from pred_aware.report import console, remarks, show
    from reproductions.paper001 import EXPERIMENTS

    to = console()
    for one in found:
        said = [one.remark] if one.remark else []
        if one.models:
            said.insert(
                0,
                f"{one.learned:,} jobs learned, {one.predicted:,} predicted, from "
                f"{', '.join(one.features)}.",
            )
        else:
            said.insert(0, f"{EXPERIMENTS[one.name]}:")
        show([*_tables(one), remarks(said)], to)
    dropped = "; ".join(f"{count:,} {reason}" for reason, count in sorted(table.dropped.items()))
    to.print(
        f"{len(table.submissions):,} jobs; left out: {dropped or 'none'}. All but the consecutive "
        "split learn jobs that were submitted after those they predict.",
        markup=False,
    )


def _tables(experiment: "Experiment") -> "list[Table]":
    """Return the table of an experiment's models; none where there was nothing to learn."""
    from pred_aware.prediction import paper001_table
    from pred_aware.report import MINUTE
    from reproductions.paper001 import EXPERIMENTS, MODELS

    measured = [(MODELS[result.model], result.measures) for result in experiment.models]
    if not measured:
        return []
    title = f"{EXPERIMENTS[experiment.name]} (errors in min)"
    return [paper001_table(measured, title=title, unit=MINUTE)]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    add(app, paper001, help=HELP)
