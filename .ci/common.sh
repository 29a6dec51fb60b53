# What `.ci/run` and `.ci/nightly` share. Both check the last commit in a temporary folder, so
# uncommitted files can neither help nor hurt. Source this file from the root of the checkout.
set -euo pipefail
root=$PWD
# pip would compile every module of every package; Python compiles only those it imports
export PIP_COMPILE=0

scratch=$(realpath "$(mktemp -d)")
checkout=$scratch/pred-aware
current="preparation"
background=""
finish() {
    local status=$?
    [[ -z $background ]] || kill "$background" 2>/dev/null || true
    rm -rf "$scratch"
    if ((status != 0)); then
        echo "== FAILED: $current" >&2
    fi
}
trap finish EXIT

step() {
    current=$1
    shift
    local start=$SECONDS
    echo "== $current"
    "$@"
    echo "== $current: $((SECONDS - start)) s"
}

copy_of_the_last_commit() {
    mkdir -p "$1"
    git archive --format=tar HEAD | tar -x -C "$1"
}

# The checks type what the README tells a user to type: the line that ends in the given program,
# without the `git clone` and `cd` that may come first.
readme_command() {
    local found
    found=$(sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' "$checkout/README.md" |
        grep -m 1 -E "(^|[ ;&])${1//./\\.}\`?\$" || true)
    if [[ -z $found ]]; then
        echo "README.md has no command that ends in $1" >&2
        return 1
    fi
    found=${found#"${found%%[![:space:]\$\`]*}"}
    found=${found%\`}
    if [[ $found == *"cd pred-aware && "* ]]; then
        found=${found#*cd pred-aware && }
    fi
    echo "$found"
}

run_readme_command() {
    local command
    command=$(readme_command "$2")
    echo "$command"
    (cd "$1" && bash -euo pipefail -c "$command")
}

# Tests that need ../shared must not skip where it is present.
link_shared() {
    if [[ -d $root/../shared ]]; then
        ln -s "$(realpath "$root/../shared")" "$scratch/shared"
        export PRED_AWARE_REQUIRE_SHARED=1
    fi
}

# Fail if a test was skipped that this machine can run.
refuse_skips() {
    if [[ -d $scratch/shared ]] && grep -E '^SKIPPED.*shared' "$1"; then
        echo "../shared is there, but these tests were skipped for want of it" >&2
        return 1
    fi
    if grep -E '^SKIPPED.*not installed.*pip install' "$1"; then
        echo "these tests were skipped for want of a package of requirements-dev.lock" >&2
        return 1
    fi
}

build_wheel() {
    env -C "$checkout" .venv/bin/python -m build --outdir "$scratch/dist"
    ls -l "$scratch/dist"
}

in_wheel() {
    env -C "$scratch/elsewhere" PATH="$scratch/wheel/bin:$PATH" "$@"
}

# Install the wheel as a user without a clone does: pip alone, which resolves the dependencies.
install_wheel() {
    python3 -m venv "$scratch/wheel"
    "$scratch/wheel/bin/pip" install -q "$scratch"/dist/*.whl
    du -sh "$scratch/wheel"
    mkdir "$scratch/elsewhere"
}

python3 --version
if [[ -n $(git status --porcelain) ]]; then
    echo "note: uncommitted changes are not checked"
fi
