# The library: every object compiled once, position independent, for sinew_static and sinew_shared alike.

set(folders base model clip kernels import motion dynamics device solve collide world record learn)
list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1/*.c" OUTPUT_VARIABLE patterns)
file(GLOB library_sources CONFIGURE_DEPENDS ${patterns})
list(TRANSFORM all_lane_sources PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE once_a_type) # cmake/lanes.cmake
list(REMOVE_ITEM library_sources ${once_a_type})
if(SINEW_DEVICE)
    list(FILTER library_sources EXCLUDE REGEX "/src/device/none\\.c$")
else()
    list(FILTER library_sources EXCLUDE REGEX "/src/device/(cache|device|opencl|program)\\.c$")
endif()
if(NOT SINEW_IMPORT_LIBRARIES) # cmake/import.cmake
    list(FILTER library_sources EXCLUDE REGEX "/src/import/(.+)\\.c$")
    list(APPEND library_sources ${PROJECT_SOURCE_DIR}/src/import/load_none.c)
endif()

include(cmake/schema.cmake)
include(cmake/device.cmake)
add_library(sinew_objects OBJECT ${library_sources} ${schema_tables} ${device_text})
target_include_directories(sinew_objects PRIVATE ${schema_folder})
set_target_properties(sinew_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(sinew_objects PRIVATE sinew_internal)
target_include_directories(sinew_objects PRIVATE ${PROJECT_BINARY_DIR}/lanes) # lanes_built.h
if(WIN32 AND SINEW_SHARED)
    target_compile_definitions(sinew_objects PRIVATE SINEW_MAKES_DLL=1) # SN_API
endif()
# A world's step is half outside the kernels: worth 5 % of it.
set(world_sources ${library_sources})
list(FILTER world_sources INCLUDE REGEX "/src/(dynamics|solve|world|collide|learn)/")
set(world_flags -O3 -fno-math-errno -fno-trapping-math)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND world_flags -fno-tree-vectorize) # internal error of gcc 12 in vect_transform_reduction
endif()
if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT SINEW_FUZZ)
    set_source_files_properties(${world_sources} PROPERTIES COMPILE_OPTIONS "${world_flags}")
endif()

# Its promise is the same bits everywhere, also where the compiler fuses multiply-adds (ARM).
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/elementary.c PROPERTIES COMPILE_OPTIONS
    "$<$<CONFIG:Release>:-O3>;-ffp-contract=off")

set(SINEW_PRIVATE_LIBRARIES ${SINEW_IMPORT_LIBRARIES} ${SINEW_PNG_LIBRARIES} ${SINEW_ZLIB_LIBRARIES} ${SINEW_LAPACK_LIBRARIES})
if(UNIX)
    list(APPEND SINEW_PRIVATE_LIBRARIES m)
endif()
if(NOT EMSCRIPTEN)
    list(APPEND SINEW_PRIVATE_LIBRARIES pthread ${CMAKE_DL_LIBS}) # src/base/pool.c, platform.c
endif()

set(SINEW_LIBRARIES sinew_static)
add_library(sinew_static STATIC)
set_target_properties(sinew_static PROPERTIES EXPORT_NAME sinew_static)
if(SINEW_SHARED)
    list(APPEND SINEW_LIBRARIES sinew_shared)
    add_library(sinew_shared SHARED)
    set_target_properties(sinew_shared PROPERTIES
        EXPORT_NAME sinew VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}) # as SameMinorVersion says
    target_compile_definitions(sinew_shared INTERFACE SINEW_DLL=1) # means nothing but on Windows
    if(WIN32) # sinew.dll with libsinew.dll.a
        set_target_properties(sinew_shared PROPERTIES PREFIX "" IMPORT_PREFIX lib)
    endif()
endif()
foreach(library IN LISTS SINEW_LIBRARIES)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME sinew LINKER_LANGUAGE C)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:sinew_objects> ${SINEW_LANE_OBJECTS})
    target_link_libraries(${library} PRIVATE ${SINEW_PRIVATE_LIBRARIES})
    target_include_directories(${library} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

# The names an installed copy has, for projects that use add_subdirectory.
add_library(sinew::sinew_static ALIAS sinew_static)
if(SINEW_SHARED)
    add_library(sinew::sinew ALIAS sinew_shared)
else()
    add_library(sinew::sinew ALIAS sinew_static)
endif()
