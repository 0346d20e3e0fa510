# The library of studies, studies/*.c: what papers compare and worlds do without. It looks inside the library and is linked with
# the static one. SINEW_STUDIES_LIBRARIES is what else it needs.

file(GLOB studies_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*.c)
add_library(sinew_studies STATIC ${studies_sources})
set_target_properties(sinew_studies PROPERTIES EXPORT_NAME studies POSITION_INDEPENDENT_CODE ON)
target_include_directories(sinew_studies PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(sinew_studies PUBLIC sinew_static PRIVATE $<BUILD_INTERFACE:sinew_internal> ${SINEW_LBFGS_LIBRARIES})
if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT SINEW_FUZZ)
    target_compile_options(sinew_studies PRIVATE ${world_flags}) # cmake/library.cmake
endif()

# The kernels of studies, scalar lane types, and a select.c that knows of those: programs that use a study take it instead of
# the library's.
file(CONFIGURE OUTPUT study_lanes/lanes_built.h CONTENT "#define LANE_TABLES(X)@lane_list@@study_lane_list@\n" @ONLY)
add_library(study_select OBJECT src/kernels/select.c studies/kernels/find.c)
set_target_properties(study_select PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(study_select PRIVATE ${PROJECT_BINARY_DIR}/study_lanes ${PROJECT_SOURCE_DIR})
target_link_libraries(study_select PRIVATE sinew_internal)
set(study_select $<TARGET_OBJECTS:study_select>)
target_sources(sinew_studies PRIVATE ${study_lane_objects} ${study_select})
add_library(sinew::studies ALIAS sinew_studies)
