# Fuzz programs: each fuzz/fuzz_*.c is one libFuzzer target over the library, built with the address and
# undefined-behaviour sanitizers, the kernels with the first alone. Needs clang. scripts/fuzz.sh runs them.

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SINEW_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang.")
endif()
if(NOT SINEW_IMPORT_LIBRARIES)
    message(FATAL_ERROR "SINEW_FUZZ needs the importers: install expat and cJSON (Debian: libexpat1-dev libcjson-dev).")
endif()

set(SINEW_FUZZ_OPTIMIZE -O1 CACHE STRING "Optimisation of the fuzz programs: -O1 compiles, -O2 runs sooner")
set(fuzz_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer ${SINEW_FUZZ_OPTIMIZE} -g)

# Comparisons of numbers teach the fuzzer nothing and would take most of its time.
set(fuzz_no_compare -fno-sanitize-coverage=trace-cmp)
set(fuzz_numeric ${library_sources}) # cmake/library.cmake
list(FILTER fuzz_numeric INCLUDE REGEX "/src/(solve|collide|world|record|learn)/|/src/base/hash.c$")
set_source_files_properties(${fuzz_numeric} PROPERTIES COMPILE_OPTIONS "${fuzz_no_compare}")

set(fuzz_lane_objects "")
foreach(type IN LISTS lane_types_built) # cmake/lanes.cmake, with its flags
    split_lane_type(${type})
    choose_lane_sources()
    set(name fuzz_lanes_${lane_name})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${lane_type_sources} ${lane_study_sources})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}) # studies/kernels
    target_compile_definitions(${name} PRIVATE ${lane_definitions})
    # Kernels branch on the model only, so that coverage of them says little; all of both sanitizers on them would take
    # ten minutes to compile, and the tests have that.
    target_compile_options(${name} PRIVATE ${kernel_flags} ${isa_flags_${lane_isa}} -O1 -g1)
    if(lane_width GREATER 1) # what worlds run
        target_compile_options(${name} PRIVATE -fsanitize=address -fno-omit-frame-pointer)
    endif()
    target_link_libraries(${name} PRIVATE sinew_internal)
    list(APPEND fuzz_lane_objects $<TARGET_OBJECTS:${name}>)
endforeach()

add_library(fuzz_library STATIC EXCLUDE_FROM_ALL ${library_sources} ${schema_tables} ${device_text} ${studies_sources}
    studies/kernels/find.c ${fuzz_lane_objects})
target_compile_options(fuzz_library PRIVATE ${fuzz_sanitizers} -fsanitize=fuzzer-no-link)
# lanes_built.h, schema_tables.h, studies
target_include_directories(fuzz_library PRIVATE ${PROJECT_BINARY_DIR}/lanes ${schema_folder} ${PROJECT_SOURCE_DIR})
target_link_libraries(fuzz_library PRIVATE sinew_internal)

add_library(fuzz_scenes STATIC EXCLUDE_FROM_ALL ${scene_sources}) # cmake/scenes.cmake
target_include_directories(fuzz_scenes PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_options(fuzz_scenes PRIVATE ${fuzz_sanitizers})
target_link_libraries(fuzz_scenes PRIVATE sinew_internal)

add_custom_target(fuzz_programs)
file(GLOB fuzz_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source IN LISTS fuzz_programs)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/programs)
    target_compile_options(${name} PRIVATE ${fuzz_sanitizers} -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(${name} PRIVATE fuzz_scenes fuzz_library sinew_internal ${SINEW_PRIVATE_LIBRARIES} ${SINEW_LBFGS_LIBRARIES})
    add_dependencies(fuzz_programs ${name})
endforeach()
