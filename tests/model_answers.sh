#!/bin/sh
# model_answers.sh FOLDER PALFREY...: prints what the program PALFREY (with an emulator before it, maybe) says of every file
# below FOLDER, in the order of the names, posed at some time, and a sum of the bytes it converts it to. The answers of two
# builds can be compared: how much memory a model takes differs from one processor to another and is left out.
set -eu
export LC_ALL=C
folder=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
find "$folder" -type f | sort | while IFS= read -r file; do
  echo "== $file"
  code=0
  "$@" info --json --time 0.37 "$file" </dev/null >"$scratch/answer" 2>&1 || code=$?
  sed 's/"resident":[0-9]*/"resident":0/' "$scratch/answer"
  echo "exit $code"
  if "$@" convert "$file" "$scratch/model.mbj" </dev/null >/dev/null 2>&1; then cksum <"$scratch/model.mbj"; fi
done
