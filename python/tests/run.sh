#!/usr/bin/env bash
# Runs the tests of the Python package against a library that is built already.
# usage: run.sh KIND LIBRARY COMMAND FOLDER [PYTEST OPTIONS]
#
# KIND is hot (with the C file _hot.c), pure (ctypes alone) or notebook (the notebook of the first hour).
#
# Ends with code 77, and one line that says why, where Python, NumPy or pytest is missing.
set -euo pipefail
kind=$1 library=$2 command=$3 folder=$4
shift 4
root=$(cd "$(dirname "$0")/../.." && pwd)

skip() { echo "python tests are skipped: $*"; exit 77; }
python=
needs="import numpy, pytest"
for one in ${SINEW_PYTHON:-} python3 /usr/bin/python3; do
    if command -v "$one" >/dev/null && "$one" -c "$needs" 2>/dev/null; then python=$one && break; fi
done
[ -n "$python" ] || skip "there is no python3 with NumPy and pytest (Debian: python3-numpy python3-pytest)"

# The package as a wheel has it, in a folder of its own.
stage=$folder/$kind
rm -rf "$stage"
mkdir -p "$stage/sinew/policies"
cp "$root"/python/sinew/*.py "$root"/python/sinew/*.pyi "$root/web/prebuilt/report.html" "$stage/sinew/"
cp "$root"/policies/*.sinew "$stage/sinew/policies/"
ln -sf "$library" "$stage/sinew/libsinew.so"
if [ "$kind" != pure ]; then
    (cd "$root/python" && "$python" -c "
import pathlib, sys
import backend
sys.exit(0 if backend.hot(pathlib.Path(sys.argv[1])) else 1)" "$stage/sinew/_hot.abi3.so") || skip "_hot.c cannot be built (Debian: python3-dev)"
fi
cd "$stage"
export PYTHONPATH=$stage${SINEW_GYMNASIUM:+:$SINEW_GYMNASIUM} PYTHONDONTWRITEBYTECODE=1 SINEW_ROOT=$root SINEW_COMMAND=$command
unset SINEW_LIBRARY
# A library with the address sanitizer needs its runtime before everything else.
sanitizer=$(ldd "$library" | sed -n 's/.*libasan[^ ]* => \([^ ]*\).*/\1/p')
if [ -n "$sanitizer" ]; then
    export SINEW_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
    python="env LD_PRELOAD=$sanitizer $python"
fi
if [ "$kind" = notebook ]; then
    $python "$root/python/tests/notebook.py" "$root/python/examples/first_hour.ipynb"
    exit
fi
if [ "$kind" = pure ]; then export SINEW_PURE=1; fi
exec $python -m pytest -q -p no:cacheprovider "$root/python/tests" "$@"
