#!/usr/bin/env bash
# Make all lock files anew (needs uv): every platform, every supported Python, hashes, no addresses.
# requirements-dev.lock has everything; the others have the same versions of less. pybatsim is in all.
set -euo pipefail
cd "$(dirname "$0")"
options=(--universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet)
lock() {
    uv pip compile pyproject.toml "${options[@]}" --group pybatsim "$@"
}
lock --extra dev --extra cluster --extra docs --extra river --extra service --extra tables "$@" -o requirements-dev.lock
lock -c requirements-dev.lock -o requirements.lock
for extra in cluster docs river service tables; do
    lock --extra "$extra" -c requirements-dev.lock -o "requirements-$extra.lock"
done
# what builds packages and looks at them as an index would, in an environment of its own
uv pip compile "${options[@]}" --group release -c requirements-dev.lock -o requirements-release.lock
