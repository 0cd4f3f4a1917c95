# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by run.sh and test.sh: makes a Debian 12 machine ready and builds into build/release. Each step looks first and
# does only what is missing, so that a second run takes seconds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
log="$root/build/setup.log"
# The folder that the program looks into as well when no CUDA toolkit is installed.
wheels="${RIDGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ridgepoint}/cuda"

say() { printf '== %s\n' "$*" >&2; }
# One sentence that says what to do, and the end.
fail() {
  printf 'ridgepoint: %s\n' "$*" >&2
  exit 1
}

packages=(
  g++ cmake ninja-build pkg-config
  qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n
  libqscintilla2-qt6-dev libqcustomplot-dev libgl-dev
  libgtest-dev libgmock-dev nlohmann-json3-dev libtomlplusplus-dev libmuparser-dev libcli11-dev libfmt-dev libspdlog-dev
  libsqlitecpp-dev libsqlite3-dev libxxhash-dev
  python3-numpy fonts-dejavu-core fonts-wqy-microhei
)

# The packages of "$@" that are not installed; virtual ones count through whatever provides them.
missing_packages() {
  local have
  have=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package} ${Provides}\n' 2>/dev/null | sed -n 's/^ii *//p' |
    sed 's/([^)]*)//g; s/,/ /g')
  local package
  for package in "$@"; do
    grep -qE "(^| )${package//+/\\+}( |\$)" <<<"$have" || printf '%s\n' "$package"
  done
}

# install PACKAGE…: what is missing of them, by apt-get.
install() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "Packages are missing and there is no sudo: run this as root, or have them installed: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]} (details in build/setup.log)"
  # Broken or unreachable extra sources do not matter as long as the packages are found.
  "${as_root[@]}" apt-get update >>"$log" 2>&1 || say "apt-get update reported a fault; going on with what it has"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" \
    >>"$log" 2>&1 && return 0
  if grep -qE 'Could not resolve|Failed to fetch|Unable to connect|Temporary failure|Unable to locate package' "$log"; then
    fail "apt-get could not fetch ${missing[*]}: check the network and /etc/apt/sources.list, then run this again (see build/setup.log)."
  fi
  fail "apt-get could not install ${missing[*]}: run 'apt-get --fix-broken install', then this again (see build/setup.log)."
}

install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "no apt-get here: the packages that Debian 12 calls ${packages[*]} must be there already"
    return 0
  fi
  install "${packages[@]}"
}

# True when $1 is the root of a CUDA toolkit >= 12.9 with NVRTC and CUPTI's headers.
is_toolkit() {
  local include library version
  for include in "$1/include" "$1/targets/x86_64-linux/include"; do
    if [ ! -f "$include/nvrtc.h" ] || [ ! -f "$include/cuda.h" ]; then continue; fi
    if [ ! -f "$include/cupti.h" ] && [ ! -f "$1/extras/CUPTI/include/cupti.h" ]; then continue; fi
    version=$(sed -n 's/^#define CUDA_VERSION *\([0-9]*\).*/\1/p' "$include/cuda.h")
    [ "${version:-0}" -ge 12090 ] || continue
    for library in "$1"/lib64/libnvrtc.so* "$1"/lib/libnvrtc.so* "$1"/targets/x86_64-linux/lib/libnvrtc.so*; do
      [ -e "$library" ] && return 0
    done
  done
  return 1
}

# Sets RIDGE_CUDA_ROOT: a toolkit that is installed, else NVIDIA's own wheels in a private folder.
find_cuda() {
  local candidate
  for candidate in "${RIDGE_CUDA_ROOT:-}" "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda \
    "$wheels/nvidia/cu13"; do
    if [ -n "$candidate" ] && is_toolkit "$candidate"; then
      export RIDGE_CUDA_ROOT=$candidate
      return 0
    fi
  done
  fetch_cuda
  export RIDGE_CUDA_ROOT="$wheels/nvidia/cu13"
}

fetch_cuda() {
  local way_out="install a CUDA toolkit >= 12.9 and set CUDA_HOME to its folder"
  local partial="$wheels.partial"
  if ! python3 -m pip --version >/dev/null 2>&1; then
    command -v apt-get >/dev/null || fail "There is no CUDA toolkit >= 12.9 and no pip to fetch one: $way_out."
    install python3-pip
  fi
  say "fetching NVRTC, ptxas and the CUDA headers into $wheels (about 130 MB; details in build/setup.log)"
  rm -rf "$partial"
  # One toolkit release throughout; nvdisasm came to PyPI only later and reads older binaries.
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$partial" \
    'nvidia-cuda-nvrtc==13.0.*' 'nvidia-cuda-nvcc==13.0.*' 'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-cuda-cccl==13.0.*' \
    'nvidia-cuda-cupti==13.0.*' 'nvidia-cuda-nvdisasm==13.2.*' >>"$log" 2>&1 ||
    fail "pip could not fetch NVIDIA's wheels: check the network, or $way_out (see build/setup.log)."
  is_toolkit "$partial/nvidia/cu13" ||
    fail "NVIDIA's wheels arrived without NVRTC or a header that is needed: $way_out (they lie in $partial)."
  rm -rf "$wheels" # only now: what was there, if anything, is no whole toolkit
  mv "$partial" "$wheels"
}

# Compilers running at once: one a core, but 1.5 GB of free memory each.
parallel() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}

# configure PRESET…: with the first of the presets, unless the folder is configured with one of them already.
configure() {
  local preset known
  for preset in "$@"; do
    known="$preset $RIDGE_CUDA_ROOT"
    [ -f "$build/build.ninja" ] && [ "$(cat "$build/configured" 2>/dev/null)" = "$known" ] && return 0
  done
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  say "configuring build/release (preset $1, CUDA toolkit in $RIDGE_CUDA_ROOT)"
  rm -f "$build/configured"
  (cd "$root" && cmake --preset "$1" -U 'RIDGE_CU*_INCLUDE' -DRIDGE_CUDA_ROOT="$RIDGE_CUDA_ROOT" "${launcher[@]}") \
    >>"$log" 2>&1 || {
    grep -A6 'CMake Error' "$log" | tail -n 14 >&2
    fail "cmake could not configure: see the lines above and build/setup.log; if build/release is from another place, remove it."
  }
  echo "$1 $RIDGE_CUDA_ROOT" >"$build/configured"
}

# build_targets TARGET…: all of them, as many at once as memory allows.
build_targets() {
  # For ccache: paths below the clone count as relative, so that a clone elsewhere finds the same objects.
  export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
  say "building (the first time takes minutes)"
  ninja -C "$build" -j "$(parallel)" "$@" >&2 ||
    fail "The build failed: the first 'error:' above says where; after an update of the compiler or Qt, remove build/release and try again."
}

set_up() {
  mkdir -p "$root/build"
  : >"$log"
  install_packages
  find_cuda
}
