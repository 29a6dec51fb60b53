"""The command `predictors`: list predictors, their options and required packages."""

import re
from typing import TYPE_CHECKING, Annotated, Any

from pred_aware.commands.options.groups import adding
from pred_aware.commands.options.output import JsonOption, print_json
from pred_aware.commands.options.parts import looked_up, names_argument, predictor_names

if TYPE_CHECKING:
    from collections.abc import Iterator


def predictors(
    names: Annotated[list[str] | None, names_argument(predictor_names)] = None,
    *,
    output: JsonOption,
) -> None:
    """List the predictors, their options, and the optional packages (extras) that they need.

    `run` and `predict` accept a predictor's name, or JSON with name and options. The list includes
    predictors of other packages (entry points of the group `pred_aware.predictors`). `run` and
    `predict` also accept the estimates `actual`, `recorded`, `accuracy` and `constant`, which
    are not predictors.

    For example:

        pred-aware predictors

        pred-aware predictors knn

        pred-aware run ... --predictor '{"name": "knn", "k": 3}'

        pred-aware predictors --json
    """
    found = looked_up("predictor", dict(_found()), names or ())
    if output.as_json:
        print_json(found)
        return
    from pred_aware.report.table import Table
    from pred_aware.report.terminal import Terminal, show

    rows = []
    for name, one in found.items():
        needs = one["extra"] or ""
        if needs and not one["installed"]:
            needs += ", which is not installed"
        rows.append((name, one["does"], ", ".join(one["options"]), needs))
    columns = ("predictor", "what it does", "options", "needs")
    show([Table("", columns, tuple(rows), words=True)], Terminal())


def _found() -> "Iterator[tuple[str, dict[str, Any]]]":
    """Yield each predictor's name and description."""
    from importlib.util import find_spec

    from predictors.errors import PredictorError
    from predictors.options import parameters_of
    from predictors.registry import PREDICTORS

    for name in PREDICTORS.names():
        try:
            factory = PREDICTORS.load(name)
            parameters = parameters_of(factory)
        except (PredictorError, ValueError) as error:
            yield name, {"does": str(error), "options": [], "extra": None, "installed": False}
            continue
        extra = getattr(factory, "extra", None)
        first = " ".join((factory.__doc__ or "").strip().partition("\n\n")[0].split())
        yield (
            name,
            {
                "does": re.sub(r" \[\d+\]_|`", "", first),
                "options": list(parameters),
                "extra": extra,
                "installed": extra is None or find_spec(extra) is not None,
            },
        )


SHORT = "List the predictors, their options and what they need."
register = adding(predictors, page="reference/predictors.md", options={"short_help": SHORT})
