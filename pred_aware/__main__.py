"""The entry point of ``pred-aware`` and ``python -m pred_aware``."""

import gc
import sys


def main() -> None:
    """Run the command line; see `pred_aware.cli.main`."""
    from pred_aware.signals import INTERRUPTED, Terminated, install_signal_handlers

    install_signal_handlers()
    try:
        _run()
    except (KeyboardInterrupt, Terminated) as stopped:
        # during the imports
        sys.stderr.write("pred-aware: stopped\n")
        sys.exit(stopped.code if isinstance(stopped, Terminated) else INTERRUPTED)


def _run() -> None:
    # imported objects are not garbage, and searching them would take a sixth of the start
    gc.disable()
    from pred_aware.cli import main as run

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    # `python -m` puts the current folder first, where a file such as msgspec.py would be data; an
    # uninstalled checkout needs its own folder
    if not sys.flags.safe_path and not __file__.startswith(f"{sys.path[0]}/pred_aware/"):
        del sys.path[0]
    main()
