# shellcheck shell=bash
# Steps of a script, which write their own logs and report their outcome in one line. Sourced by run_all.sh and
# run_tests.sh.

logs=build/logs

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# Prints the line of a log that most likely names the cause: the first line with an error, else the last line.
cause_in() {
  { grep -m 1 -E '^E: |^ERROR|[Ee]rror: |Error at ' "$1" || tail -n 1 "$1"; } | tr -s '[:blank:]' ' ' | cut -c 1-300
}

# step NAME REMEDY COMMAND...: runs COMMAND with its output in build/logs/NAME.log; with `show=1`, on the terminal too.
# Returns the command's exit status. If that is not 0, it prints one line with step, cause, log and remedy.
step() {
  local name=$1 remedy=$2 log=$logs/$1.log begin=$SECONDS status=0
  shift 2
  mkdir -p "$logs"
  if [ "${show:-0}" = 1 ]; then
    say "$name …"
    "$@" </dev/null 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
  else
    "$@" </dev/null >"$log" 2>&1 || status=$?
  fi
  if [ "$status" -eq 0 ]; then
    say "$name: done in $((SECONDS - begin)) s"
  else
    # A CI machine's log is gone afterwards.
    [ -z "${CI:-}" ] || tail -n 60 "$log" >&2
    say "$name: FAILED (exit $status): $(cause_in "$log"); log: $log; remedy: $remedy" >&2
  fi
  return "$status"
}
