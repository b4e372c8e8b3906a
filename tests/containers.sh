#!/bin/sh
# containers.sh SUITE [--arch ARCH] [--mirror URL] [--put FILE] [COMMAND...]: runs COMMAND (default: ./dev test) in a clone
# of HEAD with FILE, a path below the project, inside a fresh base system of Debian or Ubuntu made by debootstrap; what it
# writes below /memory is gone with it. Needs root; exits with 77 where it cannot be done.
# The base systems are kept in PALFREY_CONTAINERS (build/containers); DEBOOTSTRAP_OPTIONS are handed on.
set -eu
cd "$(dirname "$0")/.."
suite=$1 arch=$(dpkg --print-architecture 2>/dev/null || echo unknown) mirror='' put=''
shift
while [ $# != 0 ]; do
  case $1 in
    --arch) arch=$2 ;;
    --mirror) mirror=$2 ;;
    --put) put=$2 ;;
    *) break ;;
  esac
  shift 2
done
[ $# != 0 ] || set -- ./dev test

skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "containers are made as root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
command -v git >/dev/null || skip "git is not installed"

folder=${PALFREY_CONTAINERS:-$PWD/build/containers}
base=$folder/$suite-$arch.base root=$folder/$suite-$arch
mkdir -p "$folder"
if [ ! -e "$base/complete" ]; then
  rm -rf "$base"
  # shellcheck disable=SC2086 # several options, and no mirror where none is named
  debootstrap --variant=minbase --arch="$arch" ${DEBOOTSTRAP_OPTIONS:-} "$suite" "$base" $mirror >"$base.log" 2>&1 ||
    skip "debootstrap could not make $suite for $arch: $(tail -n 1 "$base.log")"
  touch "$base/complete"
fi

rm -rf --one-file-system "$root"
cp -a "$base" "$root"
# How packages are fetched here: proxies, name servers.
grep -ls '^ *Acquire::' /etc/apt/apt.conf.d/* | xargs -r cp -t "$root/etc/apt/apt.conf.d"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
git clone -q . "$root/palfrey"
if [ -n "$put" ]; then
  mkdir -p "$root/palfrey/$(dirname "$put")"
  cp "$put" "$root/palfrey/$put"
fi
mkdir "$root/memory"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/memory"
trap 'umount -l "$root/proc" "$root/memory"' EXIT
trap 'exit 130' INT TERM
chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c 'cd /palfrey && exec "$@"' sh "$@"
