#!/usr/bin/env bash
# Measures a config on the nodes of a Slurm cluster: calibration, a job array over the config's shards, then a report.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<'TEXT'
Usage: configs/cluster/slurm/submit.sh CONFIG [NODE_TYPE…]
Submits, for each type of node (a feature as `sbatch --constraint` takes it; none: any node):
  calibrate   one job, nothing to do if that machine has a profile; then lowers the array's time limit to what the
              cells are expected to take
  shard       an array over `sortlab run --shard k/N`, one task a node, exclusive; goes on where it stopped
and one job that merges, predicts and renders when all arrays have ended. The same command again measures what is missing.
Variables:
  SORTLAB_OUT        folder of records and logs, on a file system that all nodes share  [results/local/cluster/NAME]
  SORTLAB_SHARDS     tasks for each type of node                                        [16]
  SORTLAB_AT_ONCE    how many of them run at a time                                     [all]
  SORTLAB_PARTITION, SORTLAB_ACCOUNT, SORTLAB_QOS                                       [the cluster's]
  SORTLAB_GPU        GPUs of a node, as `--gres` takes them: gpu:h200:1                 [none]
  SORTLAB_TIME       most time of a task, as `--time` takes it                          [4:00:00]
  SORTLAB_GRACE      seconds before the end of its time in which a task ends its cells  [120]
  SORTLAB_REQUEUES   how often a task that was stopped goes on in a new one              [20]
  SORTLAB_CALIBRATE  options of `sortlab calibrate`                                     [--quick]
  SORTLAB_PROGRAM    the program, built for these nodes                                 [build/release/sortlab]
Example: SORTLAB_PARTITION=short SORTLAB_SHARDS=100 configs/cluster/slurm/submit.sh configs/full.json genoa icelake
TEXT
}

wrong() {
  echo "submit.sh: $1" >&2
  exit 2
}

case "${1:---help}" in
  -h | --help) usage && exit 0 ;;
  -*) wrong "unknown option '$1'; --help shows what is allowed" ;;
esac
config=$(realpath -e -- "$1" 2>/dev/null) || wrong "$1: no such config"
shift
types=("${@:-any}")
export SORTLAB_ROOT=${SORTLAB_ROOT:-$(cd "$here/../../.." && pwd)}
export SORTLAB_PROGRAM=${SORTLAB_PROGRAM:-$SORTLAB_ROOT/build/release/sortlab}
export SORTLAB_GRACE=${SORTLAB_GRACE:-120} SORTLAB_SHARDS=${SORTLAB_SHARDS:-16}
name=$(basename "$config" .json)
SORTLAB_OUT=$(realpath -m -- "${SORTLAB_OUT:-$SORTLAB_ROOT/results/local/cluster/$name}")
export SORTLAB_OUT
command -v sbatch >/dev/null || wrong "sbatch: not found; this is no node of a Slurm cluster"
[ -x "$SORTLAB_PROGRAM" ] || wrong "SORTLAB_PROGRAM: $SORTLAB_PROGRAM is no program; build it on a node of the kind it is to run on"
for number in SORTLAB_GRACE SORTLAB_SHARDS SORTLAB_REQUEUES SORTLAB_AT_ONCE; do
  [[ ${!number:-1} =~ ^[1-9][0-9]{0,5}$ ]] || wrong "$number: '${!number}' is not allowed; allowed: 1 to 999999"
done

# Otherwise each of 200 shards of an invalid config would report the same error.
"$SORTLAB_PROGRAM" run "$config" --dry-run >/dev/null || exit 2

# Variables for sbatch would change what is set below; those that a site needs are left.
for variable in "${!SBATCH_@}"; do
  case $variable in
    SBATCH_ACCOUNT | SBATCH_PARTITION | SBATCH_QOS | SBATCH_RESERVATION | SBATCH_WCKEY) ;;
    *) unset "$variable" && echo "submit.sh: note: $variable is not used" >&2 ;;
  esac
done

for type in "${types[@]}"; do
  [[ $type =~ ^[A-Za-z0-9_.-]+$ ]] || wrong "node type: '$type' is not allowed; allowed: one feature, of A-Z, a-z, 0-9, _ . -"
done

# All jobs are queued or none: until the end the calibrations are held, and everything else waits for them.
submitted=()
undo() {
  trap - EXIT
  [ "${#submitted[@]}" -eq 0 ] || scancel "${submitted[@]}"
  wrong "$1; nothing is queued"
}
trap 'undo "Slurm refused a job, as it says above"' EXIT
trap 'undo interrupted' INT TERM HUP

submit() { # OPTION… SCRIPT [ARGUMENT…]
  sbatch --parsable --export=ALL ${SORTLAB_PARTITION:+--partition="$SORTLAB_PARTITION"} \
    ${SORTLAB_ACCOUNT:+--account="$SORTLAB_ACCOUNT"} ${SORTLAB_QOS:+--qos="$SORTLAB_QOS"} "$@" | cut -d';' -f1
}

calibrations=() arrays=() parts=()
for type in "${types[@]}"; do
  out=$SORTLAB_OUT/$type
  mkdir -p "$out/logs"
  # All memory of the node, whatever the partition's default.
  on_node=(--nodes=1 --ntasks=1 --exclusive --mem=0 --requeue --open-mode=append --signal="TERM@$SORTLAB_GRACE"
    ${SORTLAB_GPU:+--gres="$SORTLAB_GPU"})
  [ "$type" = any ] || on_node+=(--constraint="$type")
  calibration=$(submit "${on_node[@]}" --hold --job-name="sortlab-calibrate-$type" --time=1:00:00 \
    --output="$out/logs/calibrate-%j.log" "$here/calibrate.sbatch" "$config" "$out")
  submitted+=("$calibration") calibrations+=("$calibration")
  array=$(submit "${on_node[@]}" --job-name="sortlab-$name-$type" --time="${SORTLAB_TIME:-4:00:00}" \
    --dependency="afterok:$calibration" --kill-on-invalid-dep=yes \
    --array="1-$SORTLAB_SHARDS${SORTLAB_AT_ONCE:+%$SORTLAB_AT_ONCE}" \
    --output="$out/logs/shard-%a-%A.log" "$here/shard.sbatch" "$config" "$out")
  submitted+=("$array") arrays+=("$array") parts+=("$type=$calibration,$array")
  echo "$array" >"$out/array-of-$calibration"
done
afterany=$(IFS=: && echo "${arrays[*]}")
report=$(submit --nodes=1 --ntasks=1 --mem=2000M --job-name="sortlab-report-$name" --time=1:00:00 \
  --dependency="afterany:$afterany" --output="$SORTLAB_OUT/report-%j.log" "$here/report.sbatch" "$config" "${parts[@]}")
submitted+=("$report")
for type in "${types[@]}"; do rm -f "$SORTLAB_OUT/$type"/*.ended; done # marks of an earlier sweep
scontrol release "${calibrations[@]}"
trap - EXIT
for i in "${!types[@]}"; do
  echo "${types[i]}: calibration ${calibrations[i]}, array ${arrays[i]} of $SORTLAB_SHARDS, records in $SORTLAB_OUT/${types[i]}"
done
echo "report: job $report, $SORTLAB_OUT/NODE_TYPE/report/index.html"
