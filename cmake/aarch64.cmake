# Toolchain: Linux on 64-bit ARM, by Debian's cross compiler; programs run under qemu's user mode. scripts/test-arm.sh
# uses it.
#   SINEW_ARM_ROOT  a folder with usr/include and usr/lib/aarch64-linux-gnu: libraries beyond the compiler's own

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINEW_ARM_ROOT)
set(CMAKE_FIND_ROOT_PATH ${SINEW_ARM_ROOT} /usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)

# C library and loader come from the cross compiler's packages.
find_program(SINEW_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
mark_as_advanced(SINEW_QEMU_AARCH64)
if(SINEW_QEMU_AARCH64)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${SINEW_QEMU_AARCH64} -L /usr/aarch64-linux-gnu)
endif()
