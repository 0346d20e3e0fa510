# liblbfgs, for one of the optimisers of position-based steps (studies/position_dense.c): a study, which worlds do without.
#   SINEW_LBFGS_LIBRARIES  what to link, empty without it

set(SINEW_LBFGS AUTO CACHE STRING "Use liblbfgs in studies of position-based steps: ON, OFF, or AUTO (where it is found)")
set_property(CACHE SINEW_LBFGS PROPERTY STRINGS AUTO ON OFF)
set(SINEW_LBFGS_LIBRARIES "")
if(SINEW_LBFGS AND NOT EMSCRIPTEN)
    sinew_find(LBFGS lbfgs.h lbfgs lbfgs)
    if(SINEW_LBFGS_INCLUDE_DIR AND SINEW_LBFGS_LIBRARY)
        sinew_by_name(SINEW_LBFGS_LIBRARIES ${SINEW_LBFGS_LIBRARY})
    elseif(SINEW_LBFGS STREQUAL "ON")
        message(FATAL_ERROR "SINEW_LBFGS is ON but liblbfgs was not found: install it (Debian: liblbfgs-dev) or set SINEW_LBFGS=OFF.")
    endif()
endif()

if(SINEW_LBFGS_LIBRARIES)
    set_source_files_properties(studies/position_dense.c PROPERTIES
        COMPILE_DEFINITIONS SN__HAVE_LBFGS=1 INCLUDE_DIRECTORIES ${SINEW_LBFGS_INCLUDE_DIR})
endif()
