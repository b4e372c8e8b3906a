#!/bin/sh
# dist.sh ARCH: whether what ./dev dist made for ARCH runs there as it does here: plays the recorded sample in a container
# under qemu and compares state and picture. Exits with 77 where there can be no container.
set -eu
cd "$(dirname "$0")/.."
arch=$1
case $arch in
  arm64) qemu="qemu-aarch64-static" ;;
  armhf) qemu="qemu-arm-static" ;;
  *) echo "dist.sh: no emulator is known for $arch" >&2; exit 2 ;;
esac
archive=$(echo build/dist/palfrey-*-"$arch".tar.gz)
[ -e "$archive" ] || { echo "dist.sh: first ./dev dist $arch" >&2; exit 2; }
containers=${PALFREY_CONTAINERS:-$PWD/build/containers}
sh tests/containers.sh bookworm --put "$archive" sh tests/dist_run.sh "$arch" "$qemu" "$archive"
there=$containers/bookworm-$(dpkg --print-architecture)/palfrey/build/dist

# The same driver as there: two drivers choose different mipmaps.
export MESA_GLES_VERSION_OVERRIDE=2.0 LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=softpipe
hash() { sed 's/.*"state_hash":"\([0-9a-f]*\)".*/\1/'; }
here=$(build/release/palfrey --headless --null-gpu --replay tests/replay/sample.rec --frames 600 --json games/sample | hash)
other=$(hash <"$there/check.json")
build/release/palfrey --headless --size 320x240 --seed 1 --frames 120 --screenshot build/dist/here.png games/sample
echo "state: $here here, $other on $arch"
[ "$here" = "$other" ]
# At most 3 a channel on 99.5 % of the pixels: another processor may round otherwise.
build/release/tests/golden_compare "$there/check.png" build/dist/here.png 3 0.995
echo "1 passed, 0 failed"
