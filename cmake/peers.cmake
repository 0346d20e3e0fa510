# Other engines on the scenes of our own benchmarks, where they are installed: bench/README.md. Nothing of Sinew is
# linked in, except for peer_sinew, which is Sinew on the same scenes.
#   peer_mujoco_ground  always, where MuJoCo is found; `sinew bench contact` and `sinew bench crowd` ask it
#   peer_mujoco_protocol  the same; `sinew bench protocol` asks it, and peer_mujoco_protocol_new with SINEW_MUJOCO_NEW
#   target peers        all of them, with SINEW_PEERS=ON, which scripts/bench-peers.sh sets

option(SINEW_PEERS "Offer the target peers: DART, Bullet and Sinew beside MuJoCo (needs a C++ compiler)" OFF)

set(peer_folder ${PROJECT_SOURCE_DIR}/bench/peers)
find_path(SINEW_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(SINEW_MUJOCO_LIBRARY mujoco)
mark_as_advanced(SINEW_MUJOCO_INCLUDE_DIR SINEW_MUJOCO_LIBRARY)

set(SINEW_PEER_NAMES)
# sinew_add_peer(NAME SOURCE... ): a program in build/bench, with what all of them share.
function(sinew_add_peer name)
    add_executable(${name} ${ARGN} ${peer_folder}/peer.c ${peer_folder}/tree.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench CXX_STANDARD 17)
    target_link_libraries(${name} PRIVATE sinew_warnings m)
    set(SINEW_PEER_NAMES ${SINEW_PEER_NAMES} ${name} PARENT_SCOPE)
endfunction()

if(SINEW_MUJOCO_INCLUDE_DIR AND SINEW_MUJOCO_LIBRARY)
    sinew_add_peer(peer_mujoco_ground ${peer_folder}/mujoco.c)
    target_include_directories(peer_mujoco_ground SYSTEM PRIVATE ${SINEW_MUJOCO_INCLUDE_DIR})
    target_link_libraries(peer_mujoco_ground PRIVATE ${SINEW_MUJOCO_LIBRARY})
    sinew_add_peer(peer_mujoco_protocol ${peer_folder}/protocol.c)
    target_include_directories(peer_mujoco_protocol SYSTEM PRIVATE ${SINEW_MUJOCO_INCLUDE_DIR})
    target_link_libraries(peer_mujoco_protocol PRIVATE ${SINEW_MUJOCO_LIBRARY})
else()
    message(STATUS "MuJoCo was not found (Debian: libmujoco-dev): peer_mujoco_ground is not built")
endif()
set(SINEW_MUJOCO_NEW "" CACHE PATH "A folder with include and lib of another MuJoCo, which `sinew bench protocol` asks, too")
if(SINEW_MUJOCO_NEW)
    sinew_add_peer(peer_mujoco_protocol_new ${peer_folder}/protocol.c)
    target_include_directories(peer_mujoco_protocol_new SYSTEM PRIVATE ${SINEW_MUJOCO_NEW}/include)
    target_link_libraries(peer_mujoco_protocol_new PRIVATE ${SINEW_MUJOCO_NEW}/lib/libmujoco.so)
endif()
if(NOT SINEW_PEERS)
    return()
endif()

enable_language(CXX)
sinew_add_peer(peer_sinew EXCLUDE_FROM_ALL ${peer_folder}/sinew.c)
target_link_libraries(peer_sinew PRIVATE sinew_static)

find_path(SINEW_EIGEN_INCLUDE_DIR Eigen/Dense PATH_SUFFIXES eigen3)
find_path(SINEW_DART_INCLUDE_DIR dart/dynamics/Skeleton.hpp)
find_library(SINEW_DART_LIBRARY dart)
find_library(SINEW_DART_COLLISION_LIBRARY dart-collision-bullet)
find_path(SINEW_BULLET_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
mark_as_advanced(SINEW_EIGEN_INCLUDE_DIR SINEW_DART_INCLUDE_DIR SINEW_DART_LIBRARY SINEW_DART_COLLISION_LIBRARY
    SINEW_BULLET_INCLUDE_DIR)

if(SINEW_EIGEN_INCLUDE_DIR AND SINEW_DART_INCLUDE_DIR AND SINEW_DART_LIBRARY AND SINEW_DART_COLLISION_LIBRARY)
    sinew_add_peer(peer_dart EXCLUDE_FROM_ALL ${peer_folder}/dart.cpp)
    target_include_directories(peer_dart SYSTEM PRIVATE ${SINEW_DART_INCLUDE_DIR} ${SINEW_EIGEN_INCLUDE_DIR})
    # The collision detector is found by name at run time. No -march: Eigen's alignment must be that of the library.
    target_link_libraries(peer_dart PRIVATE -Wl,--no-as-needed ${SINEW_DART_LIBRARY} ${SINEW_DART_COLLISION_LIBRARY})
else()
    message(STATUS "DART was not found (Debian: libdart-dev libdart-collision-bullet-dev): peer_dart is left out")
endif()

# Debian has Bullet in float and in double.
foreach(suffix "" "-float64")
    string(REPLACE "-float" "" name "peer_bullet${suffix}")
    foreach(part BulletDynamics BulletCollision LinearMath)
        find_library(SINEW_${part}${suffix}_LIBRARY ${part}${suffix})
        mark_as_advanced(SINEW_${part}${suffix}_LIBRARY)
    endforeach()
    if(NOT SINEW_EIGEN_INCLUDE_DIR OR NOT SINEW_BULLET_INCLUDE_DIR OR NOT SINEW_BulletDynamics${suffix}_LIBRARY)
        message(STATUS "Bullet was not found (Debian: libbullet-dev libeigen3-dev): ${name} is left out")
        continue()
    endif()
    sinew_add_peer(${name} EXCLUDE_FROM_ALL ${peer_folder}/bullet.cpp ${peer_folder}/bullet_build.cpp
        ${peer_folder}/bullet_mass.cpp)
    target_include_directories(${name} SYSTEM PRIVATE ${SINEW_BULLET_INCLUDE_DIR} ${SINEW_EIGEN_INCLUDE_DIR})
    target_compile_definitions(${name} PRIVATE $<$<BOOL:${suffix}>:BT_USE_DOUBLE_PRECISION>)
    # What is ours in it, the dense solve, must not hold Bullet back. gcc 12 complains about its own AVX-512 header.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O3 -march=native -Wno-maybe-uninitialized>)
    target_link_libraries(${name} PRIVATE ${SINEW_BulletDynamics${suffix}_LIBRARY}
        ${SINEW_BulletCollision${suffix}_LIBRARY} ${SINEW_LinearMath${suffix}_LIBRARY})
endforeach()

add_custom_target(peers DEPENDS ${SINEW_PEER_NAMES})
