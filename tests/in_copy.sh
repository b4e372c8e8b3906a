#!/bin/sh
# in_copy.sh SOURCE COPY COMMAND...: runs COMMAND with a fresh copy of the folder SOURCE at COPY, for games that change
# their own files.
set -eu
source=$1 copy=$2
shift 2
rm -rf "$copy"
mkdir -p "$(dirname "$copy")"
cp -R "$source" "$copy"
exec "$@"
