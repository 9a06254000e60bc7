#!/usr/bin/env bash
# Builds Sortlab and runs every test and check on this machine; installs what they need first. See --help.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. harness/setup/packages.sh
. harness/setup/steps.sh

usage() {
  cat <<'TEXT'
Usage: ./run_tests.sh [--asan | --tsan | --arch aarch64] [--full] [--no-install]
  (nothing)     release build: ctest, pytest, then format and lint checks
  --asan        ctest only, under address and undefined-behaviour sanitizers (preset asan, build/asan)
  --tsan        ctest only, under the thread sanitizer (preset tsan, build/tsan)
  --arch aarch64
                cross-compiles for aarch64 (preset aarch64, build/aarch64) against arm64 libraries that it unpacks into
                build/arm64, and runs the tests under qemu-user: NEON alone, and SVE2 of 128, 256 and 512 bits
  --full        adds the slow tests, the full product of the conformance suite, clang-tidy over all files, and hours of
                fuzzing (tests/fuzz)
  --no-install  never installs packages
Example: ./run_tests.sh --tsan
TEXT
}

preset=release full=0 install=1
while [ $# -gt 0 ]; do
  case "$1" in
    --asan | --tsan) preset=${1#--} ;;
    --arch)
      [ "${2:-}" = aarch64 ] || { echo "run_tests.sh: --arch: '${2:-}'; allowed: aarch64" >&2 && exit 2; }
      preset=$2 && shift
      ;;
    --full) full=1 ;;
    --no-install) install=0 ;;
    -h | --help) usage && exit 0 ;;
    *) echo "run_tests.sh: unknown option '$1'; allowed: --asan, --tsan, --arch, --full, --no-install, --help" >&2 && exit 2 ;;
  esac
  shift
done
[ "$full" = 0 ] || export SORTLAB_FULL=1

build=build/$preset
jobs=$(nproc)
failures=$logs/failed
# step, whose failure is only noted: the other parts go on. Parts run beside each other, hence the file.
part() { step "$@" || { note "$1" && return 1; }; }
note() { echo "$1" >>"$failures"; }

own_files() { find core algorithms generators harness models configs tests plots -name "$1" 2>/dev/null | sort; }

run_ctest() { # NAME CTEST_OPTION...
  local name=$1 launch=()
  # gcc 12's thread sanitizer cannot map its shadow where the kernel randomises addresses over more than 28 bits.
  [ "$preset" != tsan ] || ! setarch -R true 2>/dev/null || launch=(setarch -R)
  shift
  "${launch[@]}" ctest --test-dir "$build" --output-on-failure --no-tests=ignore --output-junit "$PWD/$logs/$name.xml" "$@"
}

# A file's tests run in one process, in which they share what takes long to make.
run_pytest() {
  step pytest "see the failure in the log; alone: $python -m pytest -k NAME" \
    "$python" -m pytest -q -n $((jobs < 4 ? jobs : 4)) --dist loadfile --junitxml "$logs/pytest.xml"
}

# Prints the files that uncommitted changes and the last commits touched, newest first; all files with --full or without history.
touched_files() {
  local touched=()
  [ "$full" = 1 ] || mapfile -t touched < <(
    git diff --name-only HEAD -- '*.cpp' 2>/dev/null
    git log -20 --name-only --format= -- '*.cpp' 2>/dev/null
  )
  [ "${#touched[@]}" -gt 0 ] || mapfile -t touched < <(own_files '*.cpp')
  # Files that this build leaves out (because they need CUDA, say) have no compile command.
  printf '%s\n' "${touched[@]}" | awk '!seen[$0]++' |
    grep -F -x -f <(grep -o '"file": "[^"]*"' build/tidy/compile_commands.json | sed "s#.*$PWD/##; s#\"\$##")
}

# Configures a separate build, which is never built, for its list of compile commands: one for each file, since unity builds have
# only a few. Removes gcc's precompiled headers, which clang cannot read, and options that only gcc knows.
configure_tidy() {
  cmake --preset "$preset" -B build/tidy -D SORTLAB_UNITY=OFF && cmake --build build/tidy --target build_facts &&
    sed -i -E 's/-Winvalid-pch|-fno-extern-tls-init|-include [^ ]*cmake_pch\.hxx//g' build/tidy/compile_commands.json
}

run_clang_tidy() { printf '%s\n' "$@" | xargs -P "$jobs" -n 1 clang-tidy-19 -p build/tidy --quiet; }

# All files would take a quarter of an hour on two cores, at 12 s per file. Checks the last touched files, three per processor,
# and names the files that it leaves to --full.
tidy() {
  local files most=$((3 * jobs))
  configure_tidy && mapfile -t files < <(touched_files) || return 1
  if [ "$full" = 0 ] && [ "${#files[@]}" -gt "$most" ]; then
    echo "the $most touched last of ${#files[@]} files; left to --full: ${files[*]:$most}"
    files=("${files[@]:0:$most}")
  fi
  run_clang_tidy "${files[@]}"
}

# Lets the kernel start programs of aarch64, as the worker starts itself: at boot systemd does it, in a container nobody.
register_emulator() {
  local registry=/proc/sys/fs/binfmt_misc
  [ -e $registry/register ] || mount -t binfmt_misc binfmt_misc $registry || return 1
  [ -e $registry/qemu-aarch64 ] || grep -h '^:' /usr/lib/binfmt.d/qemu-aarch64.conf >$registry/register
}

# Gets the cross compiler, the emulator and the libraries for arm64, and builds this machine's own program unless SORTLAB names
# one: inputs under emulation are compared with its inputs.
prepare_aarch64() {
  local sysroot=$PWD/build/arm64
  if [ "$install" = 1 ]; then
    step install-aarch64 "$remedy" install_packages "${aarch64_packages[@]}" || return 1
  fi
  step emulator "run as root, where binfmt_misc can be mounted, or install qemu-user-static on the host" register_emulator || return 1
  [ -e "$sysroot/usr/lib/aarch64-linux-gnu" ] ||
    step sysroot "see harness/setup/aarch64_sysroot.sh" harness/setup/aarch64_sysroot.sh "$sysroot" || return 1
  configuring=(-D SORTLAB_SYSROOT="$sysroot")
  [ ! -x "${SORTLAB:-}" ] || return 0
  step native-configure "run ./run_all.sh, which builds the same" cmake --preset release -D SORTLAB_UNITY=ON -D SORTLAB_CUDA=OFF &&
    step native-build "fix the first error in the log" cmake --build --preset release --target sortlab
}

# Adds up the results of ctest and pytest in one line.
totals() {
  "$python" - "$logs"/*.xml <<'PYTHON'
import sys, xml.etree.ElementTree as tree
count = dict.fromkeys(("tests", "failures", "errors", "skipped", "disabled"), 0)
for path in sys.argv[1:]:
    for suite in tree.parse(path).getroot().iter("testsuite"):
        for name in count:
            count[name] += int(suite.get(name, 0))
bad, skipped = count["failures"] + count["errors"], count["skipped"] + count["disabled"]
print(f"{count['tests'] - bad - skipped} passed, {bad} failed, {skipped} skipped")
PYTHON
}

# Format, lint and types: whatever needs no built program. Fails only if it was cut short.
checks() {
  local cpp shell python_files
  mapfile -t cpp < <(own_files '*.[ch]pp' && own_files '*.cu' && own_files '*.cuh')
  mapfile -t shell < <(own_files '*.sh' && own_files '*.sbatch')
  mapfile -t python_files < <(own_files '*.py')
  if part formatters "install these versions, or run where PyPI can be reached: ${formatters[*]}" choose_formatters; then
    part clang-format "clang-format -i FILE" clang-format --dry-run -Werror "${cpp[@]}"
    part black "black FILE" black --check --quiet --diff "${python_files[@]}"
  fi
  part shellcheck "fix what the log shows" shellcheck -x run_all.sh run_tests.sh .ci/run "${shell[@]}"
  part flake8 "fix what the log shows" "$python" -m flake8 "${python_files[@]}"
  part mypy "fix what the log shows; pyproject.toml has the options" "$python" -m mypy
  part comment-lint "rewrite what it names; tests/lint/comment_lint.py --help says how" "$python" tests/lint/comment_lint.py
  part clang-tidy "fix what the log shows; .clang-tidy lists the checks" tidy
  true
}

[ "$full" = 0 ] || test_packages+=("${full_packages[@]}")
remedy="fix what it names, or install these packages yourself and use --no-install"
mkdir -p "$logs" && rm -f "$logs"/*.xml "$failures"
[ "$install" = 0 ] || step install "$remedy" install_packages "${build_packages[@]}" "${test_build_packages[@]}" python3 || exit 1
# Sanitizers make gcc warn of variables that are set.
werror=OFF
case "$preset" in release | aarch64) werror=ON ;; esac
quick_device=ON # no test runs a kernel where there is no GPU
[ "$full" = 0 ] || quick_device=OFF
! nvidia-smi -L >/dev/null 2>&1 || quick_device=OFF
configuring=()
[ "$preset" != aarch64 ] || prepare_aarch64 || exit 1
step configure "run without --no-install, or rm -r $build if a compiler changed" \
  cmake --preset "$preset" "${configuring[@]}" -D SORTLAB_UNITY=ON -D SORTLAB_WERROR=$werror -D SORTLAB_QUICK_DEVICE_CODE=$quick_device || exit 1
step build "fix the first error in the log" cmake --build --preset "$preset" &
building=$!
# Packages for the tests only are installed, and the sources checked, while the compiler works.
[ "$install" = 0 ] || step install-tests "$remedy" install_packages "${report_packages[@]}" "${test_packages[@]}" || { wait && exit 1; }
step python "run without --no-install, or install: ${report_packages[*]} ${test_packages[*]}" \
  choose_python "${report_modules[@]}" "${test_modules[@]}" || { wait && exit 1; }
checking=
[ "$preset" != release ] || { checks & checking=$!; }
wait "$building" || { wait && exit 1; }

slow=(-LE 'slow|timing')
[ "$full" = 0 ] || slow=(-LE timing)
rerun="see the failure in the log; alone: ctest --test-dir $build -R NAME --output-on-failure"
case "$preset" in
  release)
    # ctest and the tests in Python run beside each other, since many of both wait.
    step ctest "$rerun" run_ctest ctest -j "$jobs" "${slow[@]}" &
    testing=$!
    wait "$checking" || note checks # first, since the tests of plug-ins see any change in the checkout, such as a new .venv
    run_pytest || note pytest
    wait "$testing" || note ctest
    part timing "$rerun, on an idle machine" run_ctest timing -j 1 -L timing
    [ "$full" = 0 ] || part fuzz "fix what the log shows; tests/fuzz/run.sh says how to keep it as a test" tests/fuzz/run.sh
    ;;
  aarch64)
    export QEMU_LD_PREFIX=$PWD/build/arm64 # for programs that start themselves again
    # Emulation takes a hundred times as long. Under SVE2 of several widths what has vectors: the sorts.
    part pytest "see the failure in the log" "$python" -m pytest -q --junitxml "$logs/pytest.xml" tests/harness/setup/test_aarch64.py
    QEMU_CPU=cortex-a57 part ctest-neon "$rerun" run_ctest ctest-neon -j "$jobs" "${slow[@]}" \
      -R '^conformance\..*\.Small|^(Generat|Distribution|Record|Kill|CellId|EveryModel)'
    for bits in 128 256 512; do
      QEMU_CPU=max,sve-max-vq=$((bits / 128)) part "ctest-sve2-$bits" "$rerun" run_ctest "ctest-sve2-$bits" -j "$jobs" "${slow[@]}" \
        -R '^conformance\..*\.Small'
    done
    ;;
  asan)
    part ctest "$rerun" run_ctest ctest -j "$jobs" "${slow[@]}"
    ;;
  tsan)
    # Threads of libraries that are not compiled with the sanitizer, which therefore misses their synchronisation and
    # reports races that are none: libgomp, oneTBB.
    part ctest "$rerun" run_ctest ctest -j "$jobs" "${slow[0]}" "${slow[1]}|foreign_threads"
    ;;
esac

summary=$(totals)
mapfile -t failed < <(cat "$failures" 2>/dev/null)
say "$preset: $summary${failed:+; FAILED: ${failed[*]}}"
[ "${#failed[@]}" -eq 0 ]
