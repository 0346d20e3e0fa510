#!/usr/bin/env bash
# Builds a web page into build/web, with its script, style and pictures inside or beside it.
# usage: web.sh report|play|test|renew [FOLDER]   into FOLDER, build/web unless told
#        web.sh report   build/web/report.html: one file, the template `sinew track --report` fills in. It comes built with the
#                        source, web/prebuilt/report.html. Only when its sources have changed is it built again, by node
#        web.sh renew    builds web/prebuilt/report.html again; a change of the page's sources is committed with it
#        web.sh check    whether web/prebuilt/report.html is made of the current sources
#        web.sh play     build/web/index.html and build/web/play, the playground; scripts/wasm.sh builds the library
#        web.sh test     no page: only what the browser tests need (node, npm packages, chromium)
# Installs node, npm and the packages of web/package.json when they are missing. Where that cannot be done it says so in
# one line and ends with 0, so that everything else can go on.
set -euo pipefail
cd "$(dirname "$0")/.."

page=${1:-report}
out=${2:-build/web}
prebuilt=web/prebuilt/report.html
case $page in
    report | play | test | renew | check) ;;
    *) echo "usage: $0 report|play|test|renew|check [FOLDER]" >&2; exit 2 ;;
esac

# imports FILE: the file and all of web/src that it imports, one per line.
imports() {
    local seen=" " queue=("$1") file
    while [ ${#queue[@]} -gt 0 ]; do
        file=${queue[0]} && queue=("${queue[@]:1}")
        case $seen in *" $file "*) continue ;; esac
        seen+="$file " && echo "$file"
        for name in $(sed -n 's/.*from "\.\/\([^"]*\)".*/\1/p' "$file"); do queue+=("web/src/$name"); done
    done
}
# One sum over everything the report page is made of.
report_sum() {
    { imports web/src/report.js | sort && printf '%s\n' web/report.html web/src/style.css web/inline.mjs web/package-lock.json; } |
        xargs cat | sha256sum | cut -d' ' -f1
}
up_to_date() { grep -qF "sources: $(report_sum)" "$prebuilt"; }
take_prebuilt() {
    mkdir -p "$out"
    cmp -s "$prebuilt" "$out/report.html" || cp "$prebuilt" "$out/report.html"
    exit 0
}

if [ "$page" = check ]; then
    up_to_date || { echo "web: $prebuilt is older than its sources: run 'make report-page'" >&2; exit 1; }
    echo "web: $prebuilt is made of the sources at hand"
    exit 0
fi
if [ "$page" = renew ]; then out=$(dirname "$prebuilt") page=report
elif [ "$page" = report ]; then
    if up_to_date; then take_prebuilt; fi
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "web: without node and npm (Debian: nodejs npm) the report page is the one that comes with the source"
        take_prebuilt
    fi
fi

skip() {
    echo "web: skipped: $1"
    exit 0
}

# install PACKAGE...: by apt-get, quietly; false when it cannot.
install() {
    command -v apt-get >/dev/null || return 1
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        root=(sudo)
    fi
    echo "web: installing $*"
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
    "${apt[@]}" update </dev/null >/dev/null 2>&1 || true
    "${apt[@]}" install -y --no-install-recommends "$@" </dev/null >/dev/null 2>&1
}

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    install nodejs npm || skip "node and npm are missing and cannot be installed (Debian: nodejs npm)"
fi
if [ "$page" = test ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    install chromium || skip "chromium is missing and cannot be installed (Debian: chromium)"
fi

# npm leaves a copy of the lock file behind; when the two agree there is nothing to do.
if [ ! -x web/node_modules/.bin/esbuild ] || [ web/package-lock.json -nt web/node_modules/.package-lock.json ]; then
    echo "web: installing npm packages"
    (cd web && npm ci --no-audit --no-fund --loglevel=error >/dev/null 2>&1) || skip "npm could not fetch the packages of web/package.json"
    touch web/node_modules/.package-lock.json
fi

if [ "$page" = test ]; then exit 0; fi
mkdir -p "$out"
esbuild() {
    web/node_modules/.bin/esbuild --bundle --minify --target=es2022 --legal-comments=none --log-level=warning "$@"
}

case $page in
    report)
        # One classic script: a module would not load from a file:// address.
        esbuild web/src/report.js --format=iife --charset=utf8 --supported:template-literal=false --outfile="$out/report.js"
        esbuild web/src/style.css --outfile="$out/report.css"
        sum=$(report_sum)
        node web/inline.mjs web/report.html "$out/report.js" "$out/report.css" web/node_modules/three/LICENSE "$sum" "$out/report.html"
        rm -f "$out/report.js" "$out/report.css"
        echo "web: $out/report.html, $(wc -c <"$out/report.html") bytes"
        ;;
    play)
        # The library itself, sinew.js and sinew.wasm, is loaded from beside them.
        mkdir -p "$out/play" "$out/drive" "$out/learn" "$out/policies"
        rm -f "$out/play.js" "$out/play.css" # where 0.2 had them
        esbuild web/src/front.js --format=esm --outfile="$out/front.js"
        esbuild web/src/learn_worker.js --format=esm --outfile="$out/sinew-worker.js"
        esbuild web/src/play.js --format=esm --outfile="$out/play/play.js"
        esbuild web/src/view.js --format=esm --outfile="$out/sinew-view.js"
        esbuild web/src/embed.js --format=esm --outfile="$out/embed.js"
        esbuild web/src/learn.js --format=esm --outfile="$out/learn/learn.js"
        esbuild web/src/drive.js --format=esm --outfile="$out/drive/drive.js"
        esbuild web/src/style.css --outfile="$out/style.css"
        esbuild web/src/embed.css --outfile="$out/embed.css"
        esbuild web/src/learn.css --outfile="$out/learn/learn.css"
        esbuild web/src/drive.css --outfile="$out/drive/drive.css"
        esbuild web/src/front.css --outfile="$out/front.css"
        esbuild web/src/play.css --outfile="$out/play/play.css"
        cp web/index.html web/embed.html web/poster.webp "$out/"
        cp web/play/index.html "$out/play/"
        cp web/learn/index.html "$out/learn/"
        cp web/drive/index.html "$out/drive/"
        cp policies/*.sinew "$out/policies/"
        echo "web: $out/index.html, $(cat "$out/index.html" "$out"/*front.* "$out/style.css" | wc -c) bytes with its script and style"
        ;;
esac
