#!/bin/sh
# cross.sh DEBIAN_ARCH TRIPLET: builds for another architecture and runs under qemu what needs no more than the program:
# the units, the recorded sample without pictures, and what it says of the models of tests/cross_models.sh, which has to be
# the same as on the machine that packed them. It changes the packages of the system: run it in a container, as in
#   tests/containers.sh bookworm --put build/cross/models.tar sh tests/cross.sh s390x s390x-linux-gnu
set -eu
# Emulated 32-bit programs cannot list folders whose entries have numbers of 64 bits, as those of disks do.
cp -R "$(dirname "$0")/.." /memory/palfrey
cd /memory/palfrey
export TMPDIR=/memory
sh scripts/tools/cross_build.sh "$1" "$2"
# Of Mesa's software drivers the one that compiles nothing: far quicker under an emulator.
export GALLIUM_DRIVER=softpipe PALFREY_EMULATED=1
tar -C build -xf build/cross/models.tar
sh tests/model_answers.sh build/cross/models "qemu-${2%%-*}-static" "build/$1/palfrey" >"build/cross/$1.txt"
diff build/cross/answers.txt "build/cross/$1.txt" || { echo "models differ on $1"; exit 1; }
echo "the same answers for $(grep -c "^== " build/cross/answers.txt) files"
exec lua5.4 tests/run.lua --built "build/$1" 'unit|sample' '^(unit/|sample/replay)'
