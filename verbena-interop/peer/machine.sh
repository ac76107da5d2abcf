#!/usr/bin/env bash
# machine.sh CACHE DIRECTORY NUMBER DEVICE NETDEV: becomes the QEMU of VM number NUMBER. DEVICE is its RDMA device, rxe or siw, or none. NETDEV is
# the other side of its network card, as QEMU's -netdev has it, without an id. DIRECTORY gets its console and its control port. No privilege is needed
# beyond what NETDEV needs.
set -euo pipefail
[ $# -eq 5 ] || { echo "usage: machine.sh CACHE DIRECTORY NUMBER DEVICE NETDEV" >&2; exit 2; }
cache=$1 directory=$2 number=$3 device=$4 netdev=$5
off=csum=off,guest_csum=off,gso=off,guest_tso4=off,guest_tso6=off,guest_ecn=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ecn=off,host_ufo=off
exec qemu-system-x86_64 -machine q35,usb=off,vmport=off \
    -accel "${VERBENA_PEER_ACCEL:-tcg,thread=multi}" -cpu max -smp 1 -m 512 \
    -nodefaults -no-user-config -display none -no-reboot \
    -kernel "$cache/vmlinuz" -initrd "$cache/initramfs.img" \
    -append "console=ttyS0 panic=-1 quiet mitigations=off nokaslr audit=0 tsc=reliable peer.number=$number peer.rdma=$device" \
    -netdev "$netdev,id=n0" \
    -device "virtio-net-pci,netdev=n0,mac=$(printf '52:54:00:00:00:%02x' "$number"),host_mtu=9000,mrg_rxbuf=on,$off" \
    -device virtio-rng-pci \
    -device virtio-serial-pci -chardev socket,id=control,path="$directory/control",server=on,wait=off \
    -device virtserialport,chardev=control,name=peer.control \
    -chardev file,id=console,path="$directory/console" -serial chardev:console
