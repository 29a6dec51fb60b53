"""The recommended scheduler was fixed before its figures were made."""

import hashlib
import json
import re
from pathlib import Path

from schedulers import COMBINATIONS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_recommended_scheduler_is_on_its_page_with_digest_and_version() -> None:
    recommended = COMBINATIONS["recommended"]
    told = re.search(
        r"version (\d+) for `-s policy -O`, SHA-256 `(\w+)`:\n\n    (\{.*\})\n",
        (DOCS / "evidence" / "recommended.md").read_text(encoding="utf-8"),
    )
    assert told
    version, digest, options = told.groups()
    assert recommended.origin.startswith(f"version {version}:")
    assert hashlib.sha256(options.encode()).hexdigest() == digest
    assert json.dumps(recommended.made_of, sort_keys=True, default=dict) == options
