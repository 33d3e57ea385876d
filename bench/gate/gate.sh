#!/usr/bin/env bash
# Gates the project itself: the accuracy of scenario.json and the instructions of the workloads,
# against the baselines beside this file.
#
# usage: bench/gate/gate.sh IDBENCH           fails on a regression, and where the gate cannot tell
#        bench/gate/gate.sh IDBENCH --renew   makes the baselines anew, after an intended change
set -uo pipefail

readonly idbench=$1 here=$(dirname "${BASH_SOURCE[0]}")
scratch=$(mktemp -d)
readonly scratch
trap 'rm -rf "$scratch"' EXIT

"$idbench" run "$here/scenario.json" --out "$scratch/run" --jobs 1 >"$scratch/log" 2>&1 || {
  cat "$scratch/log"
  exit 1
}

if [[ ${2-} == --renew ]]; then
  "$idbench" gate "$scratch/run" --write-baseline "$here/baseline" --jobs 1 2>/dev/null &&
    "$idbench" gate --instructions --write-baseline "$here/instructions.json"
  exit
fi

failed=0
# check WHAT ARGUMENT…: counts of another build, or no valgrind, are told and not failed. What else
# cannot be compared is a failure: else a gate that judges nothing passes unseen.
check() {
  echo "== $1"
  "$idbench" gate "${@:2}" 2>&1 | tee "$scratch/gate"
  local status=${PIPESTATUS[0]}
  ((status == 0)) && return
  if ((status == 4)) && grep -qE 'another build|not installed|with a sanitizer' "$scratch/gate"; then
    echo "WARNING: $1: NOT GATED here, see above"
    return
  fi
  failed=1
  echo "$1: if this change is intended: bench/gate/gate.sh $idbench --renew, and commit bench/gate"
}
check accuracy "$scratch/run" --baseline "$here/baseline" --jobs 1
check instructions --instructions --baseline "$here/instructions.json"
exit $failed
