"""Snapshots with damage: nearly all give a site, the others one error that names the file.

PRED_AWARE_FUZZ=2000 tries as many folders of each batch system.
"""

import os
import random
import re
import shutil
from pathlib import Path

import pytest

from pred_aware.errors import USER_ERRORS
from pred_aware.site_configuration.reading import configured_site
from schedulers.site.site import SiteError
from tests.cpu_guard import cpu_guard

HERE = Path(__file__).parent
FOLDERS = int(os.environ.get("PRED_AWARE_FUZZ", "40"))
ODD = (
    "", "-1", "0", "99999999999999999999", "1e400", "nan", "inf", "x", "(null)", "UNLIMITED",
    "n[1-3", "n[1-999999999]", "1:2:3:4:5", "9-99:99:99", "'", '"', "\\", "#", "=", "|", "[]", "{}",
    "\0", "\x1b[31m", "é" * 300, "9" * 400, "2026-13-45T99:99:99", "0001-01-01T00:00:00",
)  # fmt: skip


def damaged(text: str, rng: random.Random) -> str:
    """Return a text with one to four kinds of damage."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        values = [*re.finditer(r"(?<=[=|:,\s])[\w.()-]+", text)]
        match rng.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines[at] = lines[at][: rng.randint(0, len(lines[at]))]
            case 2:
                lines.insert(at, rng.choice(lines))
            case 3:
                lines[at] = rng.choice(lines[at : at + 1] + list(ODD)) + lines[at]
            case 4:
                lines[at] = lines[at].replace("|", "", 1).replace("=", " ", 1)
            case 5:
                lines = lines[: at + 1]
            case _ if values:
                value = rng.choice(values)
                lines = [text[: value.start()] + rng.choice(ODD) + text[value.end() :]]
        text = "\n".join(lines)
    return text


@pytest.mark.parametrize("system", ["slurm", "pbs"])
def test_a_damaged_snapshot_gives_a_site_or_one_error(system: str, tmp_path: Path) -> None:
    refused = 0
    for seed in range(FOLDERS):
        rng = random.Random(seed)  # noqa: S311 - damage, not a secret
        folder = tmp_path / "snapshot"
        shutil.copytree(HERE / system, folder)
        files = [path for path in sorted(folder.iterdir()) if path.is_file()]
        for path in rng.sample(files, rng.randint(1, 3)):
            if rng.random() < 0.1:
                path.unlink()
            else:
                path.write_text(damaged(path.read_text(), rng))
        try:
            with cpu_guard(20.0):
                configured_site(folder)
        except USER_ERRORS as error:
            refused += 1
            assert "\n" not in str(error), (seed, str(error)[:300])  # noqa: PT017
        except Exception as error:
            raise AssertionError(f"{system}, seed {seed}: {error!r}") from error
        shutil.rmtree(folder)
    assert refused <= FOLDERS // 20


@pytest.mark.parametrize("name", ["config.txt", "slurm.conf", "nodes.txt", "snapshot.json"])
def test_a_pipe_in_a_snapshot_is_refused_at_once(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "snapshot"
    shutil.copytree(HERE / "slurm", folder)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(SiteError, match=f"{name}: is not a file"):
        configured_site(folder)


TREES = {
    "slurm": ("associations.txt", "Cluster|Account|User|Par Name\n", "c|{}||{}\n", "accounts"),
    "pbs": ("resource_group", "", "{} 1 {} 10\n", "groups"),
}


@pytest.mark.parametrize("system", [*TREES])
def test_accounts_in_a_cycle_are_put_below_the_root(system: str, tmp_path: Path) -> None:
    folder = tmp_path / "snapshot"
    shutil.copytree(HERE / system, folder)
    file, head, line, what = TREES[system]
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "d"), ("e", "d")]
    deep = [(f"x{n}", f"x{n - 1}" if n else "root") for n in range(3000)]
    (folder / file).write_text(head + "".join(line.format(*one) for one in pairs + deep))
    with cpu_guard(20.0):
        made = configured_site(folder)
    parents = {one.account: one.parent for one in made.site.associations if one.user is None}
    assert (parents["a"], parents["b"], parents["c"]) == ("root", "c", "a")
    assert parents["d"] == "root"
    assert (parents["x99"], parents["x100"], parents["x101"]) == ("x98", "root", "x100")
    told = [one.what for one in made.findings if one.where == file and one.kind == "assumed"]
    assert told[:2] == [
        f"the parents of {what} form a cycle: {cycle}" for cycle in ("a > b > c > a", "d > d")
    ]


def test_an_error_message_instead_of_output_is_reported(tmp_path: Path) -> None:
    for system in ("slurm", "pbs"):
        folder = tmp_path / system
        shutil.copytree(HERE / system, folder)
        texts = list(folder.glob("*.txt"))
        for path in texts:
            path.write_text("error: Unable to contact the server (connection refused)\n")
        if system == "slurm":
            (folder / "nodes.txt").write_text("x" * 3_000_000 + "=\n")
            texts.remove(folder / "nodes.txt")
        else:
            (folder / "nodes.json").unlink()
            (folder / "nodes.txt").write_text("pbsnodes: no node list = none\n")
        with cpu_guard(20.0):
            made = configured_site(folder)
        told = {
            one.where for one in made.findings if one.what == "is not the output of its command"
        }
        assert told >= {path.name for path in texts}, system
