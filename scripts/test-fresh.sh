#!/usr/bin/env bash
# What a newcomer does first, in a clone of HEAD on a bare Debian 12 that has gcc, make, cmake and git: `make run`. It must end
# well, add at most 20 packages, neither node nor npm among them, and write its report. Prints the CPU seconds. Needs root and
# network; where it cannot be done it says so in one line and ends with 0.
# usage: test-fresh.sh [COMMAND...]   another command than `make run`, for example: make test-release
#   FRESH_SECONDS  give up, without an error, when it takes longer (3600): the network decides how long the packages take
set -euo pipefail
cd "$(dirname "$0")/.."

most=20 # packages
me=test-fresh
. scripts/package.sh
. scripts/bare.sh
git rev-parse --verify -q HEAD >/dev/null || give_up "this is no git repository"
limit=${FRESH_SECONDS:-3600}
left() {
    echo $((SECONDS < limit ? limit - SECONDS : 1))
}
[ "$(df -Pk "${TMPDIR:-/tmp}" | awk 'NR == 2 { print $4 }')" -gt 3000000 ] || give_up "${TMPDIR:-/tmp} has less than 3 GB left"
bare_begin
bare timeout "$(left)" sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends gcc libc6-dev make cmake git' \
    >"$bare.log" 2>&1 || { tail -n 3 "$bare.log" >&2; give_up "gcc, make, cmake and git could not be installed in time"; }
git clone -q . "$bare/srv/sinew"
before=$(bare_packages)
command=("$@")
if [ $# -eq 0 ]; then command=(make run); fi
TIMEFORMAT='test-fresh: %U + %S CPU seconds, %R on the clock'
status=0
time bare timeout "$(left)" sh -c 'cd /srv/sinew && "$@"' sh "${command[@]}" </dev/null >"$bare.log" 2>&1 || status=$?
if [ $status = 124 ]; then give_up "it took more than $limit seconds"; fi
if grep -q 'apt-get could not install' "$bare.log"; then give_up "what make run needs could not be installed"; fi
[ $status = 0 ] || { tail -n 40 "$bare.log" >&2; echo "test-fresh: ${command[*]} failed on a bare Debian 12" >&2; exit 1; }
tail -n 3 "$bare.log"
added=$(($(bare_packages) - before))
echo "test-fresh: ${command[*]} on a bare Debian 12: $added packages added"
if [ $# -ne 0 ]; then exit 0; fi
[ "$added" -le $most ] || { echo "test-fresh: that is more than $most" >&2; exit 1; }
! bare sh -c 'command -v node || command -v npm' || { echo "test-fresh: make run installed node" >&2; exit 1; }
report=$bare/srv/sinew/build/report.html
grep -q '</html>' "$report" || { echo "test-fresh: there is no whole report" >&2; exit 1; }
mkdir -p build && cp "$report" build/fresh-report.html
