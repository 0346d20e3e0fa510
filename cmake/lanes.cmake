# The kernels, src/kernels/lanes.c, once for every lane type. A lane type is three parts, bits:width:isa, and
# becomes the object library lanes_f<bits>x<width>_<isa>. To add one, add it to the list here and to the tables of
# src/kernels/tables.h.
#   SINEW_LANE_NAMES    f64x1_v2 f32x1_v2 ...
#   SINEW_LANE_OBJECTS  their object files

include(CheckCCompilerFlag)

option(SINEW_ALL_LANES "Build every lane type; OFF: the narrow ones of the plainest instruction set" ON)

function(sinew_lane_types out)
    if(NOT EMSCRIPTEN AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        if(NOT SINEW_ALL_LANES)
            set(${out} 64:1:v2 32:1:v2 64:2:v2 32:4:v2 PARENT_SCOPE)
            return()
        endif()
        if(SINEW_STRICT) # bits do not depend on the instruction set: each width once
            set(${out} 64:1:v2 32:1:v2 64:2:v2 32:4:v2 64:4:v3 32:8:v3 64:8:v4 32:16:v4 PARENT_SCOPE)
            return()
        endif()
        set(${out}
            64:1:v2 32:1:v2 64:2:v2 32:4:v2 # SSE4.2
            64:2:v3 32:4:v3 64:4:v3 32:8:v3 # AVX2, FMA
            64:1:v4 32:1:v4 64:2:v4 32:4:v4 64:4:v4 32:8:v4 64:8:v4 32:16:v4 # AVX-512; narrow types for its 32 registers
            PARENT_SCOPE)
    else()
        set(${out} 64:1:base 32:1:base 64:2:base 32:4:base PARENT_SCOPE)
    endif()
endfunction()

# What each instruction set asks of the compiler.
set(isa_flags_v2 -march=x86-64-v2)
set(isa_flags_v3 -march=x86-64-v3)
set(isa_flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
set(isa_flags_base $<$<BOOL:${EMSCRIPTEN}>:-msimd128>)

# Measured; not -ffast-math, which breaks fused multiply-adds apart.
set(kernel_flags ${SINEW_KERNEL_OPTIMIZE} -fno-math-errno -fno-trapping-math -fno-tree-vectorize -Wno-psabi)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND SINEW_ALL_LANES) # slow under sanitizers
    list(APPEND kernel_flags -fschedule-insns -fsched-pressure)
elseif(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT SINEW_STRICT)
    list(APPEND kernel_flags -ffp-contract=fast) # gcc's own default
endif()

sinew_lane_types(lane_types)
if(lane_types MATCHES ":v2" AND NOT SINEW_ALL_LANES)
    target_compile_definitions(sinew_internal INTERFACE SN__HAVE_X86_LANES=1 SN__FEW_LANES=1)
elseif(lane_types MATCHES ":v4")
    check_c_compiler_flag(-march=x86-64-v4 SINEW_COMPILER_KNOWS_X86_64_V4)
    if(NOT SINEW_COMPILER_KNOWS_X86_64_V4)
        message(FATAL_ERROR "The compiler does not know -march=x86-64-v4: gcc 11 or clang 12 at least is needed.")
    endif()
    target_compile_definitions(sinew_internal INTERFACE SN__HAVE_X86_LANES=1)
endif()

set(SINEW_LANE_NAMES "")
set(SINEW_LANE_OBJECTS "")
foreach(type IN LISTS lane_types)
    string(REPLACE ":" ";" type ${type})
    list(GET type 0 bits)
    list(GET type 1 width)
    list(GET type 2 isa)
    set(name f${bits}x${width}_${isa})
    add_library(lanes_${name} OBJECT src/kernels/lanes.c)
    set_target_properties(lanes_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(lanes_${name} PRIVATE LANE_BITS=${bits} LANE_WIDTH=${width} LANE_ISA=${isa})
    target_link_libraries(lanes_${name} PRIVATE sinew_internal)
    target_compile_options(lanes_${name} PRIVATE ${kernel_flags} ${isa_flags_${isa}})
    if(name STREQUAL "f32x1_v2" AND NOT SINEW_ALL_LANES) # a minute of compiling under sanitizers; f64x1 is the same text
        target_compile_options(lanes_${name} PRIVATE -fno-sanitize=all)
    endif()
    list(APPEND SINEW_LANE_NAMES ${name})
    list(APPEND SINEW_LANE_OBJECTS $<TARGET_OBJECTS:lanes_${name}>)
endforeach()
list(JOIN SINEW_LANE_NAMES " " SINEW_LANE_NAMES)
