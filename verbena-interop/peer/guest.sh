#!/usr/bin/env bash
# guest.sh CACHE DIRECTORY NUMBER NETDEV: starts VM number NUMBER without an RDMA device, with a network card whose other side is NETDEV (see
# machine.sh), says "pid" and QEMU's process id, and ends it when standard input ends. Needs no namespace.
set -euo pipefail
[ $# -eq 4 ] || { echo "usage: guest.sh CACHE DIRECTORY NUMBER NETDEV" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2"
pid=
end() { [ -z "$pid" ] || { kill -KILL "$pid"; wait "$pid"; } 2>/dev/null || true; }
trap end EXIT
"$here/machine.sh" "$1" "$2" "$3" none "$4" </dev/null >&2 &
pid=$!
echo "pid $pid"
cat >/dev/null
