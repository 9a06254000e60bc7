#!/usr/bin/env bash
# Fuzzes the parsers of foreign input with clang's libFuzzer, under its address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh [SECONDS]    for each target; by default an hour
# The generated corpus stays in build/fuzz/corpus. A finding is in build/fuzz/<target>-crash-…. Copied to
# tests/fuzz/corpus/<target>/, it becomes a test (fuzz_corpus_test).
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
export seconds=${1:-3600}

if ! command -v clang++-19 >/dev/null || ! compgen -G '/usr/lib/llvm-19/lib/clang/*/lib/*/libclang_rt.fuzzer*' >/dev/null; then
  echo "fuzz: skipped, for want of clang-19 and libclang-rt-19-dev"
  exit 0
fi
cmake --preset fuzz && cmake --build build/fuzz --target sortlab_fuzz || exit 1

fuzz() { # TARGET FOLDER...
  local target=$1 log=build/fuzz/$1.log status=0
  shift
  mkdir -p "build/fuzz/corpus/$target"
  SORTLAB_FUZZ=$target ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-19) \
    build/fuzz/tests/fuzz/sortlab_fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -max_len=20000 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" \
    "$@" >"$log" 2>&1 || status=$?
  local runs edges
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1)
  if [ "$status" -eq 0 ]; then
    echo "fuzz: $target: $runs executions in $seconds s, ${edges#cov: } edges covered, no finding"
  else
    echo "error: fuzz: $target: $(grep -m 1 -oE 'what\(\).*|runtime error.*|(Sanitizer|libFuzzer): .*' "$log"); see $log"
  fi
  return "$status"
}
export -f fuzz

# Runs with the repository's files of each kind beside the corpus, one target per processor.
printf '%s\n' 'config configs' 'record tests/data results/published' 'profile models/machines' command_line |
  xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
