#!/usr/bin/env bash
# vm.sh CACHE NAMESPACE DIRECTORY NUMBER DEVICE [CAPTURE]: starts VM number NUMBER with an RDMA device of kind rxe or siw, says "pid" and
# QEMU's process id, and ends it when standard input ends. DIRECTORY gets its console and its control port. The file CAPTURE gets
# every frame that the VM sends or receives, if dumpcap is installed.
set -euo pipefail
[ $# -eq 5 ] || [ $# -eq 6 ] || { echo "usage: vm.sh CACHE NAMESPACE DIRECTORY NUMBER DEVICE [CAPTURE]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
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
ip netns exec "$namespace" "$here/machine.sh" "$cache" "$directory" "$number" "$device" \
    "tap,ifname=$tap,script=no,downscript=no,vhost=off" \
    </dev/null >&2 &
pid=$!
echo "pid $pid"
cat >/dev/null
