# To be sourced by scripts that need packages and can be left out: `me` is the script's name, `give_up WHY` ends it.
root=()
if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi

give_up() {
    echo "$me: skipped: $1"
    exit 0
}

# package PACKAGE FILE...: installs the package when none of the files, or of the commands of these names, is there.
package() {
    local name=$1 file
    shift
    for file in "$@"; do
        if [ -f "$file" ] || command -v "$file" >/dev/null; then return; fi
    done
    command -v apt-get >/dev/null || give_up "$name is missing, and there is no apt-get to install it with"
    if [ ${#root[@]} -ne 0 ]; then command -v sudo >/dev/null || give_up "$name is missing, and installing it needs root or sudo"; fi
    echo "$me: installing $name"
    apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
    "${apt[@]}" install -y --no-install-recommends "$name" </dev/null >/dev/null 2>&1 ||
        { "${apt[@]}" update </dev/null >/dev/null 2>&1 && "${apt[@]}" install -y --no-install-recommends "$name" </dev/null >/dev/null 2>&1; } ||
        give_up "apt-get could not install $name"
}
