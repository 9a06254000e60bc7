#!/bin/sh
# Replaces valgrind in tests. FAKE_VALGRIND sets its behaviour, FAKE_CALLGRIND and FAKE_ANSWERS the output of valgrind and
# of the program under it.
if [ "$1" = --version ]; then
  [ "$FAKE_VALGRIND" = mute ] || echo "valgrind-3.19.0"
  exit 0
fi
while [ $# -gt 3 ]; do
  case "$1" in --callgrind-out-file=*) out=${1#*=} ;; esac
  shift
done
case "$FAKE_VALGRIND" in
  refuse)
    echo "valgrind: failed to start tool 'callgrind' for platform 'amd64-linux': No such file or directory" >&2
    exit 1 ;;
  stripped)
    cp "$FAKE_ANSWERS" "$2"
    echo "part: 1
desc: Trigger: Program termination
events: Ir Dr Dw
totals: 0" >"$out"
    exit 0 ;;
esac
cp "$FAKE_CALLGRIND" "$out"
cp "$FAKE_ANSWERS" "$2"
