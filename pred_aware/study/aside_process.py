"""A process beside a study, which makes a run of the log as it is.

``python -m pred_aware.study.aside_process WORKLOAD PLATFORM STORE SITE POLICIES POLICY PREFIX``,
with an empty SITE where there is none, and the campaign's POLICIES as JSON. Its standard input is a
pipe that nobody writes to: when who started it dies, the pipe ends, and so must it.
"""

import os
import sys
from pathlib import Path

import msgspec

from pred_aware.campaign.making.worker import end_with_parent
from pred_aware.errors import USER_ERRORS
from pred_aware.study.as_it_is import AsItIs
from pred_aware.study.campaign import LOG, StudyCampaign


def main() -> None:
    """Make the run."""
    end_with_parent()
    # a core each, as campaigns have it
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    workload, platform, store, site, policies, policy, prefix = sys.argv[1:]
    campaign = StudyCampaign(
        Path(workload), {LOG: Path(platform)}, Path(store), workers=1,
        site=Path(site) if site else None, definitions=msgspec.json.decode(policies), judged=policy,
    )  # fmt: skip
    try:
        AsItIs(campaign).run(policy, Path(prefix), on_progress=lambda _: None)
    except USER_ERRORS as error:
        sys.exit(" ".join(str(error).split()))


if __name__ == "__main__":
    main()
