"""What was found of papers' claims, as files for other programs."""

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple
from pathlib import Path

import msgspec

from reproductions.checks.claim import Found
from reproductions.reproducing import Reproduced
from workload_tools.files import written_whole


def write_csv(results: Iterable[Reproduced], path: Path) -> None:
    """Write a row for each claim and log of all papers.

    Raises
    ------
    InputError
        The file can't be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("claim", "place", "text", "figure", *Found.__dataclass_fields__))
    for one in results:
        for judged in one.judged:
            claim = judged.claim
            for found in judged.found:
                writer.writerow(
                    (claim.name, claim.place, claim.text, claim.figure, *astuple(found))
                )
    with written_whole(path) as file:
        file.write(text.getvalue().encode())


def write_json(results: Iterable[Reproduced], path: Path) -> None:
    """Write all papers with their claims, and what was found of each.

    Raises
    ------
    InputError
        The file can't be written.
    """
    content = msgspec.json.encode([one.to_dict() for one in results])
    with written_whole(path) as file:
        file.write(msgspec.json.format(content, indent=2) + b"\n")
