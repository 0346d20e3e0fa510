#!/usr/bin/env bash
# Tries the command of Windows under wine, job by job, in a folder with a blank and an umlaut in its name.
# usage: try-windows.sh COMMAND.exe
set -euo pipefail
cd "$(dirname "$0")/.."

exe=$(realpath "$1")
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEDEBUG=-all WINEPREFIX=${WINEPREFIX:-$PWD/build/windows/wine}
room=$(mktemp -d)/'tröy folder'
mkdir -p "$room/page/play"
trap 'rm -rf "$(dirname "$room")"' EXIT
sinew() {
    timeout 300 "$wine" "$exe" "$@" 2>"$room/errors" || { echo "try-windows: sinew $* failed" >&2; cat "$room/errors" >&2; exit 1; }
}
# has FILE: it is there, and text of it has no carriage return.
has() {
    [ -s "$1" ] || { echo "try-windows: there is no $1" >&2; exit 1; }
    case $1 in *.glb | *.sinew) return ;; esac
    ! grep -q $'\r' "$1" || { echo "try-windows: $1 has carriage returns" >&2; exit 1; }
}

policies=$PWD/policies
cd "$room"
sinew --version >version && has version
sinew inspect humanoid >inspect && has inspect
sinew track humanoid run --record run.json --report run.html >track && has run.json && has run.html && has track
sinew convert run.json run.glb && has run.glb
sinew convert humanoid humanoid.xml && has humanoid.xml
sinew run humanoid.xml --seconds 1 --record fall.json >run && has fall.json
sinew train humanoid walk --copies 32 --samples 4096 --threads 2 --out walk >train && has walk/policy.sinew && has walk/curve.csv
sinew train --resume --out walk --samples 8192 >train
sinew play "$policies/humanoid-walk.sinew" --seconds 2 >play && has play
sinew bench spd --model humanoid --solver maba --quick >bench && has bench

# The server answers a request.
echo '<title>tried</title>' >page/index.html
cp page/index.html page/play/index.html
timeout 150 "$wine" "$exe" view page --port 8437 >view 2>&1 &
server=$!
for _ in $(seq 120); do
    address=$(grep -om1 'http://[^[:space:]]*' view || true)
    if [ -n "$address" ] && answer=$(curl -sL --max-time 5 "$address"); then break; fi
    sleep 1
done
kill $server 2>/dev/null || true
wait $server 2>/dev/null || true
[ "${answer:-}" = '<title>tried</title>' ] || { cat view >&2; echo "try-windows: view does not answer" >&2; exit 1; }
echo "try-windows: track, convert, run, train, resume, play, inspect, bench and view work"
