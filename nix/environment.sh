#!/usr/bin/env bash
# Install pred-aware and its locked dependencies (requirements.lock) into a folder of their own. If
# the same installation is there already, do nothing. Usage: environment.sh PYTHON CHECKOUT FOLDER
set -euo pipefail
python=$1 checkout=$2 folder=$3

wanted() {
    realpath "$python"
    cat "$checkout/requirements.lock" "$checkout/pyproject.toml"
}

# the note is written last, so an interrupted installation starts again
note=$folder/installed-from
if [[ -f $note ]] && wanted | cmp -s - "$note"; then
    exit 0
fi
echo "installing pred-aware and its dependencies into $folder (0.5 GB, about a minute)" >&2
rm -rf "$folder"
"$python" -m venv "$folder"
pip=("$folder/bin/python" -m pip --disable-pip-version-check install --quiet --no-deps)
"${pip[@]}" --require-hashes -r "$checkout/requirements.lock"
"${pip[@]}" -e "$checkout"
wanted >"$note"
