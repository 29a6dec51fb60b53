"""Run the command line with ``python -m pred_aware``."""

from pred_aware.cli import main

if __name__ == "__main__":
    main()
