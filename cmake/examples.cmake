# Each examples/*.c is a program a newcomer copies: one file, the public headers alone. They are built with the tests and
# run by them, in the folder of the project; tests/install builds them again as strangers would.

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
if(NOT SINEW_IMPORT_LIBRARIES) # this one reads files
    list(FILTER example_sources EXCLUDE REGEX "/mjcf_bvh\\.c$")
endif()
if(WIN32) # its C library has no aligned_alloc, timespec_get, mkdtemp
    list(FILTER example_sources EXCLUDE REGEX "/(engine|mjcf_bvh|pile|rollback)\\.c$")
endif()
foreach(source IN LISTS example_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE sinew_static sinew_warnings m)
    add_test(NAME example_${name} COMMAND example_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(example_${name} PROPERTIES TIMEOUT 60)
endforeach()
