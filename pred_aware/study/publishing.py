"""What a study writes for others: its page and its data."""

import shlex
from pathlib import Path

from pred_aware.page import write
from pred_aware.study.asked import Reading
from pred_aware.study.content import content_of
from pred_aware.study.study import JSON, PAGE, Study, write_json


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


def command(asked: Reading, *, shakes: int) -> str:
    """Return the command that makes the same study, without the folders of its files.

    Parameters
    ----------
    asked
        How the log was read.
    shakes
        How many were made.

    Examples
    --------
    >>> command(Reading(paths=(Path("logs/kth.swf"),), processors=100), shakes=20)
    'pred-aware study kth.swf --processors 100 --shakes 20'
    """
    import msgspec

    given: list[tuple[str, object]] = [
        ("--log-format", asked.format),
        ("--reader", msgspec.json.encode(asked.told_options).decode() if asked.options else None),
        ("--processors", asked.processors),
        ("--slurm-conf", asked.slurm_conf and asked.slurm_conf.name),
        ("--platform", asked.platform and asked.platform.name),
        ("--time-zone", asked.time_zone),
        ("--missing-walltime", asked.missing_walltime),
        *(("--clean", one) for one in asked.told_clean),
        ("--shakes", shakes),
    ]
    words = ["pred-aware", "study", *(path.resolve().name for path in asked.paths)]
    words += [str(word) for option, value in given if value is not None for word in (option, value)]
    return shlex.join(words + ["--names"] * asked.names)
