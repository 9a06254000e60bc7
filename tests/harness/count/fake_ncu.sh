#!/bin/sh
# Replaces NVIDIA's ncu in tests. FAKE_NCU sets its behaviour, FAKE_NCU_LOG and FAKE_NCU_ANSWERS the output of ncu and of
# the program under it.
case "$1" in
  --version)
    [ "$FAKE_NCU" = mute ] || echo "NVIDIA (R) Nsight Compute Command Line Profiler
Version 2025.3.1.0 (build 36398880) (public-release)"
    exit 0 ;;
  --query-metrics)
    cat "$FAKE_NCU_METRICS"
    exit 0 ;;
esac
while [ $# -gt 3 ]; do
  [ "$1" = --log-file ] && log=$2
  shift
done
case "$FAKE_NCU" in
  refuse)
    echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters" >"$log"
    exit 1 ;;
  silent)
    : >"$log"
    exit 0 ;;
  hang)
    echo '{"sort":0,"event":"begin"}' >"$2"
    sleep 60 ;;
esac
cp "$FAKE_NCU_LOG" "$log"
cp "$FAKE_NCU_ANSWERS" "$2"
