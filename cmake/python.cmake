# Tests of the Python package. They are skipped, with one line, where python3, NumPy or pytest is missing.
if(SINEW_SHARED AND SINEW_CLI AND SINEW_IMPORT_LIBRARIES)
    foreach(kind hot pure notebook)
        add_test(NAME python_${kind} COMMAND ${PROJECT_SOURCE_DIR}/python/tests/run.sh ${kind}
            $<TARGET_FILE:sinew_shared> $<TARGET_FILE:sinew_cli> ${PROJECT_BINARY_DIR}/python)
        set_tests_properties(python_${kind} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    endforeach()
endif()
add_test(NAME python_bindings COMMAND ${PROJECT_SOURCE_DIR}/scripts/bindings.sh --check)
set_tests_properties(python_bindings PROPERTIES TIMEOUT 120)
