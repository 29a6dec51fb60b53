"""Output of a study for others: its page and its data."""

from pathlib import Path

from pred_aware.report.page import write
from pred_aware.study.content import content_of
from pred_aware.study.folder import JSON, PAGE, write_json
from pred_aware.study.study import Study


def publish(study: Study, folder: Path, *, made: str) -> None:
    """Write the page and its data into the study's folder.

    Parameters
    ----------
    study
        What was found.
    folder
        The folder.
    made
        The command that repeats it.

    Raises
    ------
    InputError
        A file can't be written.
    """
    write_json({**study.to_dict(), "command": made}, folder / JSON)
    write(folder / PAGE, content_of(study, made=made))
