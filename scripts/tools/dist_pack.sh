#!/bin/sh
# dist_pack.sh DEBIAN_ARCH BUILD_FOLDER STRIP [RUNNER...]: packs the program of a build as build/dist/palfrey-VERSION-ARCH.tar.gz.
# The same commit gives the same bytes. RUNNER runs programs of that architecture, where this machine cannot.
set -eu
cd "$(dirname "$0")/../.."
arch=$1 build=$2 strip=$3
shift 3
version=$(sed -n 's/^#define PALFREY_VERSION "\(.*\)"/\1/p' runtime/version.h)
name=palfrey-$version-$arch
top=build/dist/$name
# The libraries by their names in Debian 12; what they are in others is the first name again or a package that provides it.
packages=$(awk '/^\[/ { on = $1 == "[run]"; next } on && $1 ~ /^(lib|zlib)/ && $1 != "libc6" { printf "%s ", $1 }' \
  cmake/packages.txt)

rm -rf "$top"
mkdir -p "$top/bin" "$top/games" "$top/scripts/types" "$top/docs"
cp "$build/palfrey" "$top/bin/palfrey"
"$strip" "$top/bin/palfrey"
"$@" "$build/palfrey" pack games/sample -o "$top/games/sample.zip" >/dev/null
"$@" "$build/palfrey" verify "$top/games/sample.zip" >/dev/null
cp scripts/types/palfrey.lua "$top/scripts/types/"
cp docs/api.md docs/hot-reload.md "$top/docs/"
cp CHANGELOG.md LICENSE "$top/"
sed -e "s/@VERSION@/$version/g; s/@ARCH@/$arch/g; s/@PACKAGES@/${packages% }/g" scripts/tools/dist_readme.md >"$top/README.md"
chmod -R u=rwX,go=rX "$top"
(cd build/dist && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C ../.. log -1 --format=%ct)" \
  -cf - "$name") | gzip -n9 >"build/dist/$name.tar.gz"
rm -rf "$top"
echo "build/dist/$name.tar.gz: $(wc -c <"build/dist/$name.tar.gz") bytes"
