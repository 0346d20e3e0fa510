# The kernels, src/kernels/*_lanes.c, and the matrix product of src/learn, once for every lane type. A lane type is three
# parts, bits:width:isa, and becomes the object library lanes_f<bits>x<width>_<isa>. To add one, add it to the list here.
#   SINEW_LANE_NAMES    f32x16_v4 f64x8_v4 ...
#   SINEW_LANE_OBJECTS  their object files
#   lanes_built.h       in the build directory: LANE_TABLES(X), for src/kernels/select.c
# Scalar types are the baseline of papers and the reference of tests. No world chooses them where there are vectors, so they
# are part of the library of studies (cmake/studies.cmake), as are the kernels of studies, studies/kernels/*_lanes.c, of every
# type: study_lane_objects, study_lane_list.

include(CheckCCompilerFlag)

set(lane_sources src/kernels/lanes.c src/kernels/position_lanes.c src/learn/gemm_lanes.c)
set(all_lane_sources ${lane_sources} src/kernels/no_position_lanes.c)
if(NOT SINEW_POSITION)
    set(lane_sources src/kernels/lanes.c src/kernels/no_position_lanes.c src/learn/gemm_lanes.c)
endif()

option(SINEW_ALL_LANES "Build every lane type; OFF: the narrow ones of the plainest instruction set" ON)
set(SINEW_LANES_BUILT "" CACHE STRING
    "The lane types to build, by name or instruction set, as \"f64x2_v3;f32x8_v3\" or \"v2;v3\"; native: one of each precision for this machine; empty: as SINEW_ALL_LANES says")
include(cmake/native.cmake)
sinew_native_lanes(lanes_built "${SINEW_LANES_BUILT}")

# Widest first within an instruction set; those of a better set come first. The narrowest are built for AVX-512, too: twice the
# registers are worth 5 to 15 % to a single character, and the bits are the same. Nothing chooses 256 bits where there are 512,
# so that those who ask for them by name get those of AVX2.
if(NOT EMSCRIPTEN AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(lane_types
        32:16:v4 64:8:v4 32:4:v4 64:2:v4 # AVX-512
        32:8:v3 64:4:v3 32:4:v3 64:2:v3  # AVX2, FMA
        32:4:v2 64:2:v2)                 # SSE4.2
    set(study_types 64:1:v4 32:1:v2 64:1:v2)
    if(SINEW_STRICT AND NOT lanes_built) # bits do not depend on the instruction set: each width once
        set(lane_types 32:16:v4 64:8:v4 32:8:v3 64:4:v3 32:4:v2 64:2:v2)
        set(study_types 32:1:v2 64:1:v2)
    endif()
    set(widest_types 32:16:v2 64:8:v2)
    if(NOT SINEW_ALL_LANES AND NOT lanes_built)
        list(FILTER lane_types INCLUDE REGEX ":v2$")
        list(FILTER study_types INCLUDE REGEX ":v2$")
        set(widest_types "") # minutes of compiling under sanitizers
    endif()
else()
    set(widest_types "")
    set(lane_types 32:4:base 64:2:base)
    set(study_types 32:1:base 64:1:base)
endif()

if(NOT SINEW_STUDIES)
    set(study_types "")
endif()

# What each instruction set asks of the compiler.
set(isa_flags_v2 -march=x86-64-v2)
set(isa_flags_v3 -march=x86-64-v3)
set(isa_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU") # Windows aligns stacks to 16 bytes, and most gcc spill as if it were 32
    list(APPEND isa_flags_v3 -Wa,-muse-unaligned-vector-move)
    list(APPEND isa_flags_v4 -Wa,-muse-unaligned-vector-move)
endif()
set(isa_flags_base $<$<BOOL:${EMSCRIPTEN}>:-msimd128>)

# Measured; not -ffast-math, which breaks fused multiply-adds apart. The passes that are left out take about a seventh of the
# compiler's time; kernels are 0.5 % slower without them. Without -ftree-pre as well f32x4 is 2.4 % slower.
set(kernel_flags ${SINEW_KERNEL_OPTIMIZE} -fno-math-errno -fno-trapping-math -fno-tree-vectorize -Wno-psabi)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND SINEW_ALL_LANES) # slow under sanitizers
    list(APPEND kernel_flags -fschedule-insns -fsched-pressure -fno-gcse -fno-gcse-after-reload
        -fno-predictive-commoning -fno-ivopts -fno-tree-loop-distribution)
elseif(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT SINEW_STRICT)
    list(APPEND kernel_flags -ffp-contract=fast) # gcc's own default
endif()

# Takes bits:width:isa apart: lane_bits, lane_width, lane_isa, lane_name, lane_entry (its part of LANE_TABLES),
# and lane_wanted, which is OFF if SINEW_LANES_BUILT leaves it out.
macro(split_lane_type type)
    string(REPLACE ":" ";" lane_parts ${type})
    list(GET lane_parts 0 lane_bits)
    list(GET lane_parts 1 lane_width)
    list(GET lane_parts 2 lane_isa)
    set(lane_name f${lane_bits}x${lane_width}_${lane_isa})
    set(lane_entry " X(${lane_bits}, ${lane_width}, ${lane_isa})")
    set(lane_wanted ON)
    if(lanes_built AND NOT lane_name IN_LIST lanes_built AND NOT lane_isa IN_LIST lanes_built)
        set(lane_wanted OFF)
    endif()
endmacro()

# What is compiled for the type that split_lane_type took apart last: lane_type_sources, lane_study_sources, and
# lane_definitions.
# Sweeps over several poses are narrow: types of more than 128 bits have no block_lanes.c, unless their precision has no
# narrower one. Full coordinates are for one character: scalar types have them.
macro(choose_lane_sources)
    set(lane_type_sources ${lane_sources})
    set(lane_study_sources studies/kernels/study_lanes.c)
    if(lane_width EQUAL 1)
        list(APPEND lane_study_sources studies/kernels/full_lanes.c)
    endif()
    set(lane_definitions LANE_BITS=${lane_bits} LANE_WIDTH=${lane_width} LANE_ISA=${lane_isa})
    math(EXPR lane_register "${lane_bits} * ${lane_width}")
    if(lane_register LESS_EQUAL 128 OR NOT lanes_${lane_bits}_narrow)
        list(APPEND lane_study_sources studies/kernels/block_lanes.c)
        list(APPEND lane_definitions HAS_BLOCK=1)
    endif()
endmacro()

# Code whose inlining is the compiler's business (studies/kernels/block_lanes.c): without fusing it has the same bits anyway.
string(REPLACE "-O3" "-O2" block_optimize "${SINEW_KERNEL_OPTIMIZE}")
set_source_files_properties(studies/kernels/block_lanes.c PROPERTIES COMPILE_OPTIONS "${block_optimize};-ffp-contract=off")

# An object library of a lane type: name isa source...
function(add_lane_library name isa)
    add_library(${name} OBJECT ${ARGN})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${name} PRIVATE ${lane_definitions})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}) # studies/kernels
    target_link_libraries(${name} PRIVATE sinew_internal)
    target_compile_options(${name} PRIVATE ${kernel_flags} ${isa_flags_${isa}})
endfunction()

# The kernels of studies of the type.
macro(add_study_lanes)
    if(SINEW_STUDIES)
        add_lane_library(studies_${lane_name} ${lane_isa} ${lane_study_sources})
        list(APPEND study_lane_objects $<TARGET_OBJECTS:studies_${lane_name}>)
    endif()
endmacro()

# A lane type that nobody learns with: it needs no products of matrices.
macro(add_lanes_of_dynamics type)
    split_lane_type(${type})
    choose_lane_sources()
    list(REMOVE_ITEM lane_type_sources src/learn/gemm_lanes.c)
    add_lane_library(lanes_${lane_name} ${lane_isa} ${lane_type_sources})
endmacro()

set(SINEW_LANE_NAMES "")
set(SINEW_LANE_OBJECTS "")
set(study_lane_objects "")
set(lane_list "")
set(lane_wishes ${lanes_built})
set(lane_types_built "")
set(study_types_built "")
foreach(type IN LISTS lane_types study_types)
    split_lane_type(${type})
    if(lane_wanted AND type IN_LIST lane_types)
        list(APPEND lane_types_built ${type})
    elseif(lane_wanted)
        list(APPEND study_types_built ${type})
    endif()
    if(lane_wanted)
        list(REMOVE_ITEM lane_wishes ${lane_name} ${lane_isa})
    endif()
endforeach()
# Whether a precision has vectors of 128 bits.
string(REGEX MATCH "64:2:" lanes_64_narrow "${lane_types_built}")
string(REGEX MATCH "32:4:" lanes_32_narrow "${lane_types_built}")
foreach(type IN LISTS lane_types_built)
    split_lane_type(${type})
    choose_lane_sources()
    add_lane_library(lanes_${lane_name} ${lane_isa} ${lane_type_sources})
    list(APPEND SINEW_LANE_NAMES ${lane_name})
    list(APPEND SINEW_LANE_OBJECTS $<TARGET_OBJECTS:lanes_${lane_name}>)
    string(APPEND lane_list ${lane_entry})
    add_study_lanes()
endforeach()

set(study_lane_list "")
foreach(type IN LISTS study_types_built)
    add_lanes_of_dynamics(${type})
    if(lane_name STREQUAL "f32x1_v2" AND NOT SINEW_ALL_LANES) # a minute of compiling under sanitizers; f64x1 is the same text
        target_compile_options(lanes_${lane_name} PRIVATE -fno-sanitize=all)
    endif()
    list(APPEND study_lane_objects $<TARGET_OBJECTS:lanes_${lane_name}>)
    string(APPEND study_lane_list ${lane_entry})
    add_study_lanes()
endforeach()

# For the tests alone (cmake/tests.cmake): as many lanes abreast as AVX-512 has, for machines without it. The compiler splits
# such vectors, which is slow but correct, and does not fuse multiply-adds as in whole vectors. The tests therefore use
# SSE4.2, whose bits are the same at any optimisation.
set(test_lane_types "")
set(test_lane_flags -O1 -fno-schedule-insns)
foreach(type IN LISTS widest_types)
    split_lane_type(${type})
    list(REMOVE_ITEM lane_wishes ${lane_name})
    if(lane_wanted)
        list(APPEND test_lane_types ${type})
    endif()
endforeach()

if(lane_wishes)
    message(FATAL_ERROR "SINEW_LANES_BUILT: there is no lane type or instruction set '${lane_wishes}'.")
endif()
if(NOT lane_list MATCHES "X\\((64, [124]|32, [148]),")
    message(FATAL_ERROR "SINEW_LANES_BUILT: worlds need a type of at most 256 bits, as f64x2_v3 or f32x4_v3.")
endif()
if((SINEW_CLI OR SINEW_STUDIES) AND NOT (lane_list MATCHES "X\\(64, [124]," AND lane_list MATCHES "X\\(32, [148],"))
    message(FATAL_ERROR "SINEW_LANES_BUILT: the command and the studies need a type of each precision of at most 256 bits, "
        "as f64x2_v3 and f32x4_v3. A library for one precision is built with SINEW_STUDIES=OFF.")
endif()
if(lane_list MATCHES "v4")
    check_c_compiler_flag(-march=x86-64-v4 SINEW_COMPILER_KNOWS_X86_64_V4)
    if(NOT SINEW_COMPILER_KNOWS_X86_64_V4)
        message(FATAL_ERROR "The compiler does not know -march=x86-64-v4: gcc 11 or clang 12 at least is needed.")
    endif()
endif()
file(CONFIGURE OUTPUT lanes/lanes_built.h CONTENT "#define LANE_TABLES(X)@lane_list@\n" @ONLY) # written only when it changes
list(JOIN SINEW_LANE_NAMES " " SINEW_LANE_NAMES)
