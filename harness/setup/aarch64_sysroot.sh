#!/usr/bin/env bash
# Usage: harness/setup/aarch64_sysroot.sh FOLDER
#
# Unpacks the arm64 packages that Sortlab is built with into FOLDER, for `cmake --preset aarch64 -D SORTLAB_SYSROOT=FOLDER`. Takes
# this distribution's, from where apt takes its own. Installs nothing and needs no root: apt works in FOLDER.apt, so that no
# package of this machine can be replaced or removed by one for arm64.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2s/^# //p' "$0" >&2 && exit 2; }
# shellcheck source=harness/setup/packages.sh
. "$(dirname "$0")/packages.sh"
root=$(realpath -m "$1")
apt=$root.apt
mkdir -p "$root" "$apt/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
cat >"$apt/apt.conf" <<CONFIG
APT::Architecture "arm64";
#clear APT::Architectures;
APT::Architectures { "arm64"; };
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Debug::NoLocking "1";
CONFIG
export APT_CONFIG=$apt/apt.conf
# The libraries of build_packages; its programs are those of this machine.
mapfile -t libraries < <(printf '%s\n' "${build_packages[@]}" "${test_build_packages[@]}" | grep -e '-dev$')
apt-get -q update
apt-get -q -y --no-install-recommends --download-only install g++ "${libraries[@]}"
for package in "$apt"/cache/archives/*.deb; do dpkg -x "$package" "$root"; done
# Absolute links lead back into the folder.
find "$root" -lname '/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
echo "cmake --preset aarch64 -D SORTLAB_SYSROOT=$root"
