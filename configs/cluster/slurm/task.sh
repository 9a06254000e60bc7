# shellcheck shell=bash
# What calibrate.sbatch and shard.sbatch share. Sourced by both, in $SORTLAB_ROOT.

# In an array SLURM_JOB_ID of one task is that of the whole array.
task=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_JOB_ID:+_$SLURM_ARRAY_TASK_ID}

# on_node PROGRAM…: runs it as a step that has the whole node. A step, since Slurm signals steps before it takes the node
# away (time limit or preemption).
on_node() { srun --ntasks=1 --cpus-per-task="$SLURM_CPUS_ON_NODE" --mem=0 --cpu-bind=none "$@"; }

# requeue_if_stopped STATUS: requeues this task, and exits, if STATUS says that Slurm stopped it. Slurm requeues a preempted
# task that it has to kill, not one that ends by itself; and none whose time is over. A task that somebody cancelled is no
# longer running by Slurm's books.
requeue_if_stopped() {
  [ "$1" = 143 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt "${SORTLAB_REQUEUES:-20}" ] &&
    [ "$(squeue --noheader --jobs="$task" --format=%T)" = RUNNING ] || return 0
  echo "requeued"
  scontrol requeue "$task" && exit 0
}
