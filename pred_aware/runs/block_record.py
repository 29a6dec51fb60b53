"""The record of a run on blocks: which job had which block, and which block was drained."""

from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError
from pred_aware.metrics.job_results import read_side_table
from schedulers.journal import BlockLog

if TYPE_CHECKING:
    import pandas as pd


def read_block_record(content: bytes, name: str) -> "pd.DataFrame":
    r"""Read the content of ``PREFIX_blocks.csv``.

    Parameters
    ----------
    content
        The file's content.
    name
        The run's name, for messages.

    Raises
    ------
    PredAwareError
        The content is not such a file.

    Examples
    --------
    >>> content = b"job_id,use,block,start,end\n1,drained,left,5.0,9.0\n"
    >>> read_block_record(content, "mine")
      job_id      use block  start  end
    0      1  drained  left    5.0  9.0
    """
    kinds = {name: "float64" if name in ("start", "end") else "str" for name in BlockLog.COLUMNS}
    table = read_side_table(content, f"{name}: its _blocks.csv", dtype=kinds, keep_default_na=False)
    if tuple(table.columns) != BlockLog.COLUMNS:
        raise PredAwareError(
            f"{name}: its _blocks.csv has the columns {', '.join(table.columns)}; they must be "
            f"{', '.join(BlockLog.COLUMNS)}"
        )
    return table
