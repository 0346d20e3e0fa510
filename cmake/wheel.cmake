# The library that a wheel of the Python package carries: libsinew and the command in one file, so that nothing is in it twice.
# The command's main is the function sinew_command there. The studies' select.c, which knows all kernels,
# replaces the library's. Only what asks for it builds it: a wheel, and the trial of one in `make test-release`.
set(library_objects $<FILTER:$<TARGET_OBJECTS:sinew_objects>,EXCLUDE,/kernels/select\\.c\\.o$>)
add_library(sinew_wheel SHARED EXCLUDE_FROM_ALL ${cli_sources} ${study_select} ${library_objects} ${SINEW_LANE_OBJECTS})
set_target_properties(sinew_wheel PROPERTIES OUTPUT_NAME sinew LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wheel)
target_include_directories(sinew_wheel PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cli)
target_include_directories(sinew_wheel SYSTEM PRIVATE ${SINEW_CJSON_INCLUDE_DIR})
target_compile_definitions(sinew_wheel PRIVATE SINEW_MPI_FOLDER="." main=sinew_command)
target_compile_options(sinew_wheel PRIVATE -O1)
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/main.c PROPERTIES COMPILE_OPTIONS -fvisibility=default)
target_link_libraries(sinew_wheel PRIVATE sinew_scenes sinew_studies ${SINEW_PRIVATE_LIBRARIES} ${SINEW_CJSON_LIBRARY} m ${CMAKE_DL_LIBS})
