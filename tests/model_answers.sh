#!/bin/sh
# model_answers.sh FOLDER PALFREY...: prints what the program PALFREY (with an emulator before it, maybe) says of every file
# below FOLDER, in the order of the names, posed at some time, and a sum of the bytes it converts it to. The answers of two
# builds can be compared.
set -eu
export LC_ALL=C
folder=$1
shift
baked=$(mktemp -d)
trap 'rm -rf "$baked"' EXIT
find "$folder" -type f | sort | while IFS= read -r file; do
  echo "== $file"
  "$@" info --json --time 0.37 "$file" </dev/null 2>&1 || echo "exit $?"
  if "$@" convert "$file" "$baked/model.mbj" </dev/null >/dev/null 2>&1; then cksum <"$baked/model.mbj"; fi
done
