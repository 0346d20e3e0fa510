/* Names of the tables, one for each lane type and instruction set: sn__lanes_64x2_v3 and so on. */
#ifndef SINEW_KERNELS_TABLES_H
#define SINEW_KERNELS_TABLES_H

#include "kernels/table.h"

#define LANE_TABLE_(bits, width, isa) sn__lanes_##bits##x##width##_##isa
#define LANE_TABLE(bits, width, isa) LANE_TABLE_(bits, width, isa)

#define POSITION_TABLE_(bits, width, isa) sn__position_##bits##x##width##_##isa
#define POSITION_TABLE(bits, width, isa) POSITION_TABLE_(bits, width, isa)

#define BLOCK_KERNEL_(bits, width, isa) sn__block_##bits##x##width##_##isa
#define BLOCK_KERNEL(bits, width, isa) BLOCK_KERNEL_(bits, width, isa)

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

/* Whether multiply-adds are fused. */
#ifdef SINEW_STRICT
#define LANE_FMA(isa) false
#else
#define LANE_FMA_v4 true
#define LANE_FMA_v3 true
#define LANE_FMA_v2 false
#define LANE_FMA_base false
#define LANE_FMA_(isa) LANE_FMA_##isa
#define LANE_FMA(isa) LANE_FMA_(isa)
#endif

/* Of struct sn__lane_info and of the public sn_lanes_info, whose members are the same; 0 is SN_PRECISION_DOUBLE. */
#define LANE_INFO(bits, width, isa)                                                                          \
    { LANE_STRING(bits, width), LANE_ISA_STRING(isa), (bits) == 64 ? 0 : 1, width, LANE_FMA(isa) }

#endif
