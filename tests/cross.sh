#!/bin/sh
# cross.sh DEBIAN_ARCH TRIPLET: builds for another architecture and runs under qemu what needs no more than the program:
# the units and the recorded sample without pictures. It changes the packages of the system: run it in a container, as in
#   tests/containers.sh bookworm sh tests/cross.sh s390x s390x-linux-gnu
set -eu
cd "$(dirname "$0")/.."
sh scripts/tools/cross_build.sh "$1" "$2"
# Of Mesa's software drivers the one that compiles nothing: far quicker under an emulator.
export GALLIUM_DRIVER=softpipe
exec lua5.4 tests/run.lua --built "build/$1" 'unit|sample' '^(unit/|sample/replay)'
