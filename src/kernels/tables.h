/* Names of the tables, one a lane type and instruction set: sn__lanes_64x2_v3 and so on. */
#ifndef SINEW_KERNELS_TABLES_H
#define SINEW_KERNELS_TABLES_H

#include "kernels/table.h"

#define LANE_TABLE_(bits, width, isa) sn__lanes_##bits##x##width##_##isa
#define LANE_TABLE(bits, width, isa) LANE_TABLE_(bits, width, isa)

#define LANE_STRING_1 ""
#define LANE_STRING_2 "x2"
#define LANE_STRING_4 "x4"
#define LANE_STRING_8 "x8"
#define LANE_STRING_16 "x16"
#define LANE_STRING_(bits, width) "f" #bits LANE_STRING_##width
#define LANE_STRING(bits, width) LANE_STRING_(bits, width)

#define LANE_ISA_STRING_v4 "x86-64-v4"
#define LANE_ISA_STRING_v3 "x86-64-v3"
#define LANE_ISA_STRING_v2 "x86-64-v2"
#define LANE_ISA_STRING_base "base"
#define LANE_ISA_STRING_(isa) LANE_ISA_STRING_##isa
#define LANE_ISA_STRING(isa) LANE_ISA_STRING_(isa)

#define LANE_ISA_LEVEL_v4 4
#define LANE_ISA_LEVEL_v3 3
#define LANE_ISA_LEVEL_v2 2
#define LANE_ISA_LEVEL_base 2

#ifndef SN__SCALAR_LANES_ONLY
#define SN__SCALAR_LANES_ONLY 0 /* 1: no vectors at all, as in a browser without SIMD */
#endif

/* Widest first within an instruction set; those of a better set come first. Narrow types are built for the
   better sets, too: twice the registers of AVX-512 are worth 5 to 15 %, and the bits are the same. */
#define LANE_TABLES_SCALAR(X, isa) X(32, 1, isa) X(64, 1, isa)
#define LANE_TABLES_NARROW(X, isa) X(32, 4, isa) X(64, 2, isa)
#define LANE_TABLES_V3(X, isa) X(32, 8, isa) X(64, 4, isa)
#define LANE_TABLES_V4(X, isa) X(32, 16, isa) X(64, 8, isa)
#define LANE_TABLES_PLAIN(X, isa) LANE_TABLES_NARROW(X, isa) LANE_TABLES_SCALAR(X, isa)
#if SN__HAVE_X86_LANES && SN__FEW_LANES
#define LANE_TABLES(X) LANE_TABLES_PLAIN(X, v2)
#elif SN__HAVE_X86_LANES && SINEW_STRICT /* bits do not depend on the instruction set: each width once */
#define LANE_TABLES(X) LANE_TABLES_V4(X, v4) LANE_TABLES_V3(X, v3) LANE_TABLES_PLAIN(X, v2)
#elif SN__HAVE_X86_LANES
#define LANE_TABLES(X)                                                                                       \
    LANE_TABLES_V4(X, v4)                                                                                    \
    LANE_TABLES_V3(X, v4)                                                                                    \
    LANE_TABLES_PLAIN(X, v4) LANE_TABLES_V3(X, v3) LANE_TABLES_NARROW(X, v3) LANE_TABLES_PLAIN(X, v2)
#elif SN__NARROW_LANES_ONLY /* a browser with SIMD */
#define LANE_TABLES(X) LANE_TABLES_NARROW(X, base)
#elif SN__SCALAR_LANES_ONLY /* and without */
#define LANE_TABLES(X) LANE_TABLES_SCALAR(X, base)
#else
#define LANE_TABLES(X) LANE_TABLES_PLAIN(X, base)
#endif

#define LANE_DECLARE(bits, width, isa) extern const struct sn__kernels LANE_TABLE(bits, width, isa);
LANE_TABLES(LANE_DECLARE)
#undef LANE_DECLARE

#endif
