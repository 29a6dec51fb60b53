"""A batch system that stands in for PBS, of which there is no package.

Its `qsub` runs the elements of an array one after the other before it returns, but for those that
the file `lost` names, which are as if their machine had died. `qselect` says what the file
`unfinished` has.
"""

from pathlib import Path

import pytest

QSUB = r"""#!/bin/sh
cd "$(dirname "$0")"
cat "$1" >>scripts
last=$(sed -n 's/^#PBS -J 0-//p' "$1")
for element in $(seq 0 "${last:-0}"); do
    grep -qx "$element" lost 2>/dev/null || PBS_ARRAY_INDEX=$element sh "$1"
done
rm -f lost
echo "$(grep -c '^#!/bin/sh' scripts)[].standin"
"""
QSELECT = '#!/bin/sh\ncat "$(dirname "$0")/unfinished" 2>/dev/null || true\n'


@pytest.fixture
def pbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the stand-ins first on the path; return their folder."""
    folder = tmp_path / "pbs"
    folder.mkdir()
    for name, script in (("qsub", QSUB), ("qselect", QSELECT)):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder
