#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds everything with warnings as errors, and runs all tests but those that need a GPU or measure speed.
set -euo pipefail

case "${1:-}" in
  "") ;;
  -h | --help)
    echo "usage: packaging/test.sh: sets up, builds and runs all tests (not those with the labels gpu and bench)"
    exit 0
    ;;
  *)
    echo "usage: packaging/test.sh" >&2
    exit 2
    ;;
esac

# shellcheck source=packaging/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
set_up
configure ci
build_targets all

cd "$root"
say "testing"
exec ctest --preset ci -j "$(parallel)"
