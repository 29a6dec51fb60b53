"""The command line, as ``pred-aware`` and ``python -m pred_aware`` start it."""

import gc
import sys


def main() -> None:
    """Run the command line; see `pred_aware.cli.main`."""
    from pred_aware.signals import INTERRUPTED, Terminated, heed_signals

    heed_signals()
    try:
        _run()
    except (KeyboardInterrupt, Terminated) as stopped:
        # while modules were loaded
        sys.stderr.write("pred-aware: stopped\n")
        sys.exit(stopped.code if isinstance(stopped, Terminated) else INTERRUPTED)


def _run() -> None:
    # nothing of what is imported is garbage, and to look for some would take a sixth of the start
    gc.disable()
    from pred_aware.cli import main as run

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    # `python -m` puts the working folder first, in which what is called msgspec.py is somebody's
    # data; a checkout that is not installed needs its own folder
    if not sys.flags.safe_path and not __file__.startswith(f"{sys.path[0]}/pred_aware/"):
        del sys.path[0]
    main()
