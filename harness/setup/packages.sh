# shellcheck shell=bash disable=SC2034 # the lists are read by the scripts that source this
# The packages that Sortlab needs from Debian 12 or 13 or Ubuntu 24.04, and their installation. Sourced by run_all.sh and
# run_tests.sh.

# The compiler, and the libraries that sortlab is linked with. All three distributions use the same names.
build_packages=(
  g++ cmake ninja-build mold
  libfmt-dev nlohmann-json3-dev libcli11-dev libhwloc-dev libbenchmark-dev # harness
  libxxhash-dev libre2-dev nettle-dev zlib1g-dev   # names derived from content, patterns, SHA-256, compressed records
  librandom123-dev libeigen3-dev                   # generators, models
  libtbb-dev libboost-dev libhwy-dev python3-numpy # peer sorts
  libgtest-dev
)
# Packages that the tests are built with: CMake looks for Boost.Context, by which GPU kernels run on the host, when it configures.
test_build_packages=(libboost-context-dev)
# Records by their schema, tables, figures, report; Chart.js for the explorer.
report_packages=(python3 python3-jinja2 python3-matplotlib python3-fastjsonschema libjs-chart.js)
# likwid reads the processor's counters by phase, if the machine permits it (`sortlab count --tool likwid`): 1 MB.
counter_packages=(likwid)
# llvm-mca, by which `sortlab calibrate` analyses compiled loops: models of kind hardware need it for every sort of the host.
# Debian's llvm is version 14, which knows neither Zen 4 nor Zen 5.
analysis_packages=(llvm-19)
# Tests, format, lint and type checks.
#   hypothesis      invents foreign input
#   xdist           runs tests in several processes
#   valgrind        counts the sorts' instructions
#   clang-tidy 19   Debian 12's version 14 cannot parse the ranges of its own libstdc++; libomp, since it cannot parse gcc's omp.h
#   pandas, pip, benchmark-tools  tests of the Python package, which are skipped without them
#   venv            holds formatters of other versions than the distribution's
test_packages=(
  python3-pytest python3-pytest-xdist python3-hypothesis python3-jsonschema python3-yaml black flake8 mypy shellcheck
  clang-format clang-tidy-19 libomp-19-dev valgrind
  python3-pandas python3-pip python3-venv libbenchmark-tools
)
# In addition for --arch aarch64: the cross compiler, and what runs its programs.
aarch64_packages=(g++-aarch64-linux-gnu qemu-user-static)
# In addition for --full: clang's libFuzzer, a Slurm of two nodes on this machine, GNU parallel, the documentation as a site, and
# the tools with which CPack makes a .deb.
full_packages=(clang-19 libclang-rt-19-dev slurmd slurmctld slurm-client munge parallel mkdocs dpkg-dev file)
# The report is tested in a browser. Ubuntu has one only as a snap; without it the test is skipped.
grep -qs '^ID=ubuntu' /etc/os-release || test_packages+=(chromium chromium-driver python3-selenium)

# The same for Python alone, as modules: what a virtual environment gets where the distribution's packages are absent.
report_modules=(numpy jinja2 matplotlib fastjsonschema)
test_modules=(pytest xdist hypothesis jsonschema yaml flake8 mypy)

# Versions of a formatter disagree about the format. These decide: Debian 12's, which PyPI has as well.
formatters=(clang-format==14.0.6 black==23.1.0)

# missing_packages PACKAGE...: prints the packages that are not installed, one per line. Needs no network.
missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort) \
    <(dpkg-query -W -f='${db:Status-Abbrev}${binary:Package}\n' 2>/dev/null | sed -n 's/^.i \([^:]*\).*/\1/p' | sort -u)
}

# install_packages PACKAGE...: installs missing packages as root or through sudo; does nothing if none is missing.
install_packages() {
  local missing as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "no apt-get here; install what corresponds to: $*; then use --no-install"
    return 1
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      echo "neither root nor sudo; as root run: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing: ${missing[*]}"
  "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
      install --no-install-recommends "${missing[@]}"
}

# choose_python MODULE...: sets `python` to an interpreter that has the modules: the distribution's (not the `python3` on
# PATH), or a virtual environment on top of it inside the checkout, with the missing modules from PyPI.
choose_python() {
  local has='import sys; sys.path[:] = filter(None, sys.path); import importlib.util as u; sys.exit(not all(map(u.find_spec, sys.argv[1:])))'
  for python in /usr/bin/python3 "$PWD/.venv/bin/python"; do
    [ -x "$python" ] && "$python" -c "$has" "$@" && return 0
  done
  set -- "${@/#yaml/pyyaml}"
  install_from_pypi "${@/#xdist/pytest-xdist}"
}

# install_from_pypi OPTION_OR_REQUIREMENT...: into a virtual environment inside the checkout, on top of the distribution's Python.
install_from_pypi() {
  /usr/bin/python3 -m venv --system-site-packages .venv &&
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
}

# missing_formatters: those whose first program on PATH is absent or of another version, as REQUIREMENT, one a line.
missing_formatters() {
  local pinned
  for pinned in "${formatters[@]}"; do
    "${pinned%%==*}" --version 2>/dev/null | grep -qwF "${pinned##*==}" || echo "$pinned"
  done
}

# choose_formatters: sets PATH so that the formatters of these versions come first: the distribution's, or PyPI's.
choose_formatters() {
  local missing
  mapfile -t missing < <(missing_formatters)
  [ "${#missing[@]}" -gt 0 ] || return 0
  PATH=$PWD/.venv/bin:$PATH
  [ -z "$(missing_formatters)" ] || install_from_pypi --ignore-installed "${missing[@]}" || return 1
  mapfile -t missing < <(missing_formatters)
  [ "${#missing[@]}" -eq 0 ] || { echo "error: the format cannot be checked without ${missing[*]}" && return 1; }
}
