# libpng, for height fields of MJCF that are pictures (src/import/picture.c). Without it they are flat, and this is reported.
#   SINEW_PNG_LIBRARIES  what to link, empty without it

set(SINEW_PNG AUTO CACHE STRING "Read height fields from PNG pictures by libpng: ON, OFF, or AUTO (where it is found)")
set_property(CACHE SINEW_PNG PROPERTY STRINGS AUTO ON OFF)
set(SINEW_PNG_LIBRARIES "")
if(SINEW_PNG AND SINEW_IMPORT_LIBRARIES AND NOT EMSCRIPTEN)
    sinew_find(PNG png.h png libpng)
    if(SINEW_PNG_INCLUDE_DIR AND SINEW_PNG_LIBRARY)
        sinew_by_name(SINEW_PNG_LIBRARIES ${SINEW_PNG_LIBRARY})
    elseif(SINEW_PNG STREQUAL "ON")
        message(FATAL_ERROR "SINEW_PNG is ON but libpng was not found: install it (Debian: libpng-dev) or set SINEW_PNG=OFF.")
    endif()
endif()

if(SINEW_PNG_LIBRARIES) # one file knows of it
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/import/picture.c PROPERTIES
        COMPILE_DEFINITIONS SN__HAVE_PNG=1 INCLUDE_DIRECTORIES ${SINEW_PNG_INCLUDE_DIR})
endif()
