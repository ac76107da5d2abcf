#!/usr/bin/env bash
# vm.sh CACHE NAMESPACE DIRECTORY NUMBER DEVICE [CAPTURE]: starts VM number NUMBER with an RDMA device of kind rxe or siw, says "pid" and
# QEMU's process id, and ends it when standard input ends. DIRECTORY gets its console and its control port. The file CAPTURE gets
# every frame that the VM sends or receives, if dumpcap is installed.
set -euo pipefail
[ $# -eq 5 ] || [ $# -eq 6 ] || { echo "usage: vm.sh CACHE NAMESPACE DIRECTORY NUMBER DEVICE [CAPTURE]" >&2; exit 2; }
cache=$1 namespace=$2 directory=$3 number=$4 device=$5 capture=${6:-}
mkdir -p "$directory"
tap=tap$number
ip -n "$namespace" tuntap add "$tap" mode tap
ip netns exec "$namespace" sysctl -q -w "net.ipv6.conf.$tap.disable_ipv6=1"
ip -n "$namespace" link set "$tap" mtu 9000 master bridge up
pid= dumper=
end() {
    # A stopped process hears nothing but this.
    [ -z "$pid" ] || { kill -KILL "$pid"; wait "$pid"; } 2>/dev/null || true
    [ -z "$dumper" ] || { kill -INT "$dumper"; wait "$dumper"; } 2>/dev/null || true
    ip -n "$namespace" link del "$tap" 2>/dev/null || true
}
trap end EXIT
if [ -n "$capture" ]; then
    ip netns exec "$namespace" dumpcap -q -i "$tap" -w "$capture" </dev/null >&2 &
    dumper=$!
fi
off=csum=off,guest_csum=off,gso=off,guest_tso4=off,guest_tso6=off,guest_ecn=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ecn=off,host_ufo=off
ip netns exec "$namespace" qemu-system-x86_64 -machine q35,usb=off,vmport=off \
    -accel "${VERBENA_PEER_ACCEL:-tcg,thread=multi}" -cpu max -smp 1 -m 512 \
    -nodefaults -no-user-config -display none -no-reboot \
    -kernel "$cache/vmlinuz" -initrd "$cache/initramfs.img" \
    -append "console=ttyS0 panic=-1 quiet mitigations=off nokaslr audit=0 tsc=reliable peer.number=$number peer.rdma=$device" \
    -netdev tap,id=n0,ifname="$tap",script=no,downscript=no,vhost=off \
    -device "virtio-net-pci,netdev=n0,mac=$(printf '52:54:00:00:00:%02x' "$number"),host_mtu=9000,mrg_rxbuf=on,$off" \
    -device virtio-rng-pci \
    -device virtio-serial-pci -chardev socket,id=control,path="$directory/control",server=on,wait=off \
    -device virtserialport,chardev=control,name=peer.control \
    -chardev file,id=console,path="$directory/console" -serial chardev:console \
    </dev/null >&2 &
pid=$!
echo "pid $pid"
cat >/dev/null
