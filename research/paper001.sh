#!/usr/bin/env bash
# The four experiments of paper 001 (pred_aware and easy_bf on 512 and on 15,680 processors) with
# the real Batsim. Usage: paper001.sh WORKLOAD.json [FOLDER [OPTIONS_OF_PRED_AWARE]]
set -euo pipefail
platforms=$(realpath "$(dirname "$0")/../platforms")

if (($# < 1 || $# > 3)); then
    echo "usage: $0 WORKLOAD.json [FOLDER [OPTIONS_OF_PRED_AWARE]]" >&2
    exit 2
fi
workload=$1 folder=${2:-paper001} options=${3:-'{}'}
for program in batsim batsched pybatsim pred-aware; do
    if ! command -v "$program" >/dev/null; then
        echo "$0: $program is not there; start it in: nix-shell nix" >&2
        exit 2
    fi
done
if [[ ! -r $workload ]]; then
    echo "$0: cannot read the workload $workload" >&2
    exit 2
fi

# a short name, since that of a socket has at most 107 characters
scratch=$(mktemp -d /tmp/paper001-XXXXXX)
running=()
stop() {
    local pid
    for pid in "${running[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait
    running=()
}
trap 'stop; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Whichever ends first, the other must follow: Batsim waits for ever for a decision process that has
# died, and a decision process for a Batsim that has.
patience=20
has_ended() {
    local left=$((patience * 10))
    while kill -0 "$1" 2>/dev/null; do
        ((left-- > 0)) || return 1
        sleep 0.1
    done
}

failed() {
    echo "$0: $1; the end of $2:" >&2
    tail -n 5 "$2" >&2
    exit 1
}

# run NAME OUTPUT_FOLDER PLATFORM DECISION_PROCESS...
run() {
    local name=$1 out=$2 platform=$3
    shift 3
    echo "$name on $(basename "$platform" .xml)"
    mkdir -p "$out" "$scratch/run"
    local socket=ipc://$scratch/socket logs=$out/$name
    "$@" -s "$socket" >"$logs.$1.log" 2>&1 &
    local scheduler=$!
    batsim -q -p "$platform" -w "$workload" -e "$scratch/run/out" -s "$socket" \
        >"$logs.batsim.log" 2>&1 &
    local batsim=$! first last status=0
    running=("$batsim" "$scheduler")
    local -A program=(["$batsim"]=batsim ["$scheduler"]=$1)
    # by looking: after `wait -n` bash 5.2 at times finds no record of a child, or waits for ever
    while kill -0 "$batsim" 2>/dev/null && kill -0 "$scheduler" 2>/dev/null; do
        sleep 0.1
    done
    first=$scheduler
    kill -0 "$batsim" 2>/dev/null || first=$batsim
    wait "$first" || status=$?
    ((status == 0)) || failed "${program[$first]} ended with status $status" \
        "$logs.${program[$first]}.log"
    last=$((first == batsim ? scheduler : batsim))
    has_ended "$last" || failed "${program[$last]} still runs $patience s after ${program[$first]}" \
        "$logs.${program[$last]}.log"
    wait "$last" || failed "${program[$last]} ended with status $?" "$logs.${program[$last]}.log"
    running=()
    local file
    for file in "$scratch"/run/out_*; do
        mv "$file" "$out/$name${file#"$scratch/run/out"}"
    done
}

for size in cluster512 clusterMarconi; do
    platform=$platforms/$size.xml out=$folder/$size
    run pred_aware "$out" "$platform" pybatsim -t -1 pred_aware -o "$options"
    run easy_bf "$out" "$platform" batsched -v easy_bf
    pred-aware compare "$out/easy_bf_jobs.csv" "$out/pred_aware_jobs.csv"
done
