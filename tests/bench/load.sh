#!/bin/sh
# Runs the benchmark "load" on the release build, beside the libraries of Debian that can be had.
#
# usage: load.sh [--quick] [--only CASE]
set -eu
folder=build/bench/load
mkdir -p $folder

has() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed$'; }

# have PACKAGE: it is there, or is installed now.
have() {
  has "$1" && return
  command -v apt-get >/dev/null || return
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$1" >/dev/null 2>&1
}

# peer NAME PACKAGE COMPILER SOURCE OPTION...: builds a peer, or says that it is left out.
peers=
peer() {
  name=$1 package=$2 compiler=$3 source=tests/bench/load/$4
  shift 4
  object=$folder/$name.so
  if ! have "$package"; then
    echo "bench load: $name is left out: $package cannot be had" >&2
  elif ! $compiler -O2 -DNDEBUG -shared -fPIC -Itests/bench "$source" -o "$object" "$@"; then
    echo "bench load: $name is left out: it could not be built" >&2
  else
    peers="$peers $object"
  fi
}
have g++ || :
peer irrlicht libirrlicht-dev g++ peer_irrlicht.cpp -I/usr/include/irrlicht -lIrrlicht
peer assimp libassimp-dev cc peer_assimp.c -lassimp
peer lib3ds lib3ds-dev cc peer_lib3ds.c -l3ds-1
# shellcheck disable=SC2086 # a list of files
exec build/release/tests/bench_load $folder games/sample/models/knight.md2 "$@" $peers
