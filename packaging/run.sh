#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and starts Ridgepoint on a Debian 12 machine; see --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: packaging/run.sh [--demo | --build-only | --help]

Sets up everything on a Debian 12 machine (as root or with sudo), builds Ridgepoint into build/release and starts it.
With a display the window opens on the softmax problem. Without one, or with --demo, the same window runs off-screen:
it loads the softmax and sgemm problems, runs all their kernels on the best device there is, prints a table and writes

  build/demo/window.png    the window with editor, charts and verdicts
  build/demo/report.html   the runs as a page
  build/demo/demo.ridge    the session, to be opened in the window

  --demo         run off-screen even where there is a display
  --build-only   set up and build, start nothing
  --help         this text

What is missing is installed by apt-get; where no CUDA toolkit >= 12.9 is found (RIDGE_CUDA_ROOT, CUDA_HOME, CUDA_PATH,
/usr/local/cuda), NVIDIA's own wheels are fetched by pip into ~/.cache/ridgepoint/cuda. A GPU is not needed: without one
kernels run on the embedded PTX emulator. A second run does nothing twice and starts in seconds.
TEXT
}

mode=window
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || mode=demo
case "${1:-}" in
  "") ;;
  --demo) mode=demo ;;
  --build-only) mode=build ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 2
    ;;
esac

# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
set_up
configure release ci # test.sh's build is as good
build_targets ridgepoint ridge

case $mode in
  build) say "built: build/release/bin/ridgepoint and build/release/bin/ridge" ;;
  window) exec "$build/bin/ridgepoint" --problem softmax ;;
  demo)
    demo="$root/build/demo"
    mkdir -p "$demo"
    QT_QPA_PLATFORM=offscreen "$build/bin/ridgepoint" --demo "$demo" ||
      fail "The demo failed with exit status $?: what is above says why; 'build/release/bin/ridge devices' shows what it can run on."
    for file in window.png report.html demo.ridge; do
      [ -s "$demo/$file" ] || fail "The demo wrote no build/demo/$file: please report this with the text above."
    done
    say "written: build/demo/window.png, build/demo/report.html, build/demo/demo.ridge"
    ;;
esac
