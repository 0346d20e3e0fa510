# zlib, for arrays of numpy that are packed (src/import/zip.c): AMASS. Without it only archives that are stored are read.
#   SINEW_ZLIB_LIBRARIES  what to link, empty without it

set(SINEW_ZLIB AUTO CACHE STRING "Read packed archives of numpy by zlib: ON, OFF, or AUTO (where it is found)")
set_property(CACHE SINEW_ZLIB PROPERTY STRINGS AUTO ON OFF)
set(SINEW_ZLIB_LIBRARIES "")
if(SINEW_ZLIB AND SINEW_IMPORT_LIBRARIES AND NOT EMSCRIPTEN)
    sinew_find(ZLIB zlib.h z zlib)
    if(SINEW_ZLIB_INCLUDE_DIR AND SINEW_ZLIB_LIBRARY)
        sinew_by_name(SINEW_ZLIB_LIBRARIES ${SINEW_ZLIB_LIBRARY})
    elseif(SINEW_ZLIB STREQUAL "ON")
        message(FATAL_ERROR "SINEW_ZLIB is ON but zlib was not found: install it (Debian: zlib1g-dev) or set SINEW_ZLIB=OFF.")
    endif()
endif()

if(SINEW_ZLIB_LIBRARIES) # one file knows of it
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/import/zip.c PROPERTIES
        COMPILE_DEFINITIONS SN__HAVE_ZLIB=1 INCLUDE_DIRECTORIES ${SINEW_ZLIB_INCLUDE_DIR})
endif()
