# Other engines on the scenes of our own benchmarks, where they are installed. Nothing of Sinew is linked in.

find_path(SINEW_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(SINEW_MUJOCO_LIBRARY mujoco)
mark_as_advanced(SINEW_MUJOCO_INCLUDE_DIR SINEW_MUJOCO_LIBRARY)
if(NOT SINEW_MUJOCO_INCLUDE_DIR OR NOT SINEW_MUJOCO_LIBRARY)
    message(STATUS "MuJoCo was not found (Debian: libmujoco-dev): peer_mujoco_ground is not built")
    return()
endif()

add_executable(peer_mujoco_ground ${PROJECT_SOURCE_DIR}/bench/peers/mujoco_ground.c)
set_target_properties(peer_mujoco_ground PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
target_include_directories(peer_mujoco_ground SYSTEM PRIVATE ${SINEW_MUJOCO_INCLUDE_DIR})
target_link_libraries(peer_mujoco_ground PRIVATE sinew_warnings ${SINEW_MUJOCO_LIBRARY} m)
