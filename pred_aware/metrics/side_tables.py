"""Reader of CSV tables beside a run's jobs file."""

import io
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from workload_tools.expected import in_words

if TYPE_CHECKING:
    import pandas as pd


def read_side_table(content: bytes, name: str, **how: Any) -> "pd.DataFrame":  # noqa: ANN401 - as pandas takes them
    """Return a table, read by `pandas.read_csv`.

    Raises
    ------
    PredAwareError
        The table cannot be read. The message begins with `name`.
    """
    import pandas as pd

    try:
        table: pd.DataFrame = pd.read_csv(io.BytesIO(content), **how)
    except ValueError as error:
        why = in_words(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise PredAwareError(f"{name} cannot be read: {why}") from error
    return table
