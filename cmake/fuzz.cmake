# Fuzz programs: each fuzz/fuzz_*.c is one libFuzzer target over the parts of the library that files reach, all built
# with the address and undefined-behaviour sanitizers. Needs clang. scripts/fuzz.sh runs them.

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SINEW_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang.")
endif()
if(NOT SINEW_IMPORT_LIBRARIES)
    message(FATAL_ERROR "SINEW_FUZZ needs the importers: install expat and cJSON (Debian: libexpat1-dev libcjson-dev).")
endif()

set(fuzz_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g)

file(GLOB fuzz_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/base/*.c ${PROJECT_SOURCE_DIR}/src/model/*.c
    ${PROJECT_SOURCE_DIR}/src/import/*.c ${PROJECT_SOURCE_DIR}/src/motion/*.c)
add_library(fuzz_library STATIC EXCLUDE_FROM_ALL ${fuzz_sources})
add_library(fuzz_flags INTERFACE) # after the project's warnings: clang takes NAN in a double for a promotion
target_compile_options(fuzz_flags INTERFACE -Wno-double-promotion)
target_compile_options(fuzz_library PRIVATE ${fuzz_sanitizers} -fsanitize=fuzzer-no-link)
target_link_libraries(fuzz_library PRIVATE sinew_internal fuzz_flags)

add_custom_target(fuzz_programs)
file(GLOB fuzz_programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source IN LISTS fuzz_programs)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/programs)
    target_compile_options(${name} PRIVATE ${fuzz_sanitizers} -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(${name} PRIVATE fuzz_library sinew_internal ${SINEW_IMPORT_LIBRARIES} m)
    add_dependencies(fuzz_programs ${name})
endforeach()
