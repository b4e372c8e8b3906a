#!/bin/sh
# Runs the benchmark "reload" on the release build.
set -eu
exec build/release/tests/bench_reload build/release/palfrey "${TMPDIR:-/tmp}/palfrey-bench-reload" "$@"
