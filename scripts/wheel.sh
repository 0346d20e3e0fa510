#!/usr/bin/env bash
# Builds a wheel of the Python package by pip, without network, and a source archive. Checks the wheel, and tries it
# in a venv that has nothing but NumPy.
# usage: wheel.sh FOLDER [--if-possible]    the option: do nothing on a machine without venv
#
# If SINEW_PYTHON_LIBRARY names a library that is built already, the wheel has that one. It may then need libraries, such
# as OpenBLAS, that wheels must not need.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."

python=
for one in ${SINEW_PYTHON:-} python3 /usr/bin/python3; do
    if command -v "$one" >/dev/null && "$one" -c "import numpy, ensurepip" 2>/dev/null; then python=$one && break; fi
done
if [ -z "$python" ]; then
    echo "wheel: not built: there is no python3 with NumPy and venv (Debian: python3-numpy python3-venv)"
    [ "${2:-}" = --if-possible ] && exit 0
    exit 1
fi

venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
"$python" -m venv --system-site-packages "$venv"
rm -f "$folder"/sinew-*
"$venv/bin/pip" wheel --quiet --no-index --no-deps --wheel-dir "$folder" .
(cd python && "$python" -c "import backend, sys; print('sdist:', backend.build_sdist(sys.argv[1]))" "$folder")
wheel=$(ls "$folder"/sinew-*.whl)
size=$(stat -c %s "$wheel")
echo "wheel: $(basename "$wheel"), $size bytes"
[ "$size" -lt 8000000 ] || { echo "wheel: it is larger than 8 MB" >&2; exit 1; }

"$venv/bin/pip" install --quiet --no-index --no-deps "$wheel"
installed=$("$venv/bin/python" -c "import importlib.util; print(importlib.util.find_spec('sinew').submodule_search_locations[0])")
# Only libraries that every Linux has, beside those that the wheel brings.
others=$(readelf -d "$installed"/*.so* | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u |
    grep -vE '^(libc|libm|libpthread|libdl|libz|libgcc_s|ld-linux-x86-64)\.so' || true)
for name in $others; do
    [ -z "${SINEW_PYTHON_LIBRARY:-}" ] || break
    [ -e "$installed/$name" ] || { echo "wheel: it needs $name, which not every machine has" >&2; exit 1; }
done
cd "$venv"
bin/python - <<'TEST'
import sinew
world = sinew.World()
human = world.add(sinew.Model.builtin("humanoid"))
world.plane()
human.q = human.stand()
world.step(10)
print("wheel: sinew %s, %s, hash %016x" % (sinew.__version__, sinew._lib.hot.__name__, world.hash()))
TEST
bin/sinew --version >version
head -1 version
