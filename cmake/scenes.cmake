# The scenes that tests, benchmarks, experiments and fuzz programs share. They see the public header alone.

file(GLOB scene_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.c)
add_library(sinew_scenes STATIC EXCLUDE_FROM_ALL ${scene_sources})
target_include_directories(sinew_scenes PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(sinew_scenes PUBLIC sinew_static PRIVATE sinew_warnings)
if(UNIX)
    target_link_libraries(sinew_scenes PUBLIC m)
endif()
