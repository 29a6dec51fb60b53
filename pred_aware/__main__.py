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
        # the signal came during the imports
        sys.stderr.write("pred-aware: stopped\n")
        sys.exit(stopped.code if isinstance(stopped, Terminated) else INTERRUPTED)


def _run() -> None:
    # imported objects are never garbage; searching them would take 1/6 of the start time
    gc.disable()
    from pred_aware.cli import main as run

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    # `python -m` puts the current folder first in the path, where a file such as msgspec.py must
    # not be imported; only an uninstalled checkout needs its folder there
    if not sys.flags.safe_path and not __file__.startswith(f"{sys.path[0]}/pred_aware/"):
        del sys.path[0]
    main()
