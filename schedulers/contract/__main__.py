"""Check a policy: ``python -m schedulers.contract site_policy:Mine ['{"option": 3}']``."""

import json
import signal
import sys

from predictors.errors import PredictorError
from schedulers.contract.checks import CHECKS
from schedulers.contract.playing import ContractError
from schedulers.errors import SchedulerError
from schedulers.factory import make_policy

USAGE = """Check that a policy keeps the contract. Each check prints one line.

    python -m schedulers.contract site_policy:Mine
    python -m schedulers.contract site_policy:Mine '{"option": 3}'
    python -m schedulers.contract policy '{"order": "site_order:Aged"}'
"""


def main(arguments: list[str]) -> int:
    """Run all checks. Return 1 if a check fails, or 2 if the policy raises or cannot be made."""
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):  # noqa: PLR2004 - see above
        sys.stderr.write(USAGE)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    name = arguments[0]
    failed = 0
    try:
        options = json.loads(arguments[1]) if len(arguments) > 1 else None
        for title, check in CHECKS.items():
            try:
                check(lambda: make_policy(name, options))
                said = "ok"
            except ContractError as error:
                failed += 1
                said = f"FAILED: the policy {error}"
            sys.stdout.write(f"{title.replace('_', ' ')}: {said}\n")
    except json.JSONDecodeError as error:
        sys.stderr.write(f"schedulers.contract: error: the options are not JSON: {error}\n")
        return 2
    except (PredictorError, SchedulerError) as error:
        sys.stderr.write(f"schedulers.contract: error: {error}\n")
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    # `| head` ends the command without a traceback
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
