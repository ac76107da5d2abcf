#!/usr/bin/env bash
# siw.sh CACHE VERSION: leaves CACHE/siw.ko there, the kernel's siw (iWARP over TCP) for a Debian kernel of this version. Debian has the
# source but does not build it. Its constants become parameters that can be changed at any time
# (/sys/module/siw/parameters); the code is not changed. Needs apt-get (for "download" only), dpkg, gcc, make, xz.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 2 ] || { echo "usage: siw.sh CACHE VERSION" >&2; exit 2; }
cd "$1"
version=$2
. "$here/packages.sh"

stamp="$version $(cksum <"$here/siw.sh")"
[ -f siw.ko ] && [ "$(cat siw.stamp 2>/dev/null)" = "$stamp" ] && exit 0
rm -f siw.ko siw.stamp

command -v make >/dev/null || die "not installed: make"
base=${version%-amd64}
series=$(echo "$base" | cut -d. -f1,2)
get "linux-headers-$version" "linux-headers-$base-common" "linux-kbuild-$base" "linux-source-$series"

rm -rf siw
mkdir -p siw/headers siw/module
for package in "linux-headers-$version" "linux-headers-$base-common" "linux-kbuild-$base"; do
    dpkg -x "$(compgen -G "deb/${package}_*.deb")" siw/headers
done
headers=$PWD/siw/headers/usr/src/linux-headers-$version
sed -i "s#include /usr/src/#include $PWD/siw/headers/usr/src/#" "$headers/Makefile"
dpkg-deb --fsys-tarfile "$(compgen -G "deb/linux-source-${series}_*.deb")" |
    tar -xO "./usr/src/linux-source-$series.tar.xz" | xz -dc -T0 |
    tar -x -C siw/module --strip-components=5 "linux-source-$series/drivers/infiniband/sw/siw"

for constant in zcopy_tx try_gso mpa_crc_required mpa_crc_strict peer_to_peer; do
    sed -i "s/^extern const bool $constant;/extern bool $constant;/" siw/module/siw.h
    sed -i "s/^const bool $constant\( = true\)\?;/bool $constant\1;\nmodule_param($constant, bool, 0644);/" siw/module/siw_main.c
done
sed -i 's/^u_char mpa_version = MPA_REVISION_2;/&\nmodule_param(mpa_version, byte, 0644);/' siw/module/siw_main.c
# The ready-to-receive messages that its client offers: 128 for a write, 64 for a read, 192 for both.
sed -i 's/^static __be16 rtr_type = .*;/&\nmodule_param(rtr_type, ushort, 0644);/' siw/module/siw_cm.c
for parameter in zcopy_tx try_gso mpa_crc_required mpa_crc_strict peer_to_peer mpa_version rtr_type; do
    grep -q "^module_param($parameter," siw/module/siw_main.c siw/module/siw_cm.c ||
        die "siw of Linux $series has no constant $parameter"
done

make -s -C "$headers" M="$PWD/siw/module" CC=gcc CONFIG_RDMA_SIW=m CONFIG_DEBUG_INFO_BTF_MODULES= modules
strip --strip-debug siw/module/siw.ko
mv siw/module/siw.ko siw.ko
rm -rf siw deb/linux-source-* deb/linux-headers-* deb/linux-kbuild-*
echo "$stamp" >siw.stamp
