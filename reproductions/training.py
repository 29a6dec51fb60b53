"""What a paper's predictors learn before the jobs that it tests on."""

from pathlib import Path

from pred_aware.campaign.run_digest import of_log
from pred_aware.campaign.specification import LogOfCampaign
from pred_aware.errors import PredAwareError


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
        The log can't be read, or the folder can't be written.
    """
    file = folder / f"{of_log(log).digest}.swf.gz"
    if not file.is_file():
        from workload_tools.changes.cleaning import Cleaned, recipe
        from workload_tools.formats import open_log
        from workload_tools.log import gather
        from workload_tools.swf.writer import write_swf

        opened = open_log(log.file, format=log.format, options=log.options)
        past = gather(Cleaned(opened, recipe(*log.clean).removals))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PredAwareError(f"{folder}: can't be written: {error.strerror}") from error
        write_swf(past, file)
    return file
