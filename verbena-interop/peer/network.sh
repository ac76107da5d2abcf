#!/usr/bin/env bash
# network.sh NAMESPACE: makes a network namespace with a bridge and no way out of it, says "ready", and removes it when standard
# input ends, also when the process at the other end of the pipe is killed.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: network.sh NAMESPACE" >&2; exit 2; }
namespace=$1
ip netns add "$namespace"
trap 'ip netns del "$namespace"' EXIT
in_it() { ip -n "$namespace" "$@"; }
in_it link set lo up
ip netns exec "$namespace" sysctl -q -w net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0
in_it link add bridge type bridge stp_state 0 forward_delay 0 mcast_snooping 0
in_it link set bridge mtu 9000 up
in_it addr add 198.51.100.1/24 dev bridge
in_it -6 addr add fd00:5dca::1/64 dev bridge nodad
in_it route add 224.0.0.0/4 dev bridge
echo ready
cat >/dev/null
