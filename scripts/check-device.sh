#!/usr/bin/env bash
# Reads the text of the kernels as OpenCL C 1.2, for syntax only: the program that devices run, with small tables in place
# of a world's, and the position step. Nothing is built and nothing runs. Skipped where clang is missing. Double precision
# is off where the program can do without: many devices have none.
set -euo pipefail
cd "$(dirname "$0")/.."
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "check-device: skipped, clang is not installed"; exit 0; }

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
parts="kernels/device/head.h kernels/contact/ground.h kernels/tree/rows.h kernels/device/fields.h"
program() { (cd src && awk -f ../scripts/program.awk "$@"); }
cat >"$room/tables.cl" <<'EOF'
#define SN__NBODY 1
#define SN__NQ 1
#define SN__NV 1
#define SN__WORK_BYTES 4096
#define SN__NPROBE 1
#define SN__NSIDE 1
#define SN__NSURFACE 1
__constant struct tree_body_f32 BODY[] = {{.parent = -1}};
__constant struct tree_visit VISIT[] = {{0, 0}, {0, 1}};
__constant int32_t DOF_PARENT[] = {0};
__constant struct tree_f32 TREE = {1, 1, 1, 0, BODY, VISIT, DOF_PARENT};
__constant struct sn__surface SURFACE[] = {{.offset = 0}};
__constant struct sn__terrain TERRAIN[] = {{.nx = 0}};
__constant int32_t TERRAIN_AT[] = {-1};
static void sn__device_args(struct sn__args *a) { struct sn__args x = {.refinements = 1}; *a = x; }
static void sn__device_ground(struct sn__ground *g) { struct sn__ground x = {.nprobed = 1}; *g = x; }
EOF
program $parts >"$room/kernels.cl"
program $parts kernels/device/program.h | tail -n +"$(($(wc -l <"$room/kernels.cl") + 1))" >"$room/program.cl"

look() { # DOUBLE OPTION...: reads text.cl
    local double=-
    [ "$1" = 0 ] || double=+
    shift
    "$clang" -target spir64-unknown-unknown -x cl -cl-std=CL1.2 -fsyntax-only -Werror -Wno-psabi -Wno-unused \
        -cl-single-precision-constant -Xclang -cl-ext="${double}cl_khr_fp64" -Xclang -finclude-default-header "$@" "$room/text.cl" ||
        { echo "check-device: the program of devices is not OpenCL C 1.2" >&2; exit 1; }
}
check() { # GROUND LIMITS DOUBLE
    cat "$room/kernels.cl" "$room/tables.cl" "$room/program.cl" >"$room/text.cl"
    look "$3" -DSN__HAS_GROUND="$1" -DSN__HAS_LIMITS="$2" -DSN__HAS_SPRINGS="$2" -DSN__IS_PLAIN=0 -DSN__HAS_DOUBLE="$3"
}
check 1 0 1
check 1 1 0
check 0 1 0
check 0 0 1
program kernels/device/head.h kernels/position/step.h >"$room/text.cl"
look 0
echo "check-device: the program of devices and the position step are OpenCL C 1.2"
