#!/bin/sh
# run.sh PROGRAM FOLDER NAME [SEEDS...]: fuzzes for PALFREY_FUZZ_SECONDS (20), starting from the inputs in the folders
# SEEDS and tests/fuzz/seeds/NAME and from what earlier runs found, with the words of tests/fuzz/NAME.dict where there are
# any. An input that breaks the program is left in FOLDER. libFuzzer's own exit code for that, 77, means "left out" here.
set -eu
program=$1 folder=$2 name=$3
shift 3
found=$folder/$name.found
mkdir -p "$found"
[ ! -f "tests/fuzz/$name.dict" ] || set -- "-dict=tests/fuzz/$name.dict" "$@"
[ ! -d "tests/fuzz/seeds/$name" ] || set -- "$@" "tests/fuzz/seeds/$name"
exec "$program" -max_total_time="${PALFREY_FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
  -error_exitcode=1 -timeout_exitcode=1 -print_final_stats=1 -verbosity=1 \
  -artifact_prefix="$folder/$name-" "$found" "$@"
