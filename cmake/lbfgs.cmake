# liblbfgs is one of the optimisers of position-based steps (studies/position_dense.c): a study, which worlds do without.
sinew_optional(LBFGS "Use liblbfgs in studies of position-based steps" lbfgs.h lbfgs lbfgs liblbfgs-dev)

if(SINEW_LBFGS_LIBRARIES)
    set_source_files_properties(studies/position_dense.c PROPERTIES
        COMPILE_DEFINITIONS SN__HAVE_LBFGS=1 INCLUDE_DIRECTORIES ${SINEW_LBFGS_INCLUDE_DIR})
    set_source_files_properties(src/dynamics/lapack.c PROPERTIES COMPILE_DEFINITIONS SN__HAVE_LBFGS=1) # sn_built_with
endif()
