# Toolchain: 64-bit Windows, by Debian's mingw-w64; programs run under wine. scripts/windows.sh uses it.
#   SINEW_WINDOWS_ROOT  a folder with include and lib: expat, cJSON and cmocka, built for Windows

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINEW_WINDOWS_ROOT)
set(CMAKE_FIND_ROOT_PATH ${SINEW_WINDOWS_ROOT} /usr/x86_64-w64-mingw32)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)

# One file that needs nothing but Windows: the compiler's own libraries go in.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)

find_program(SINEW_WINE NAMES wine64 wine PATHS /usr/lib/wine) # where Debian has it without the package wine
mark_as_advanced(SINEW_WINE)
if(SINEW_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${SINEW_WINE})
endif()
