# liblbfgs is one of the optimisers of position-based steps (src/dynamics/position_dense.c): a study, which worlds do without.
sinew_optional(LBFGS "Use liblbfgs in studies of position-based steps" lbfgs.h lbfgs lbfgs liblbfgs-dev)

if(SINEW_LBFGS_LIBRARIES)
    target_compile_definitions(sinew_internal INTERFACE SN__HAVE_LBFGS=1)
    target_include_directories(sinew_internal SYSTEM INTERFACE ${SINEW_LBFGS_INCLUDE_DIR})
endif()
