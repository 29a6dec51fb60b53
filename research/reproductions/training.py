"""Jobs that a paper's predictors learn before those that it tests on."""

from pathlib import Path

from pred_aware.campaign import LogOfCampaign, kept_file, make_folder
from workload_tools import Cleaned, gather, open_log, recipe, write_swf


def training_file(log: LogOfCampaign, *, folder: Path) -> Path:
    """Return the file of a log's part that is learned from; written if it is not there.

    Parameters
    ----------
    log
        The log, and what is done to it.
    folder
        Where it is kept.

    Raises
    ------
    InputError, PredAwareError
        The log cannot be read, or the folder cannot be written.
    """
    file = kept_file(folder, log, suffix=".swf.gz")
    if not file.is_file():
        opened = open_log(log.file, format=log.format, options=log.options)
        past = gather(Cleaned(opened, recipe(*log.clean).removals))
        make_folder(folder)
        write_swf(past, file)
    return file
