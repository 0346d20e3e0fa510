#!/usr/bin/env bash
# How many bytes one step of a block of copies writes, each counted once: what has to fit into the first cache.
#
#     scripts/bytes-written.sh [track|stand] [FOLDER]     FOLDER: of the build, default build/release
#
# A block of eight humanoids in float (f32x8, AVX2) is traced by valgrind's lackey, from a store to a marker to the next one.
# Blocks of sixteen have the same values, twice as wide.
set -euo pipefail
cd "$(dirname "$0")/.."
scene=${1:-track} folder=${2:-build/release}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

cat >"$room/step.c" <<'EOF'
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

volatile int mark;

int main(int argc, char **argv) {
    const int ground = argc > 1 && strcmp(argv[1], "stand") == 0;
    sn_world_def def = sn_world_def_default();
    def.copies = 8, def.setting = SN_SETTING_CROWD, def.precision = SN_PRECISION_FLOAT, def.lanes = "f32x8";
    def.dt = 1.0 / 240, def.torque_limits = false, def.report_contacts = false, def.joint_limits = ground;
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    sn_world *world = sn_world_create(&def, &error);
    if (!model || !world) return fprintf(stderr, "%s\n", error.message), 1;
    if (ground) sn_world_add_floor(world);
    const sn_member human = sn_world_add(world, model, &error);
    if (sn_world_hold(world, human, 1000, 100)) return 1;
    for (int i = 0; i < 12; i++)
        if (sn_world_step(world)) return 1;
    fprintf(stderr, "mark %lx\n", (unsigned long)&mark);
    mark = 1;
    sn_world_step(world);
    mark = 2;
    sn_world_free(world);
    sn_model_free(model);
    return 0;
}
EOF
libraries=$(PKG_CONFIG_PATH=$folder pkg-config --static --libs-only-l sinew 2>/dev/null || echo "-lsinew -llapack -lblas -lexpat -lcjson -lm -lpthread")
# shellcheck disable=SC2086
${CC:-cc} -O1 -no-pie -Iinclude "$room/step.c" -o "$room/step" "$folder/libsinew.a" ${libraries//-lsinew/} -lpthread -lm
mark=$("$room/step" "$scene" 2>&1 | sed -n 's/^mark //p')
valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$room/step" "$scene" 9>&1 >/dev/null 2>/dev/null |
    awk -v mark="$mark" -v scene="$scene" '
        function value(hex,    i, n) { n = 0; hex = tolower(hex)
            for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return n }
        $1 != "S" && $1 != "M" { next }
        { split($2, part, ","); sub(/^0+/, "", part[1]) }
        part[1] == mark { on++; next }
        on == 1 { at = value(part[1]); for (k = 0; k < part[2]; k += 4) word[int(at / 4) + int(k / 4)] = 1; stores++ }
        END { for (k in word) n += 4
              printf "%s: %d stores; %.1f KB written in lanes of eight, about %.1f KB in lanes of sixteen\n", scene, stores, n / 1024, n / 512 }'
