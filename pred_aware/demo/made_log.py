"""The demo's log: made by its model, written as an SWF."""

from pathlib import Path


def make_log(path: Path, *, processors: int | None, seed: int) -> None:
    """Make a log and write it.

    Parameters
    ----------
    path
        The file.
    processors
        The machine's size; the model's own by default.
    seed
        Of the model.

    Raises
    ------
    InputError
        The file can't be written.
    """
    import numpy as np

    from pred_aware.demo.log_model import LogModel, model_log
    from pred_aware.demo.model_swf import write_model_swf

    model = LogModel() if processors is None else LogModel(processors=processors)
    write_model_swf(model_log(model, np.random.default_rng(seed)), path, model=model, seed=seed)
