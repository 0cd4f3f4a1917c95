#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs what is built into one archive that runs on another Linux machine (glibc >= 2.36), such as a GPU node without Qt.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: packaging/bundle.sh [--build DIR] [--output FILE.tgz]

Packs the programs and GPU tests of DIR (build/release) with resources, kernels, shared libraries, Qt's off-screen and
xcb plugins and fonts into FILE.tgz (build/ridgepoint-bundle.tgz). There:

  tar xzf ridgepoint-bundle.tgz
  ridgepoint-bundle/run ridge devices
  ridgepoint-bundle/run ridgepoint --demo demo

The driver, and NVRTC where kernels are to be compiled, must be on that machine.
TEXT
}

fail() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
output="$root/build/ridgepoint-bundle.tgz"
while [ $# -gt 0 ]; do
  case $1 in
    --build | --output)
      [ $# -ge 2 ] || fail "$1 needs a value; see --help."
      case $1 in
        --build) build=$2 ;;
        --output) output=$2 ;;
      esac
      shift 2
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
done
[ -x "$build/bin/ridge" ] || fail "There is no $build/bin/ridge: build first, with packaging/run.sh --build-only."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle="$work/ridgepoint-bundle"
mkdir -p "$bundle"/{bin,lib,plugins/platforms,plugins/imageformats,plugins/iconengines,translations,fonts,share/ridgepoint}

# Programs: the two applications and the tests that carry the label gpu.
programs=("$build/bin/ridge")
[ -x "$build/bin/ridgepoint" ] && programs+=("$build/bin/ridgepoint")
while IFS= read -r test; do
  [ -x "$test" ] && programs+=("$test")
done < <(ctest --test-dir "$build" -L '^gpu$' --show-only=json-v1 2>/dev/null |
  sed -n 's/^[[:space:]]*"\(\/.*\/bin\/[^"\/]*\)",*$/\1/p' | sort -u)
install -s -t "$bundle/bin" "${programs[@]}"
cp -r "$root/resources" "$root/kernels" "$bundle/share/ridgepoint/"
for generated in "$build"/share/ridgepoint/*; do
  [ -e "$generated" ] && cp -r "$generated" "$bundle/share/ridgepoint/"
done

# Qt's plugins.
plugins=$(qtpaths6 --plugin-dir 2>/dev/null || echo /usr/lib/x86_64-linux-gnu/qt6/plugins)
for plugin in platforms/libqoffscreen.so platforms/libqxcb.so imageformats/libqsvg.so iconengines/libqsvgicon.so; do
  [ -f "$plugins/$plugin" ] || fail "Qt's plugin $plugin is not in $plugins: install qt6-base-dev and qt6-svg-dev."
  install -s "$plugins/$plugin" "$bundle/plugins/$plugin"
done
# Shared libraries, but for glibc's own and the driver's, which belong to the machine.
own='/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nss_[a-z]+|cuda|nvidia-[^/]*))\.so'
ldd "$bundle"/bin/* "$bundle"/plugins/*/*.so 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE "$own" | xargs -r install -s -t "$bundle/lib"

# Translations into the languages of the window, and fonts for Latin and Chinese.
for translation in qtbase_zh_CN qscintilla_zh_CN; do
  find /usr/share/qt6/translations -name "$translation.qm" -exec cp -t "$bundle/translations" {} +
done
fonts=(/usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf /usr/share/fonts/truetype/wqy/wqy-microhei.ttc)
cp -t "$bundle/fonts" "${fonts[@]}" || fail "A font is missing: install fonts-dejavu-core and fonts-wqy-microhei."
cat >"$bundle/bin/qt.conf" <<'TEXT'
[Paths]
Prefix = ..
Plugins = plugins
Translations = translations
TEXT
cat >"$bundle/fonts/fonts.conf" <<'TEXT'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
TEXT

cat >"$bundle/run" <<'TEXT'
#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run NAME [ARGUMENT…]: a program of this bundle with its own libraries, resources and fonts; off-screen without a display.
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-}
if [ -z "$name" ] || [ ! -x "$here/bin/$name" ]; then
  echo "usage: $0 NAME [ARGUMENT...], where NAME is one of: $(cd "$here/bin" && ls | grep -v '\.conf$' | tr '\n' ' ')" >&2
  exit 2
fi
shift
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export RIDGE_RESOURCES="${RIDGE_RESOURCES:-$here/share/ridgepoint/resources}"
export RIDGE_KERNELS="${RIDGE_KERNELS:-$here/share/ridgepoint/kernels}"
export QT_QPA_FONTDIR="$here/fonts" FONTCONFIG_FILE="$here/fonts/fonts.conf"
[ -n "${DISPLAY:-}" ] || export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}"
exec "$here/bin/$name" "$@"
TEXT
chmod +x "$bundle/run"
cp "$root"/LICENSE "$root"/LICENSE.exception "$bundle/"

mkdir -p "$(dirname "$output")"
tar -C "$work" --owner=0 --group=0 -cf - ridgepoint-bundle | gzip -9 >"$output"
printf '%s: %s MB, programs: %s\n' "$output" "$(($(stat -c %s "$output") / 1000000))" \
  "$(cd "$bundle/bin" && find . -type f -perm -u+x -printf '%f ')"
