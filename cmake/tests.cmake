# Tests. Each tests/test_*.c is one cmocka program and one ctest test of the same name; the other tests/*.c are
# helpers linked into all of them. Two name parts have a meaning:
#   test_*_slow.c   labelled slow: left out under sanitizers
#   test_*speed*.c  labelled speed: measures time, so it runs alone and not under sanitizers
# Those that need nothing but the C standard and the library are labelled portable: they also compile for Windows.
# All but those named in no_lanes are labelled lanes: they run again with the instruction set capped (make test-isa).

sinew_find(CMOCKA cmocka.h cmocka cmocka)
if(NOT SINEW_CMOCKA_INCLUDE_DIR OR NOT SINEW_CMOCKA_LIBRARY)
    if(SINEW_TESTS STREQUAL "AUTO")
        message(STATUS "cmocka was not found (Debian: libcmocka-dev): no tests are built")
        set(SINEW_TESTS OFF)
        return()
    endif()
    message(FATAL_ERROR "The tests need cmocka: install it (Debian: libcmocka-dev) or set SINEW_TESTS=OFF.")
endif()
set(SINEW_TESTS ON)
enable_testing()

file(GLOB test_helpers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.c)
file(GLOB test_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.c)
list(REMOVE_ITEM test_helpers ${test_programs} ${PROJECT_SOURCE_DIR}/tests/header_c11.c)

if(NOT SINEW_IMPORT_LIBRARIES) # these read files
    list(FILTER test_programs EXCLUDE REGEX "/test_(all_data|asf_amc|bvh|cli_files|cli_names|cli_outputs|clip|deepmimic|keyframes|load|orient|mjcf.*|model_json|poses|record_out|retarget.*|urdf)\\.c$")
endif()

add_library(test_flags INTERFACE)
target_include_directories(test_flags INTERFACE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR})
target_include_directories(test_flags SYSTEM INTERFACE ${SINEW_CMOCKA_INCLUDE_DIR})
target_link_libraries(test_flags INTERFACE sinew_internal)

set(test_helper_objects "")
if(test_helpers)
    add_library(test_helpers OBJECT ${test_helpers})
    target_include_directories(test_helpers PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(test_helpers PRIVATE test_flags)
    set(test_helper_objects $<TARGET_OBJECTS:test_helpers>)
endif()

# Lane types for the tests alone (cmake/lanes.cmake). Their programs have a select.c of their own, which knows of them, ahead of
# the library's: a test asks for them by name, as def.lanes = "f32x16", and nothing else ever takes them.
set(test_lane_objects "")
if(test_lane_types)
    set(test_lane_list "")
    foreach(type IN LISTS test_lane_types)
        add_lanes_of_dynamics(${type})
        add_lane_library(studies_${lane_name} ${lane_isa} ${lane_study_sources})
        target_compile_options(studies_${lane_name} PRIVATE ${test_lane_flags})
        list(APPEND test_lane_objects $<TARGET_OBJECTS:studies_${lane_name}>)
        target_compile_options(lanes_${lane_name} PRIVATE ${test_lane_flags})
        list(APPEND test_lane_objects $<TARGET_OBJECTS:lanes_${lane_name}>)
        string(APPEND test_lane_list ${lane_entry})
    endforeach()
    file(CONFIGURE OUTPUT test_lanes/lanes_built.h
        CONTENT "#define LANE_TABLES(X)@lane_list@@study_lane_list@\n#define TEST_TABLES(X)@test_lane_list@\n" @ONLY)
    add_library(test_select OBJECT src/kernels/select.c studies/kernels/find.c)
    target_include_directories(test_select PRIVATE ${PROJECT_BINARY_DIR}/test_lanes ${PROJECT_SOURCE_DIR})
    target_link_libraries(test_select PRIVATE sinew_internal)
    list(APPEND test_lane_objects $<TARGET_OBJECTS:test_select>)
else()
    set(test_lane_objects ${study_select}) # cmake/studies.cmake
endif()

set(test_environment "")
if(SINEW_CLI)
    set(test_environment "SINEW_COMMAND=$<TARGET_FILE:sinew_cli>")
else()
    list(FILTER test_programs EXCLUDE REGEX "/test_(cli[a-z_]*|record)\\.c$")
endif()

# These are about files, the command and what has no vector lanes: the instruction set is all the same to them.
set(no_lanes all_data asf_amc base builder.* bvh cli.* clip collide deepmimic elementary learn_cma learn_files learn_random learn_search learn_environment load
    orient mjcf.* model model_compiled model_json pool poses retarget.* urdf)
list(JOIN no_lanes "|" no_lanes)

# Programs that need more of the system than the C standard has, or a sine right to the last place, which Windows lacks. The
# others are labelled portable, and are the only ones on Windows.
set(unportable "room\\.h|cli_helpers\\.h|rank_helpers\\.h|learn_task_helpers\\.h|unistd\\.h|dirent\\.h|pthread\\.h|fcntl\\.h|sys/[a-z]+\\.h|setenv\\(|mkstemp|/dev/|/proc/|agree_with_libm")
foreach(source IN LISTS test_programs)
    get_filename_component(name ${source} NAME_WE)
    file(STRINGS ${source} beyond_standard REGEX "${unportable}")
    if(WIN32 AND beyond_standard)
        continue()
    endif()
    add_executable(${name} ${source} ${test_helper_objects} ${test_lane_objects})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE test_flags sinew_scenes sinew_studies sinew_static ${SINEW_CMOCKA_LIBRARY} m)
    if(name MATCHES "^test_(cli|record)") # reads JSON that the command or the library wrote
        target_include_directories(${name} SYSTEM PRIVATE ${SINEW_CJSON_INCLUDE_DIR})
        target_link_libraries(${name} PRIVATE ${SINEW_CJSON_LIBRARY})
    endif()
    if(name MATCHES "^test_cli")
        add_dependencies(${name} sinew_cli)
    endif()
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT "${test_environment}")
    if(name MATCHES "_slow$")
        set_property(TEST ${name} APPEND PROPERTY LABELS slow)
    elseif(name MATCHES "speed")
        set_property(TEST ${name} APPEND PROPERTY LABELS speed)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    if(NOT beyond_standard)
        set_property(TEST ${name} APPEND PROPERTY LABELS portable)
    endif()
    if(NOT name MATCHES "^test_(${no_lanes})$")
        set_property(TEST ${name} APPEND PROPERTY LABELS lanes)
    endif()
endforeach()

# Drivers of devices keep what they have compiled in the build directory.
if(TARGET test_device_determinism)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/device/cache)
    set_tests_properties(test_device_determinism PROPERTIES TIMEOUT 1200)
    set_property(TEST test_device_determinism APPEND PROPERTY ENVIRONMENT
        "POCL_CACHE_DIR=${PROJECT_BINARY_DIR}/device/pocl" "XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/device/cache")
endif()

# MuJoCo, where it is there, is what the MJCF reader is compared with.
find_path(SINEW_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(SINEW_MUJOCO_LIBRARY mujoco)
mark_as_advanced(SINEW_MUJOCO_INCLUDE_DIR SINEW_MUJOCO_LIBRARY)
foreach(oracle test_mjcf_oracle test_mjcf_exports test_mjcf_scene_oracle test_mjcf_ground)
    if(TARGET ${oracle} AND SINEW_MUJOCO_INCLUDE_DIR AND SINEW_MUJOCO_LIBRARY)
        target_compile_definitions(${oracle} PRIVATE SN__HAVE_MUJOCO=1)
        target_include_directories(${oracle} SYSTEM PRIVATE ${SINEW_MUJOCO_INCLUDE_DIR})
        target_link_libraries(${oracle} PRIVATE ${SINEW_MUJOCO_LIBRARY})
    endif()
endforeach()

if(TARGET test_mjcf_ground AND SINEW_PNG_LIBRARIES)
    target_compile_definitions(test_mjcf_ground PRIVATE SN__HAVE_PNG=1)
endif()

# The public header on its own, in both languages.
set(header_flags -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I${PROJECT_SOURCE_DIR}/include)
add_test(NAME header_c11
    COMMAND ${CMAKE_C_COMPILER} -std=c11 ${header_flags} ${PROJECT_SOURCE_DIR}/tests/header_c11.c)
set_tests_properties(header_c11 PROPERTIES TIMEOUT 60)
find_program(SINEW_CXX_COMPILER NAMES $ENV{CXX} c++ g++ clang++)
mark_as_advanced(SINEW_CXX_COMPILER)
if(SINEW_CXX_COMPILER)
    add_test(NAME header_cxx17
        COMMAND ${SINEW_CXX_COMPILER} -std=c++17 ${header_flags} ${PROJECT_SOURCE_DIR}/tests/header_cxx17.cpp)
    set_tests_properties(header_cxx17 PROPERTIES TIMEOUT 60)
else()
    message(STATUS "No C++ compiler was found: the header is not checked as C++17")
endif()

# An option that is added to the header, in everything that is made from it.
if(SINEW_CLI AND SINEW_IMPORT_LIBRARIES)
    add_test(NAME schema_option COMMAND ${PROJECT_SOURCE_DIR}/tests/schema/run.sh
        ${CMAKE_C_COMPILER} ${PROJECT_BINARY_DIR} "${CMAKE_C_FLAGS}")
    set_tests_properties(schema_option PROPERTIES TIMEOUT 120)
endif()

# A program that was compiled against an older header. It sees no other one.
add_executable(old_program ${PROJECT_SOURCE_DIR}/tests/old/program.c)
target_link_libraries(old_program PRIVATE sinew_static m)
add_test(NAME old_program COMMAND old_program)
set_tests_properties(old_program PROPERTIES TIMEOUT 60)

# An installed copy, used as a stranger would.
if(SINEW_SHARED)
    add_test(NAME install COMMAND ${PROJECT_SOURCE_DIR}/tests/install/run.sh
        ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
    set_tests_properties(install PROPERTIES TIMEOUT 600)
endif()

include(cmake/python.cmake)
