#!/usr/bin/env bash
# Reads the text of the kernels as OpenCL C 1.2, for syntax only: the batch step over ground and the position step. Nothing is
# built and nothing runs; it shows that a graphics device could compile the same text (src/base/shared.h). Skipped where clang
# is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "check-device: skipped, clang is not installed"; exit 0; }

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cat >"$room/stdint.h" <<'EOF'
#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
EOF
: >"$room/stdbool.h"
: >"$room/stddef.h"
# OpenCL C has these five names for itself.
cat >"$room/names.h" <<'EOF'
#define dot sn__dot
#define cross sn__cross
#define any sn__any
#define step sn__step
#define half sn__half
EOF

check() { # HEADER
    printf '#include "%s"\n#include "%s"\n' "$room/names.h" "$1" >"$room/text.cl"
    "$clang" -target spir64-unknown-unknown -x cl -cl-std=CL1.2 -fsyntax-only -Werror -Wno-psabi -Wno-unused \
        -Xclang -finclude-default-header -DLANE_BITS=32 -DLANE_WIDTH=1 -I"$room" -Isrc "$room/text.cl" ||
        { echo "check-device: $1 is not OpenCL C 1.2" >&2; exit 1; }
}
check kernels/contact/ground.h
check kernels/position/step.h
echo "check-device: the batch step and the position step are OpenCL C 1.2"
