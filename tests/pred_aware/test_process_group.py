"""Programs that are ended with all that they started."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pred_aware.process_group import run_group


def test_input_and_output_of_a_program_are_passed() -> None:
    ended = run_group(["sh", "-c", "cat; echo no >&2; exit 3"], timeout=10.0, standard_input=b"yes")
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"yes", b"no\n", 3)


@pytest.mark.parametrize("waits", ["wait", ":"])
def test_a_grandchild_that_keeps_the_pipe_open_is_ended_with_the_program(
    tmp_path: Path, waits: str
) -> None:
    mark = tmp_path / "late"
    late = f"import time; time.sleep(1.0); open({str(mark)!r}, 'w')"
    script = f'"$0" -c "$1" & {waits}'
    begun = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run_group(["sh", "-c", script, sys.executable, late], timeout=0.3)
    assert time.monotonic() - begun < 0.9
    time.sleep(1.1)
    assert not mark.exists()
