#!/usr/bin/env bash
# Runs every GPU plug-in, and the device's generators and verifier, on small inputs under each of the four tools of NVIDIA's
# compute-sanitizer. See --help.
set -uo pipefail

usage() {
  cat <<'TEXT'
Usage: tests/sanitize_device.sh [--jobs N] [--logs FOLDER] BUILD [TOOL…]
  BUILD   a build folder with CUDA (build/release)
  TOOL    memcheck, racecheck, initcheck, synccheck; all of them unless named
  --jobs  how many programs at once (8)
  --logs  where the output of each goes (BUILD/sanitizer)
Ends with status 1 if a tool finds anything or a test fails, 2 if there is no GPU or no compute-sanitizer.
Example: tests/sanitize_device.sh build/release racecheck
TEXT
}

jobs=8 logs="" build="" tools=()
while [ $# -gt 0 ]; do
  case "$1" in
    --jobs) jobs=$2 && shift ;;
    --logs) logs=$2 && shift ;;
    -h | --help) usage && exit 0 ;;
    memcheck | racecheck | initcheck | synccheck) tools+=("$1") ;;
    -*) echo "sanitize_device.sh: unknown option '$1'; allowed: --jobs, --logs, --help" >&2 && exit 2 ;;
    *) build=$1 ;;
  esac
  shift
done
[ "${#tools[@]}" -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
tests=${build:?sanitize_device.sh: BUILD is missing; --help tells more}/tests
logs=${logs:-$build/sanitizer}
sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)
[ -n "$sanitizer" ] || { echo "sanitize_device.sh: compute-sanitizer is not on PATH: it comes with the CUDA toolkit" >&2 && exit 2; }
if ! grep -q . <(ls /dev/nvidia[0-9]* 2>/dev/null); then echo "sanitize_device.sh: no GPU" >&2 && exit 2; fi
mkdir -p "$logs"

# Every setting of every plug-in once; the small tests of generators and verifier.
mapfile -t plugins < <("$build/sortlab" list algorithms --json |
  python3 -I -c 'import json, sys; [print(a["name"]) for a in json.load(sys.stdin) if a["runs_on"] == "device"]')
runs=("device_generators_test *SameBytesOfShortInputs:*ValuesAreRecordIds"
  "device_verify_test *AgreesOnLengthsAndOnNothing:*AgreesOnArraysThatAreNotAligned")
for plugin in "${plugins[@]}"; do runs+=("conformance/conformance_test Plugins/Conformance.Brief/$plugin"); done

run() { # TOOL PROGRAM FILTER
  local log
  log=$logs/$1-$(basename "$2")-$(tr -cd 'a-z0-9_' <<<"${3##*/}").log
  # A library that is not here skips its tests before it calls CUDA.
  if "$tests/$2" --gtest_filter="$3" 2>&1 | grep -q 'SKIPPED'; then
    echo "skipped $1 $2 $3"
  elif "$sanitizer" --tool "$1" --error-exitcode 9 "$tests/$2" --gtest_filter="$3" >"$log" 2>&1 &&
    grep -q 'PASSED' "$log"; then
    echo "ok $1 $2 $3"
  else
    echo "FAILED $1 $2 $3: $(grep -m 1 -E '========= +[A-Z]|Failure' "$log"); see $log"
  fi
}
export -f run
export sanitizer tests logs
for tool in "${tools[@]}"; do printf '%s\n' "${runs[@]/#/$tool }"; done |
  xargs -P "$jobs" -L 1 bash -c 'run "$@"' sanitize | tee "$logs/summary.txt"
! grep -q '^FAILED' "$logs/summary.txt"
