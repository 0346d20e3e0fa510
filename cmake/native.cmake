# SINEW_LANES_BUILT=native: one lane type of each precision for this machine, which is what a first run needs:
# f64x2, and the widest float that serves crowds as well as constraint rows.

# The instruction set of this machine: v2, v3 or v4 on x86-64, as src/kernels/select.c has it; base elsewhere.
function(sinew_machine_isa result)
    set(${result} base PARENT_SCOPE)
    if(NOT EMSCRIPTEN AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        if(NOT CMAKE_CROSSCOMPILING AND NOT DEFINED SINEW_MACHINE_LEVEL)
            try_run(SINEW_MACHINE_LEVEL compiled ${PROJECT_BINARY_DIR}/native ${PROJECT_SOURCE_DIR}/cmake/machine_level.c)
        endif()
        if(NOT SINEW_MACHINE_LEVEL MATCHES "^[34]$")
            set(SINEW_MACHINE_LEVEL 2)
        endif()
        set(${result} v${SINEW_MACHINE_LEVEL} PARENT_SCOPE)
    endif()
endfunction()

# The list `wish` with the word native replaced.
function(sinew_native_lanes result wish)
    if("native" IN_LIST wish)
        sinew_machine_isa(isa)
        set(float f32x4_${isa})
        if(isa MATCHES "v[34]")
            set(float f32x8_v3)
        endif()
        list(REMOVE_ITEM wish native)
        list(APPEND wish f64x2_${isa} ${float})
        list(REMOVE_DUPLICATES wish)
    endif()
    set(${result} "${wish}" PARENT_SCOPE)
endfunction()
