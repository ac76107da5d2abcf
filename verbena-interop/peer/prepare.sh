#!/usr/bin/env bash
# prepare.sh CACHE: leaves CACHE/vmlinuz and CACHE/initramfs.img there. Downloads missing packages, packs the initramfs
# again if a file beside this one has changed. Needs apt-get (for "download" only), dpkg, gcc, cpio, depmod, xz, readelf.
# If siw.ko cannot be built, the initramfs is made without it, and CACHE/siw.missing says why.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 1 ] || { echo "usage: prepare.sh CACHE" >&2; exit 2; }
mkdir -p "$1/deb"
cd "$1"
exec 9>lock
flock 9

. "$here/packages.sh"

apt-cache show busybox-static >/dev/null 2>&1 || apt-get -q update >download.log 2>&1 || true

# ---- the kernel's version, and siw for it ----

# The newest of these kernels on offer: the captures among the library's vectors are of 6.12.
kernel() {
    local package found=
    for package in linux-image-6.12-amd64 linux-image-amd64; do
        found=$(apt-cache depends "$package" 2>/dev/null | sed -n 's/.*Depends: linux-image-\([0-9][^ ]*\)$/\1/p')
        [ -n "$found" ] && break
    done
    echo "${found%%$'\n'*}"
}
[ -s version ] || kernel >version
version=$(cat version)
[ -n "$version" ] || die "apt knows no linux-image-6.12-amd64 and no linux-image-amd64"

if "$here/siw.sh" "$PWD" "$version" >siw.log 2>&1; then rm -f siw.missing; else tail -n 1 siw.log >siw.missing; fi

stamp="$(cd "$here" && find . -type f ! -name README.md -exec cksum {} + | LC_ALL=C sort | cksum) $(cat siw.stamp 2>/dev/null || true)"
[ -f initramfs.img ] && [ -f vmlinuz ] && [ "$(cat stamp 2>/dev/null)" = "$stamp" ] && exit 0

# ---- packages ----

get "linux-image-$version" busybox-static dash coreutils ibverbs-utils rdmacm-utils iproute2 \
    libibverbs1 librdmacm1 ibverbs-providers libibumad3 libnl-3-200 libnl-route-3-200 libmnl0 libbpf1 libelf1 libbsd0 libmd0 \
    libcap2 libdb5.3 libselinux1 libpcre2-8-0 libtirpc3 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libcom-err2 \
    libkeyutils1 libxtables12 libssl3 zlib1g libc6 libgcc-s1 libibverbs-dev librdmacm-dev

if [ ! -f "image/boot/vmlinuz-$version" ]; then
    rm -rf image
    dpkg -x "$(compgen -G "deb/linux-image-${version}_*.deb")" image
fi
rm -rf sysroot
mkdir sysroot
for package in deb/*.deb; do
    case $package in deb/linux-*) ;; *) dpkg -x "$package" sysroot ;; esac
done

# ---- the file system of the VM ----

root=$PWD/root
rm -rf "$root"
mkdir -p "$root"/{bin,sbin,usr/bin,lib,lib64,usr/lib/x86_64-linux-gnu,proc,sys,dev,tmp,run,etc/libibverbs.d}
ln -s ../usr/lib/x86_64-linux-gnu "$root/lib/x86_64-linux-gnu"
libraries=$root/usr/lib/x86_64-linux-gnu
places=(sysroot/lib/x86_64-linux-gnu sysroot/usr/lib/x86_64-linux-gnu)

# Copies the shared libraries that a file needs, and those that they need.
add_libraries() {
    local name place
    for name in $(readelf -d "$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        [ -e "$libraries/$name" ] && continue
        for place in "${places[@]}"; do
            [ -e "$place/$name" ] || continue
            cp -L "$place/$name" "$libraries/$name"
            add_libraries "$libraries/$name"
            break
        done
        [ -e "$libraries/$name" ] || die "no package has $name, which $1 needs"
    done
}

add_program() {
    local place
    for place in usr/bin usr/sbin bin sbin; do
        [ -e "sysroot/$place/$1" ] || continue
        cp -L "sysroot/$place/$1" "$root/usr/bin/$1"
        chmod 755 "$root/usr/bin/$1"
        add_libraries "$root/usr/bin/$1"
        return
    done
    die "no package has the program $1"
}

cp -L sysroot/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$root/lib64/"
cp sysroot/bin/busybox "$root/bin/busybox"
for applet in $("$root/bin/busybox" --list); do
    [ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done
rm -f "$root"/bin/{ip,tc,sh,timeout,busybox.*}   # busybox's sh prefers its own applets; its timeout ends only the direct child
cp -L sysroot/bin/dash "$root/bin/sh"
add_libraries "$root/bin/sh"
ln -s ../bin/busybox "$root/sbin/modprobe"       # the path that the kernel calls
for program in ibv_devinfo ibv_rc_pingpong ibv_uc_pingpong ibv_ud_pingpong ibv_srq_pingpong rping ucmatose udaddy mckey \
    cmtime ip tc rdma ss timeout; do
    add_program "$program"
done
mkdir "$libraries/libibverbs"
cp sysroot/etc/libibverbs.d/{rxe,siw}.driver "$root/etc/libibverbs.d/"
for driver in sysroot/usr/lib/x86_64-linux-gnu/libibverbs/lib{rxe,siw}-*.so; do
    cp -L "$driver" "$libraries/libibverbs/"
    add_libraries "$driver"
done
cp -L sysroot/lib/x86_64-linux-gnu/libgcc_s.so.1 "$libraries/"
echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"
echo '127.0.0.1 localhost' >"$root/etc/hosts"

for source in "$here"/src/*.c; do
    program=$root/usr/bin/$(basename "$source" .c)
    gcc -O2 -g0 -Wall -Isysroot/usr/include -o "$program" "$source" \
        -Lsysroot/usr/lib/x86_64-linux-gnu -Wl,-rpath-link,sysroot/lib/x86_64-linux-gnu -Wl,-rpath-link,sysroot/usr/lib/x86_64-linux-gnu \
        -lrdmacm -libverbs -lpthread
    add_libraries "$program"
done

# ---- modules, decompressed: busybox need not know xz ----

modules=lib/modules/$version
mkdir -p "$root/$modules"
[ -f "image/$modules/modules.dep" ] || depmod -b "$PWD/image" "$version"
add_module() {
    local target=$root/$modules/${1%.xz}
    [ -e "$target" ] && return
    mkdir -p "$(dirname "$target")"
    case $1 in *.xz) xz -dc "image/$modules/$1" >"$target" ;; *) cp "image/$modules/$1" "$target" ;; esac
}
for module in virtio_net virtio_rng virtio_console rdma_rxe ib_uverbs ib_umad rdma_ucm iw_cm crc32c_generic crc32_generic libcrc32c ipv6 \
    sch_netem; do
    line=$(grep -E "^[^:]*/${module//_/[-_]}\.ko(\.xz)?:" "image/$modules/modules.dep" | head -n 1 || true)
    [ -n "$line" ] || continue # built in
    add_module "${line%%:*}"
    for needed in ${line#*:}; do add_module "$needed"; done
done
if [ -f siw.ko ]; then
    mkdir -p "$root/$modules/extra"
    cp siw.ko "$root/$modules/extra/"
fi
cp "image/$modules"/modules.{order,builtin,builtin.modinfo} "$root/$modules/"
depmod -b "$root" "$version"

cp "$here/guest/init" "$root/init"
cp "$here/guest/agent" "$root/bin/agent"
chmod 755 "$root/init" "$root/bin/agent"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >initramfs.part # uncompressed: inflating it in an emulated VM takes seconds
mv initramfs.part initramfs.img
cp "image/boot/vmlinuz-$version" vmlinuz
rm -rf "$root" sysroot
echo "$stamp" >stamp
echo "prepared: kernel $version"
