# MPI, for trainings by several processes (`mpirun -n 4 sinew train ...`). It is in a module beside the command, cli/mpi, which is
# loaded when ranks were started: neither the library nor the command itself needs MPI.

set(SINEW_MPI AUTO CACHE STRING "Train by several processes: ON, OFF, or AUTO (where MPI is found)")
set_property(CACHE SINEW_MPI PROPERTY STRINGS AUTO ON OFF)
if(SINEW_MPI AND NOT CMAKE_CROSSCOMPILING)
    find_package(MPI QUIET COMPONENTS C)
    if(MPI_C_FOUND)
        add_library(sinew_mpi MODULE ${PROJECT_SOURCE_DIR}/cli/mpi/module.c)
        set_target_properties(sinew_mpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cli)
        target_include_directories(sinew_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/cli)
        target_link_libraries(sinew_mpi PRIVATE sinew_warnings MPI::MPI_C)
        add_dependencies(sinew_cli sinew_mpi)
        install(TARGETS sinew_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sinew)
    elseif(SINEW_MPI STREQUAL "ON")
        message(FATAL_ERROR "SINEW_MPI is ON but MPI was not found: install OpenMPI (Debian: libopenmpi-dev) or set SINEW_MPI=OFF.")
    endif()
endif()
