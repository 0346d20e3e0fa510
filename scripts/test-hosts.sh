#!/usr/bin/env bash
# Trains on two hosts: two network namespaces of this machine with a cable between them, and OpenMPI over TCP. The policy must
# be that of one process, to the last byte. Then the cable is pulled in the middle of a training: the run must end by itself, and
# go on from a whole checkpoint. Needs root and OpenMPI; where it cannot be done it says so in one line and ends with 0.
# usage: test-hosts.sh SINEW
set -euo pipefail
sinew=$(realpath "${1:?usage: $0 SINEW}")
cd "$(dirname "$0")/.."

me=test-hosts
. scripts/package.sh
[ "$(id -u)" -eq 0 ] || give_up "network namespaces need root"
command -v mpirun >/dev/null || give_up "OpenMPI is missing (Debian: openmpi-bin libopenmpi-dev)"
[ -f "$(dirname "$sinew")/sinew_mpi.so" ] || give_up "the command was built without MPI"
package iproute2 ip

near=sinew-near-$$ far=sinew-far-$$
work=$(mktemp -d)
clean() {
    local name
    for name in $near $far; do
        ip netns pids $name 2>/dev/null | xargs -r kill -9 2>/dev/null || true
        ip netns del $name 2>/dev/null || true
    done
    rm -rf "$work"
}
trap clean EXIT
ip netns add $near 2>/dev/null || give_up "this machine allows no network namespaces"
ip netns add $far
ip link add cable netns $near type veth peer name cable netns $far
for one in "$near 10.77.0.1" "$far 10.77.0.2"; do
    read -r name address <<<"$one"
    ip -n "$name" addr add "$address/24" dev cable
    ip -n "$name" link set lo up
    ip -n "$name" link set cable up
done

# In place of ssh: the far host has a name and a network of its own.
cat >"$work/agent" <<AGENT
#!/bin/sh
shift
exec ip netns exec $far unshare --uts sh -c 'hostname sinew-far; exec sh -c "\$*"' sh "\$@"
AGENT
chmod +x "$work/agent"

# A lost host is noticed by OpenMPI's own keepalive, after a few seconds with these settings instead of many minutes.
hosts() { # SINEW'S OPTIONS...
    ip netns exec $near unshare --uts sh -c 'hostname sinew-near; exec "$@"' sh \
        mpirun --allow-run-as-root --host 10.77.0.1:1,10.77.0.2:1 --bind-to none -np 2 --mca plm_rsh_agent "$work/agent" \
        --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
        --mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 "$sinew" "$@"
}
small=(--copies 32 --hidden 32 --episodes 4 --threads 1 --no-report)

timeout 300 "$sinew" train humanoid walk --samples 5120 "${small[@]}" --out "$work/one" >/dev/null
hosts train humanoid walk --samples 5120 "${small[@]}" --out "$work/two" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for file in policy checkpoint; do
    cmp "$work/one/$file.sinew" "$work/two/$file.sinew" || { echo "test-hosts: two hosts give another $file" >&2; exit 1; }
done
crossed=$(ip -n $near -s -j link show cable | sed -n 's/.*"tx":{"bytes":\([0-9]*\).*/\1/p')
[ "${crossed:-0}" -gt 10000 ] || { echo "test-hosts: nothing went through the cable" >&2; exit 1; }
echo "test-hosts: two hosts give the policy of one process, $(sha256sum <"$work/two/policy.sinew" | cut -c 1-16)...; $crossed bytes through the cable"

hosts train humanoid walk --seconds 600 --checkpoint 0 "${small[@]}" --out "$work/cut" >"$work/log" 2>&1 &
run=$!
for _ in $(seq 120); do
    if [ -s "$work/cut/checkpoint.sinew" ]; then break; fi
    sleep 1
done
sleep 2
ip -n $far link set cable down
begin=$SECONDS
for _ in $(seq 120); do
    if ! kill -0 $run 2>/dev/null; then break; fi
    sleep 1
done
if kill -0 $run 2>/dev/null; then
    echo "test-hosts: the run does not end when a host is cut off" >&2
    exit 1
fi
status=0
wait $run || status=$?
[ $status -ne 0 ] || { cat "$work/log" >&2; echo "test-hosts: the run ended as if nothing had happened" >&2; exit 1; }
took=$((SECONDS - begin))
timeout 300 "$sinew" train --resume --out "$work/cut" --seconds 0 --episodes 4 --no-report >"$work/resumed" 2>&1 ||
    { cat "$work/resumed" >&2; echo "test-hosts: the checkpoint is not whole" >&2; exit 1; }
echo "test-hosts: cut off, the run ended after $took s with exit code $status, and its checkpoint goes on"
