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
add_library(sinew::studies ALIAS sinew_studies)
