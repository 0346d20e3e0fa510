#!/usr/bin/env bash
# Prints the version, as 0.3.0. It is written down in include/sinew/base.h; `version.sh check` fails where another file says
# something else.
set -euo pipefail
cd "$(dirname "$0")/.."

part() {
    sed -n "s/^#define SN_VERSION_$1 //p" include/sinew/base.h
}
version=$(part MAJOR).$(part MINOR).$(part PATCH)
if [ "${1:-}" != check ]; then
    echo "$version"
    exit 0
fi
failed=0
# says FILE PATTERN: some line of the file matches the pattern, which includes the version.
says() {
    grep -qE "$2" "$1" || { echo "version: $1 does not say $version" >&2; failed=1; }
}
v=${version//./\\.}
says CITATION.cff "^version: $v\$"
says npm/package.json "\"version\": \"$v\""
says python/sinew/_c.py "^VERSION = '$v'"
says docs/hello.md "GIT_TAG v$v\)"
says debian/changelog "^sinew \($v-"
says packaging/vcpkg/vcpkg.json "\"version\": \"$v\""
says packaging/conan/conanfile.py "version = \"$v\""
says packaging/homebrew/sinew.rb "sinew-$v\.tar\.gz"
says packaging/conda/meta.yaml "set version = \"$v\""
exit $failed
