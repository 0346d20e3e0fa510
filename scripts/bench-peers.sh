#!/usr/bin/env bash
# Sinew beside MuJoCo, DART and Bullet on the same characters and scenes, in one run: bench/README.md. Installs the
# engines and builds the programs that drive them; an engine that is not available is left out, with a line that says so.
# Prints tables and writes peers.csv beside the build folder.
# Then come the protocols of others (`sinew bench protocol`) and the pile of ragdolls in node (bench/piles.mjs), which
# go into docs/data/bench.json and the tables of docs/benchmarks.md.
# usage: bench-peers.sh BUILD_DIR [--rounds N] [--quick] [--no-install]
#   SINEW_DATA  folder with mujoco/model/humanoid/humanoid.xml and menagerie_unitree_g1/scene_mjx.xml
#   SINEW_MUJOCO_NEW  a folder with include and lib of another MuJoCo, whose rows stand beside those of Debian's
set -euo pipefail
export LC_ALL=C

usage() {
    echo "usage: $0 BUILD_DIR [--rounds N] [--quick] [--no-install]" >&2
    exit 2
}

build=${1:-}
case $build in "" | -*) usage ;; esac
shift
rounds=5 quick=false install=true
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=${2:-}; shift; [[ $rounds =~ ^[1-9][0-9]*$ ]] || usage ;;
        --quick) quick=true rounds=1 ;;
        --no-install) install=false ;;
        *) usage ;;
    esac
    shift
done
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$build"
build=$(cd "$build" && pwd)
bench=$build/bench sinew=$build/cli/sinew csv=$(dirname "$build")/peers.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "bench-peers: $*" >&2; }

# ------------------------------------------------------------------------------------------- engines

has_library() {
    case $("${CC:-cc}" -print-file-name="lib$1.so" 2>/dev/null) in
        /*) true ;;
        *) false ;;
    esac
}

updated=false
# engine NAME LIBRARY PACKAGE...: installs the packages unless the library is there.
engine() {
    local name=$1 library=$2 root=()
    shift 2
    if has_library "$library"; then return; fi
    if ! $install || ! command -v apt-get >/dev/null; then
        say "$name is left out: please install $*"
        return
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "$name is left out: installing $* needs root or sudo"
            return
        fi
        root=(sudo)
    fi
    say "installing $*"
    apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" </dev/null >"$work/apt.log" 2>&1; }
    if ! $updated; then apt update || true; updated=true; fi
    apt install -y --no-install-recommends "$@" || say "$name is left out: apt-get could not install $*"
}

if $install; then "$source/scripts/deps.sh" run; fi
if $install && ! command -v "${CXX:-c++}" >/dev/null; then engine "a C++ compiler" no-such-library g++; fi
engine MuJoCo mujoco libmujoco-dev
engine DART dart-collision-bullet libdart-dev libdart-collision-bullet-dev
engine Bullet BulletDynamics-float64 libbullet-dev libeigen3-dev

cmake -S "$source" -B "$build" -DSINEW_PEERS=ON ${SINEW_MUJOCO_NEW:+-DSINEW_MUJOCO_NEW="$SINEW_MUJOCO_NEW"} >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log" >&2; exit 1; }
grep -h "not found (Debian" "$work/cmake.log" | sed 's/^-- /bench-peers: /' >&2 || true
say "building"
cmake --build "$build" -j"$(nproc)" --target sinew_cli peers >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }

# --------------------------------------------------------------------------------------------- models

models=(humanoid dog snake195)
for model in "${models[@]}"; do
    "$sinew" convert "$model" "$work/$model.xml" >"$work/convert.log" 2>&1 || { cat "$work/convert.log" >&2; exit 1; }
    "$bench/peer_sinew" "$model" --scene fd --write "$work/$model.tree"
done

# What a program takes for a model.
model_for() {
    case $1 in
        peer_sinew) echo "$2" ;;
        peer_mujoco_ground) echo "$work/$2.xml" ;;
        *) echo "$work/$2.tree" ;;
    esac
}

found=()
for program in peer_sinew peer_mujoco_ground peer_dart peer_bullet64 peer_bullet; do
    [ -x "$bench/$program" ] || continue
    good=true
    for model in "${models[@]}"; do
        "$bench/$program" "$(model_for "$program" "$model")" --check "$work/$model.tree" >"$work/check" || good=false
    done
    if $good; then found+=("$program"); else say "$program is left out: its accelerations are not ours"; fi
done
say "these agree on the accelerations of a state of each model: ${found[*]}"

# ----------------------------------------------------------------------------------------- measurement

# measure KIND MODEL SCENE PROGRAM METHODS [OPTION...]: adds a line for each method.
measure() {
    local kind=$1 model=$2 scene=$3 program=$4 methods=$5 method
    shift 5
    case " ${found[*]} " in
        *" $program "*) ;;
        *) return 0 ;;
    esac
    for method in $methods; do
        "$bench/$program" "$(model_for "$program" "$model")" --scene "$scene" --method "$method" "$@" \
            >"$work/answer" 2>"$work/error" || { say "$program, $model, $scene, $method: $(tail -1 "$work/error")"; continue; }
        printf '%s\t%s\t%s\n' "$kind" "$model" "$(tail -1 "$work/answer")" >>"$work/lines"
    done
}

# Each engine on a scene, in every way it has: without ground, on it. A hundred iterations on the long chain take minutes.
all_free() {
    local motors="dense motor motor-100"
    if [ "$2" = snake195 ]; then motors="dense motor"; fi
    measure "$1" "$2" track peer_sinew "maba dense" "${@:3}"
    measure "$1" "$2" track peer_mujoco_ground "armature euler implicit" "${@:3}"
    measure "$1" "$2" track peer_dart "damping spring dense" "${@:3}"
    measure "$1" "$2" track peer_bullet64 "$motors" "${@:3}"
    measure "$1" "$2" track peer_bullet "$motors" "${@:3}"
}
all_ground() {
    measure "$1" humanoid "$2" peer_sinew "implicit rows" "${@:3}"
    measure "$1" humanoid "$2" peer_mujoco_ground "armature armature-cg euler implicit" "${@:3}"
    measure "$1" humanoid "$2" peer_dart "damping spring dense" "${@:3}"
    measure "$1" humanoid "$2" peer_bullet64 "dense motor motor-100" "${@:3}"
    measure "$1" humanoid "$2" peer_bullet "dense motor motor-100" "${@:3}"
}

# The crowd by the command's own benchmark, brought into the form of the others.
crowd() {
    local model=$1
    shift
    SINEW_PEERS=/nowhere "$sinew" bench crowd --json --model "$model" --precision float --threads 1 --characters 1024 \
        "$@" >"$work/answer" 2>"$work/error" || return 1
    tr -d ' \t\n' <"$work/answer" | sed 's/[{}]/\n/g' | grep '"us":' | grep '"scene":' | grep '"lanes":' |
        sed 's/^/"engine": "sinew crowd", "verdict": "ok", "method": "maba", "dt": 0.00416666667, /' |
        while IFS= read -r line; do printf 'speed\t%s\t%s\n' "$model" "$line"; done >>"$work/lines"
}

: >"$work/lines"
with_crowd=true
if ! "$sinew" bench crowd --help 2>&1 | grep -q "bench crowd"; then
    say "this build has no 'bench crowd': the crowd is left out"
    with_crowd=false
fi
repeat=(--repeat 2) stand=(--seconds 2) push=(--seconds 10) short=()
if $quick; then repeat=(--repeat 1) stand=(--seconds 0.25) push=(--seconds 0.25) short=(--seconds 0.1); fi
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    for model in "${models[@]}"; do
        for program in "${found[@]}"; do
            measure speed "$model" fd "$program" "$("$bench/$program" 2>&1 | sed -n 's/.*--method \([a-z]*\).*/\1/p')" \
                "${repeat[@]}" "${short[@]}"
        done
        all_free speed "$model" "${repeat[@]}" "${short[@]}"
        if $with_crowd && [ "$model" != humanoid ]; then
            crowd "$model" --scene track --repetitions 3 || { say "crowd, $model: $(tail -1 "$work/error")"; }
        fi
    done
    for scene in stand fall; do all_ground speed "$scene" "${repeat[@]}" "${stand[@]}"; done
    all_ground speed push "${repeat[@]}" "${push[@]}"
    if $with_crowd; then crowd humanoid --repetitions 3 || { say "crowd: $(tail -1 "$work/error")"; with_crowd=false; }; fi
done

for hertz in 240 120 60 30; do
    say "stability at 1/$hertz s"
    long=(--seconds 5 --repeat 0 --dt "1/$hertz") hold=(--seconds 10 --repeat 0 --dt "1/$hertz" --kp 75000 --kd 4000)
    if $quick; then long[1]=0.5 hold[1]=0.5; fi
    for model in "${models[@]}"; do all_free stability "$model" "${long[@]}"; done
    all_ground stability stand "${hold[@]}"
done

# --------------------------------------------------------------------------------------------- results

awk -F '\t' '
function value(key,    at) {
    at = index($3, "\"" key "\":")
    if (!at) return ""
    at = substr($3, at + length(key) + 3)
    sub(/^ */, "", at)
    if (at ~ /^"/) { at = substr(at, 2); sub(/".*/, "", at) } else sub(/[,}].*/, "", at)
    return at == "null" ? "" : at
}
BEGIN { print "kind,engine,version,precision,lanes,characters,model,scene,method,dt,us,contacts,verdict" }
{
    us = value("us_per_step") value("us")
    sinew = value("engine") == "sinew crowd"
    row = $1 "," value("engine") "," value("version") "," value("precision") "," value("lanes") "," \
        (sinew ? value("characters") : 1) "," $2 "," value("scene") "," value("method") "," sprintf("1/%.0f", 1 / value("dt"))
    if (!(row in seen)) order[++n] = row
    if (!(row in seen) || (us != "" && us + 0 < least[row] + 0)) least[row] = us
    judged = value("diverged") + 0 > 0 ? "diverges" : value("verdict")
    if (!(row in seen) || judged != "ok") verdict[row] = judged
    contacts[row] = value("contacts")
    seen[row] = 1
}
END { for (i = 1; i <= n; i++) print order[i] "," least[order[i]] "," contacts[order[i]] "," verdict[order[i]] }
' "$work/lines" >"$csv"

awk -F , '
function name(    text) {
    text = $2 == "mujoco" ? "MuJoCo" : $2 == "dart" ? "DART" : $2 == "bullet" ? "Bullet" : $2 == "sinew" ? "Sinew" : "Sinew crowd"
    text = text ($2 ~ /sinew/ ? "" : " " $3)
    if ($1 == "stability" || ($8 != "fd" && $2 != "sinew crowd")) text = text ", " $9
    if ($2 == "sinew crowd") text = text ", " $5
    else if ($2 == "bullet") text = text ", " $4
    return text
}
function add(table, row, column, text) {
    if (!((table, row) in known)) { known[table, row] = 1; rows[table, ++count[table]] = row }
    cell[table, row, column] = text
}
function show(table, heading, corner, columns,    n, i, k, column, line) {
    if (!count[table]) return
    n = split(columns, column, " ")
    printf "\n%s\n\n| %s |", heading, corner
    for (k = 1; k <= n; k++) printf " %s |", column[k]
    printf "\n|---|"
    for (k = 1; k <= n; k++) printf "---|"
    print ""
    for (i = 1; i <= count[table]; i++) {
        line = "| " rows[table, i] " |"
        for (k = 1; k <= n; k++) line = line " " cell[table, rows[table, i], column[k]] " |"
        print line
    }
}
function least(scene, us) {
    if (!(scene in fastest) || us + 0 < fastest[scene]) fastest[scene] = us + 0
}
NR == 1 { next }
{ ground = $8 == "stand" || $8 == "fall" || $8 == "push" }
$1 == "speed" {
    text = $11 == "" ? "-" : sprintf($11 < 100 ? "%.3g" : "%.0f", $11)
    if ($13 != "ok") text = text " (" $13 ")"
    add(ground ? "ground" : $8, name(), ground ? $8 : $7, text)
    if ($7 == "humanoid" && $2 == "mujoco") least($8, $11)
    if ($7 == "humanoid" && $2 == "sinew crowd") ours[$8] = $11
}
$1 == "stability" {
    column = $8 == "stand" ? "stand" : $7
    so_far = cell["stable", name(), column]
    add("stable", name(), column, so_far == "" ? $13 : so_far ", " $13)
}
END {
    show("fd", "Forward dynamics, microseconds", "", "humanoid dog snake195")
    show("track", "A step that tracks a motion, without ground, dt = 1/240 s, microseconds", "", "humanoid dog snake195")
    show("ground", "The humanoid on the ground, dt = 1/240 s, microseconds a step", "", "stand fall push")
    split("track stand fall push", scene, " ")
    split("humanoid dog snake195 stand", stable, " ")
    for (i = 1; i <= 4; i++)
        if (ours[scene[i]] && fastest[scene[i]])
            add("ratio", "times the steps of the fastest of MuJoCo", scene[i], sprintf("%.0f", fastest[scene[i]] / ours[scene[i]]))
    show("ratio", "Sinew crowd in float over MuJoCo, one core", "", "track stand fall push")
    for (i = 1; i <= count["stable"]; i++)
        for (k = 1; k <= 4; k++) { # four times the same is said once
            at = "stable" SUBSEP rows["stable", i] SUBSEP stable[k]
            split(cell[at], one, ", ")
            if (one[4] != "" && one[1] == one[2] && one[2] == one[3] && one[3] == one[4]) cell[at] = one[1]
        }
    show("stable", "At dt = 1/240, 1/120, 1/60, 1/30 s: tracking for 5 s; standing for 10 s, kp = 75000, kd = 4000", "",
        "humanoid dog snake195 stand")
}
' "$csv"
echo
echo "Measured on: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores; one is used. Each is the fastest of $rounds rounds. All rows: $csv"

# ------------------------------------------------------------------------------------------- protocols of others

# take KIND FILE: into docs/data/bench.json and the tables, unless this is only a trial.
take() {
    if $quick; then say "$1: a quick run is not put into docs/data/bench.json"; return; fi
    "$source/scripts/tables.py" take "$1" "$2" "$("$sinew" --version | sed -n 's/^sinew //p')"
}

short=()
if $quick; then short=(--quick); fi
if "$sinew" bench protocol "${short[@]}" --json >"$work/protocol.json" 2>"$work/error"; then
    take protocol "$work/protocol.json"
else
    say "the protocols are left out: $(tail -1 "$work/error")"
fi
modules=$(dirname "$build")/piles package=$(dirname "$build")/npm/package
if ! command -v node >/dev/null || [ ! -f "$package/sinew.wasm" ]; then
    say "the pile of ragdolls is left out: it needs node and the npm package (make npm)"
    exit 0
fi
if $install && [ ! -d "$modules/node_modules" ]; then
    mkdir -p "$modules"
    npm install --prefix "$modules" --no-audit --no-fund --loglevel=error @dimforge/rapier3d-compat@0.21.0 jolt-physics@1.1.0 >&2 ||
        say "npm could not install Rapier and Jolt"
fi
if $quick; then short=(--dolls 2 --seconds 0.5); fi
node "$source/bench/piles.mjs" "$package" "$modules/node_modules" "${short[@]}" >"$work/piles.json"
take piles "$work/piles.json"
