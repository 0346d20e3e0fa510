# To be sourced after scripts/package.sh, by scripts that try something on a bare Debian 12. Needs root and debootstrap, which it
# installs. A system that FRESH_CACHE names (fresh-debian.tar in the user's cache folder) saves the minute that making one takes.
#   bare_begin        makes the system in the folder $bare, which goes when the script ends
#   bare COMMAND...   runs a command there
#   bare_packages     how many packages it has
bare_end() {
    umount -l "$bare/proc" "$bare/sys" 2>/dev/null || true
    mountpoint -q "$bare/proc" || rm -rf --one-file-system "$bare" "$bare.log"
}

bare_begin() {
    local uri cache=${FRESH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fresh-debian.tar}
    [ "$(id -u)" -eq 0 ] || give_up "a bare Debian 12 needs root"
    command -v apt-get >/dev/null || give_up "there is no apt-get that knows where Debian's packages are"
    package debootstrap debootstrap
    bare=$(mktemp -d)
    trap bare_end EXIT
    chmod 755 "$bare"
    if [ -s "$cache" ]; then
        tar -C "$bare" -xf "$cache"
    else
        uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' |
            awk '$2 == "bookworm" || $2 == "stable" { print $1; exit }')
        [ -n "$uri" ] || give_up "this machine knows no place with the packages of Debian 12"
        timeout "${FRESH_SECONDS:-600}" debootstrap --variant=minbase --include=ca-certificates bookworm "$bare" "$uri" >"$bare.log" 2>&1 ||
            { tail -n 3 "$bare.log" >&2; give_up "debootstrap could not make a bare Debian 12"; }
        printf 'deb %s bookworm main\n' "$uri" >"$bare/etc/apt/sources.list"
    fi
    cp /etc/resolv.conf /etc/hosts "$bare/etc/"
    mount -t proc proc "$bare/proc" 2>/dev/null || give_up "this machine does not let a script mount /proc"
    mkdir -p "$bare/dev/shm" && chmod 1777 "$bare/dev/shm"
}

bare() {
    chroot "$bare" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

bare_packages() {
    bare dpkg-query -f '.' -W | wc -c
}
