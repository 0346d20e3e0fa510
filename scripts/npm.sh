#!/usr/bin/env bash
# Builds the npm package into build/npm/package, from npm/, the scripts that it shares with the pages, and the WebAssembly build
# (scripts/wasm.sh), and packs it: build/npm/sinew-VERSION.tgz. If something is missing, it says so in one line and ends with 0.
# usage: npm.sh [FOLDER]   of the WebAssembly build; build/web unless told
set -euo pipefail
cd "$(dirname "$0")/.."

web=${1:-build/web}
command=${SINEW_COMMAND:-build/release/cli/sinew}
skip() {
    echo "npm: skipped: $1"
    exit 0
}
[ -f "$web/sinew.wasm" ] || skip "there is no WebAssembly build (scripts/wasm.sh)"
[ -x "$command" ] || skip "the command is not built (make)"
command -v npm >/dev/null || skip "npm is missing (Debian: npm)"
[ -x web/node_modules/.bin/esbuild ] || skip "esbuild is missing (scripts/web.sh test)"

out=build/npm/package
rm -rf build/npm && mkdir -p "$out"
cp npm/package.json npm/README.md LICENSE "$out/"
cp npm/src/*.d.ts npm/src/{error,handle,index,inline,learn,policies,puppet,worker}.js "$out/"
mkdir -p "$out/policies" && cp policies/humanoid-{stick,get-up}.sinew "$out/policies/"
cp web/src/learn_{core,pool,rank}.js "$web"/sinew.{js,wasm} "$out/"
"$command" schema --json | node npm/src/types.mjs "$out"
web/node_modules/.bin/esbuild npm/src/view.js --bundle --format=esm --target=es2022 --external:three --external:three/* \
    --external:./index.js --log-level=warning --outfile="$out/view.js"
{ printf 'export const base64 = "' && base64 -w0 "$web/sinew.wasm" && printf '";\n'; } >"$out/wasm_base64.js"
(cd build/npm && npm pack --silent ./package >/dev/null)
echo "npm: $(ls build/npm/*.tgz), $(wc -c <build/npm/*.tgz) bytes"
