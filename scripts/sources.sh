# To be sourced by scripts that compile libraries of Debian for another system.

# fetch_sources FOLDER PATTERN PACKAGE...: unpacks the packages' sources, with Debian's patches, into FOLDER/sources, from where
# this machine has its packages from; releases that match the pattern are left out.
fetch_sources() {
    local dir=$1/apt to=$1/sources without=$2 line=() name
    shift 2
    rm -rf "$dir" "$to"
    mkdir -p "$dir/lists/partial" "$dir/archives/partial" "$to"
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
        sort -u | awk -v without="$without" '$3 !~ without' >"$dir/sources.list"
    if [ ! -s "$dir/sources.list" ]; then return 1; fi
    line=(apt-get -qq -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$dir/lists"
        -o "Dir::Cache=$dir" -o APT::Sandbox::User=root)
    "${line[@]}" update >/dev/null 2>&1 || return 1
    (cd "$to" && "${line[@]}" source "$@" >/dev/null 2>&1) || return 1
    rm -rf "$dir"
    for name in "$@"; do mv "$to/$name"-*/ "$to/$name"; done
    if [ -d "$to/expat/expat" ]; then # as the project itself keeps it
        mv "$to/expat/expat" "$to/inner" && rm -rf "$to/expat" && mv "$to/inner" "$to/expat"
    fi
}

# sources FOLDER PACKAGE...: the same; a mirror may lack a file of the security archive that its list names.
sources() {
    local folder=$1
    shift
    fetch_sources "$folder" '^$' "$@" || fetch_sources "$folder" security "$@"
}
