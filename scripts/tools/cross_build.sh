#!/bin/sh
# cross_build.sh DEBIAN_ARCH TRIPLET: builds a release for another architecture into build/DEBIAN_ARCH with Debian's cross
# compilers. It changes the packages of the system: run it in a container, as in
#   tests/containers.sh bookworm sh scripts/tools/cross_build.sh arm64 aarch64-linux-gnu
set -eu
cd "$(dirname "$0")/../.."
arch=$1 triplet=$2
export DEBIAN_FRONTEND=noninteractive
dpkg --add-architecture "$arch"
apt-get update -q
# The libraries for the other architecture, the tools for this one.
libraries=$(awk -v arch=":$arch" '/^\[/ { on = $1 == "[run]" || $1 == "[build]"; next }
  on && $1 ~ /^(lib|zlib)/ && $1 !~ /^libc6/ { print $1 arch }' cmake/packages.txt)
# shellcheck disable=SC2086 # one word a package
apt-get install -q -y --no-install-recommends "gcc-$triplet" "libc6-dev-$arch-cross" qemu-user-static cmake ninja-build \
  pkg-config lua5.4 git $libraries
cmake -B "build/$arch" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross.cmake" \
  -DTRIPLET="$triplet"
cmake --build "build/$arch"
