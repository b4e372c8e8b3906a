#!/bin/sh
# dist_run.sh DEBIAN_ARCH QEMU ARCHIVE: unpacks an archive of ./dev dist, installs what its README names and nothing else, and
# plays the recorded sample under qemu: 600 steps for the state, 120 for a picture, build/dist/check.png. The one JSON
# object of the run goes to build/dist/check.json. Run it in a container of its own.
set -eu
cd "$(dirname "$0")/.."
arch=$1 qemu=$2 archive=$3
export DEBIAN_FRONTEND=noninteractive
dpkg --add-architecture "$arch"
apt-get update -q
tar -xzf "$archive" -C build/dist
folder=${archive%.tar.gz}
packages=$(sed -n 's/^    sudo apt install //p' "$folder/README.md")
foreign=$(for package in $packages; do echo "$package:$arch"; done)
# shellcheck disable=SC2086 # one word a package
apt-get install -q -y --no-install-recommends qemu-user-static $foreign
# Of Mesa's software drivers the one that compiles nothing: far quicker under an emulator.
export GALLIUM_DRIVER=softpipe
"$qemu" "$folder/bin/palfrey" --version
"$qemu" "$folder/bin/palfrey" verify "$folder/games/sample.zip"
"$qemu" "$folder/bin/palfrey" --headless --null-gpu --replay tests/replay/sample.rec --frames 600 --json \
  "$folder/games/sample.zip" >build/dist/check.json
"$qemu" "$folder/bin/palfrey" --headless --size 320x240 --seed 1 --frames 120 --screenshot build/dist/check.png \
  "$folder/games/sample.zip"
