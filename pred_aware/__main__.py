"""Run the command line with ``python -m pred_aware``."""

import sys

if __name__ == "__main__":
    # `python -m` puts the working folder first, in which what is called msgspec.py is somebody's
    # data; a checkout that is not installed needs its own folder
    if not sys.flags.safe_path and not __file__.startswith(f"{sys.path[0]}/pred_aware/"):
        del sys.path[0]
    from pred_aware.cli import main

    main()
