#!/usr/bin/env bash
# Makes the Markdown of the project into a site with search, build/site, by mkdocs (Debian: mkdocs), which it installs if it is
# missing. If the pages are built (make web), documents have live examples. The site works from any static folder. If there is
# no mkdocs, it says so in one line and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/.."

me=site
. scripts/package.sh
package mkdocs mkdocs

rm -rf build/site build/site-source
mkdir -p build/site-source
live=()
if [ -f build/web/sinew-view.js ] && [ -f build/web/sinew.wasm ]; then live=(build/web); fi
python3 scripts/site.py stage build/site-source "${live[@]}"
mkdocs build --quiet --strict --config-file build/site-source/mkdocs.yml --site-dir "$PWD/build/site"
rm -f build/site/404.html # its links begin at the root of a server
python3 scripts/site.py check build/site
echo "site: build/site/index.html, $(du -sh build/site | cut -f1)$([ ${#live[@]} -eq 0 ] && echo ", without live examples (make web)")"
