#!/usr/bin/env bash
# Make both lock files anew (needs uv): every platform, every supported Python, hashes, no addresses.
set -euo pipefail
cd "$(dirname "$0")"
options=(--universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet)
uv pip compile pyproject.toml "${options[@]}" "$@" -o requirements.lock
uv pip compile pyproject.toml --extra dev "${options[@]}" -c requirements.lock "$@" -o requirements-dev.lock
