#!/bin/sh
# Runs the benchmark "start" on the release build.
set -eu
exec build/release/tests/bench_start build/release/palfrey build/release/tests/bench_start_floor \
  tests/bench/games/empty "$@"
