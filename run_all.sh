#!/usr/bin/env bash
# From a bare machine to a report: installs, builds, calibrates, measures, predicts, renders. See --help.
set -uo pipefail
called_from=$PWD
cd "$(dirname "$0")" || exit 1
. harness/setup/packages.sh
. harness/setup/steps.sh

usage() {
  cat <<'TEXT'
Usage: ./run_all.sh [option…]
  (nothing)          measures configs/quick.json and, where there are a GPU and a CUDA toolkit, configs/quick_gpu.json; a
                     few minutes on two cores
  --config FILE      measures this config instead
  --paper NAME       measures every config of a paper, configs/NAME/, and shows its tables and figures
  --figure ID        measures what one table or figure needs, SAT-T1 for instance, and shows it
  --full             measures configs/full.json: every algorithm, type, input and size
  --reference        measures the whole reference of this machine, as configs/reference.json says, by a build of a clean
                     commit; up to 90 minutes; into results/local/campaign/ or the folder of --out
  --slice TIME       with --reference: ends after this time, 9m for instance, with status 3; the same command goes on
  --resume           keeps what is measured and measures the rest (the default)
  --fresh            moves this machine's profile and records aside, and measures everything again
  --dry-run          shows what would run, how many cells, and how long it would take; measures nothing
  --out DIR          writes the report there instead of report/
  --cuda, --no-cuda  builds the sorts for GPUs, or leaves them out; otherwise they are built if there is a toolkit
  --no-install       never installs packages
Records go to results/local/<machine>/, logs to build/logs/. If it is killed, the same command resumes.
Exit status: 0 done, 1 a step or a cell failed, 2 an option is wrong, 3 a slice ended before the reference did.
Example: ./run_all.sh --figure SAT-T1 --dry-run
TEXT
}

wrong() {
  echo "run_all.sh: $1" >&2
  exit 2
}

# path GIVEN: converts a path relative to the caller's folder to one relative to this folder.
path() {
  case "$1" in
    /*) echo "$1" ;;
    *) [ "$called_from" = "$PWD" ] && echo "$1" || echo "${called_from%/}/$1" ;;
  esac
}

# The configs of all papers, and the tables and figures made from a config. Written without Python, which may be missing yet.
papers_configs() { find configs -mindepth 2 -name '*.json' ! -path 'configs/schemas/*' | sort; }
artifacts() {
  cat "$@" | tr -d '\n ' | grep -oE '"artifacts":\[[^]]*' | sed 's/.*\[//' | grep -oE '[^",]+' | sort -u
}
one_of() { printf '%s\n' "${@:2}" | grep -qxF -- "$1"; }

config='' paper='' figure='' full=0 reference=0 slice='' fresh=0 dry_run=0 out='' install=1 cuda=AUTO
while [ $# -gt 0 ]; do
  option=$1 value=${2:-}
  shift
  case "$option" in
    --config | --paper | --figure | --out | --slice)
      [ -n "$value" ] || wrong "$option: a value is missing"
      shift
      ;;
  esac
  case "$option" in
    --config) config=$(path "$value") ;;
    --paper) paper=$value ;;
    --figure) figure=$value ;;
    --full) full=1 ;;
    --reference) reference=1 ;;
    --slice) slice=$value ;;
    --resume) fresh=0 ;;
    --fresh) fresh=1 ;;
    --dry-run) dry_run=1 ;;
    --out) out=$(path "$value") ;;
    --cuda) cuda=ON ;;
    --no-cuda) cuda=OFF ;;
    --no-install) install=0 ;;
    -h | --help) usage && exit 0 ;;
    *) wrong "unknown option '$option'; ./run_all.sh --help shows what is allowed" ;;
  esac
done

[ -z "$slice" ] || [ "$reference" = 1 ] || wrong "--slice: allowed only with --reference"
if [ "$reference" = 1 ]; then
  [ "$config$paper$figure$full$fresh" = 00 ] ||
    wrong "--reference: not with --config, --paper, --figure, --full or --fresh; it says itself what is measured"
  [ "$dry_run" = 1 ] || [ -z "$(git status --porcelain 2>&1)" ] ||
    wrong "--reference: the checkout has changes that no commit has, or is no clone; commit first"
  campaign=(${out:+--out "$out"} ${slice:+--slice "$slice"})
fi
out=${out:-report}

configs=(configs/quick.json) with_gpu=
show_only=()
case "${config:+config}${paper:+paper}${figure:+figure}$full" in
  0) with_gpu=configs/quick_gpu.json ;;
  1) configs=(configs/full.json) ;;
  config0)
    [ -f "$config" ] || wrong "--config $config: no such file; allowed: a config, as $(echo configs/*.json)"
    configs=("$config")
    ;;
  *config* | *1) wrong "only one of --config, --full, and --paper or --figure may say what to measure" ;;
  *)
    mapfile -t known < <(papers_configs | cut -d/ -f2 | uniq)
    [ -z "$paper" ] || one_of "$paper" "${known[@]}" || wrong "--paper $paper: unknown; allowed: ${known[*]}"
    mapfile -t configs < <(papers_configs | grep "^configs/${paper:-.*}/")
    mapfile -t known < <(artifacts "${configs[@]}")
    [ -z "$figure" ] || one_of "$figure" "${known[@]}" || wrong "--figure $figure: unknown; allowed: ${known[*]}"
    [ -z "$figure" ] ||
      mapfile -t configs < <(for c in "${configs[@]}"; do artifacts "$c" | grep -qxF "$figure" && echo "$c"; done)
    show_only=(${paper:+--paper "$paper"} ${figure:+--figure "$figure"})
    ;;
esac

[ "$reference" = 0 ] || counter_packages+=(valgrind) # counts the operations of sorts
packages=("${build_packages[@]}" "${report_packages[@]}" "${counter_packages[@]}" "${analysis_packages[@]}")
if [ "$dry_run" = 1 ] && [ -n "$(missing_packages "${packages[@]}")" ] && [ "$install" = 1 ]; then
  say "would install: $(missing_packages "${packages[@]}" | xargs)"
  what="measure ${configs[*]}, predict, and render to $out/"
  [ "$reference" = 0 ] || what="measure the steps of configs/reference.json"
  say "would configure, build and calibrate (some minutes), then $what"
  say "cells are counted by the program: once it is built, --dry-run tells how many, and how long"
  exit 0
fi

if [ "$install" = 1 ]; then
  step install "fix what it names, or install these packages yourself and use --no-install" install_packages "${packages[@]}" || exit 1
fi
step python "run without --no-install, or install: ${report_packages[*]}" choose_python "${report_modules[@]}" || exit 1
step configure "run without --no-install; if a compiler changed, rm -r build/release" \
  cmake --preset release -D SORTLAB_CUDA=$cuda -D SORTLAB_UNITY=ON || exit 1
grep -qs '^-- CUDA [0-9]' "$logs/configure.log" &&
  say "the sorts for GPUs are compiled too, which takes twice as long; --no-cuda leaves them out"
# The library is for `cmake --install`.
step build "fix the first error in the log" \
  cmake --build --preset release --target sortlab sortlab_module --parallel "$(nproc)" || exit 1
sortlab=build/release/sortlab
ask() { "$python" -I -c "import json, sys; $1" "${@:2}"; }

if [ "$reference" = 1 ]; then
  [ "$dry_run" = 0 ] || campaign+=(--dry-run)
  exec "$python" -m plots campaign run --program "$sortlab" "${campaign[@]}"
fi

runs_on_gpu() {
  "$sortlab" list algorithms --json | ask 'sys.exit(not any(a["runs_here"] and a["runs_on"] == "device" for a in json.load(sys.stdin)))'
}
if [ -n "$with_gpu" ] && runs_on_gpu; then configs+=("$with_gpu"); fi

if [ "$dry_run" = 1 ]; then
  for config in "${configs[@]}"; do
    say "would run $config:"
    "$sortlab" run "$config" --dry-run || exit
  done
  say "would then predict these cells, and render to $out/"
  exit 0
fi

# The profile that `sortlab calibrate` keeps for this machine. Validations and sweeps of clusters have copies, further down.
profile_here() {
  "$sortlab" list machines --json | ask 'paths = [m["path"] for m in json.load(sys.stdin) if m["here"]]
print(*[p for p in paths if p.startswith("results/local/") and p.count("/") == 3 and p.endswith("/profile.json")])'
}
# papers_models RECORDS OUT: predicts the same cells on the papers' machines with the papers' own models.
papers_models() {
  local machine
  : >"$2"
  for machine in $("$sortlab" list machines --json | ask 'print(*[m["id"] for m in json.load(sys.stdin) if m["origin"] == "paper"])'); do
    "$sortlab" predict --for "$1" --machine "$machine" --json >>"$2" || return
  done
}
put_aside() { mv "$1" "${1%.*}.before-$(date -u +%Y%m%dT%H%M%SZ).${1##*.}"; }

profile=$(profile_here)
[ "$fresh" = 0 ] || [ -z "$profile" ] || { put_aside "$profile" && profile=; }
if [ -z "$profile" ]; then
  step calibrate "run it again on an idle machine: $sortlab calibrate --quick" "$sortlab" calibrate --quick || exit 1
  profile=$(profile_here)
elif ask 'sys.exit(bool(json.load(open(sys.argv[1]))["tables"]))' "$profile"; then # its device alone was calibrated
  step calibrate "run it again on an idle machine: $sortlab calibrate --only host --quick" \
    "$sortlab" calibrate --only host --quick || exit 1
elif runs_on_gpu && ask 'sys.exit("devices" in json.load(open(sys.argv[1])))' "$profile"; then
  step calibrate-device "run it again on an idle GPU: $sortlab calibrate --only device --quick" \
    "$sortlab" calibrate --only device --quick || exit 1
fi

lost=()
records=()
for config in "${configs[@]}"; do
  name=$(ask 'print(json.load(open(sys.argv[1]))["name"])' "$config")
  measured=$(dirname "$profile")/$name.jsonl
  predicted=$(dirname "$profile")/$name.predictions.jsonl
  [ "$fresh" = 0 ] || [ ! -e "$measured" ] || put_aside "$measured"
  show=1 step "run-$name" "$sortlab run $config --retry, once the reason it names is fixed" \
    "$sortlab" run "$config" --out "$measured"
  case $? in
    0) ;;
    1) lost+=("$name") ;; # some cells have no result; the others can be shown
    *) exit 1 ;;
  esac
  rm -f "$predicted"
  step "predict-$name" "fix or move away the record it names" \
    "$sortlab" predict --for "$measured" --machine "$profile" --out "$predicted" || exit 1
  records+=("$measured" "$predicted")
  [ "${#show_only[@]}" -gt 0 ] || continue
  papers=$(dirname "$profile")/$name.papers.jsonl
  step "papers-$name" "fix or move away the record it names" papers_models "$measured" "$papers" || exit 1
  records+=("$papers")
done
# Time that each config would take here, for the report's table of what is not measured.
plan=build/plan.json
make_plan() { papers_configs | xargs "$python" harness/setup/plan.py "$sortlab" configs/*.json >"$plan"; }
step plan "$sortlab run CONFIG --dry-run says what is wrong with the config that the log names" make_plan || exit 1
# Kept records of machines with a GPU stand in for what this machine cannot measure.
mapfile -t kept < <(grep -ls '"devices"' results/reference/*/profile.json results/reference/*/gpu2026/profile.json |
  xargs -rn1 dirname)
step render "fix or move away the record it names" \
  "$python" plots/render.py --records "${records[@]}" --profile "$profile" "${show_only[@]}" --plan "$plan" \
  ${kept:+--kept "${kept[@]}"} --out "$out" || exit 1
# The fastest sorts of all machines, and the explorer, show their records side by side. The report needs neither.
mapfile -t folders < <(find results/local results/reference -mindepth 1 -maxdepth 1 -type d 2>/dev/null)
explorer=
if [ "${#show_only[@]}" -eq 0 ] && [ "${#folders[@]}" -gt 1 ]; then
  step fastest "the report is made; for this page do what the log says" "$python" -m plots fastest \
    --records "${folders[@]}" --out "$out/fastest"
  here=$(ask 'print(json.load(open(sys.argv[1]))["id"])' "$profile")
  step explore "the report is made; for the explorer do what the log says" "$python" plots/explore.py \
    --records "${folders[@]}" --here "$here" --out "$out/explorer" && explorer=$out/explorer/index.html
fi

[ "${#lost[@]}" -eq 0 ] || say "cells without a result in: ${lost[*]}; see build/logs/run-NAME.log, or the report"
say "report: $out/index.html${explorer:+, all machines: $explorer}"
[ "${#lost[@]}" -eq 0 ]
