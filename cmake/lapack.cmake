# LAPACK by its Fortran symbols (dposv_, sposv_): no header is needed, only a library that has them. OpenBLAS first.
#   SINEW_LAPACK_LIBRARIES  what to link, empty without LAPACK

set(SINEW_LAPACK_LIBRARIES "")
if(SINEW_LAPACK AND NOT EMSCRIPTEN)
    include(CheckFunctionExists)
    sinew_find(OPENBLAS "" openblas openblas)
    sinew_find(LAPACK "" lapack lapack)
    sinew_find(BLAS "" blas blas)

    set(openblas_candidate ${SINEW_OPENBLAS_LIBRARY})
    set(lapack_candidate ${SINEW_LAPACK_LIBRARY} ${SINEW_BLAS_LIBRARY})
    foreach(candidate openblas lapack)
        if(NOT SINEW_LAPACK_LIBRARIES AND NOT "${${candidate}_candidate}" MATCHES "NOTFOUND")
            set(CMAKE_REQUIRED_LIBRARIES ${${candidate}_candidate})
            check_function_exists(dposv_ SINEW_DPOSV_IN_${candidate})
            unset(CMAKE_REQUIRED_LIBRARIES)
            if(SINEW_DPOSV_IN_${candidate})
                set(SINEW_LAPACK_LIBRARIES ${${candidate}_candidate})
            else()
                unset(SINEW_DPOSV_IN_${candidate} CACHE) # look again next time
            endif()
        endif()
    endforeach()
    if(SINEW_LAPACK STREQUAL "ON" AND NOT SINEW_LAPACK_LIBRARIES)
        message(FATAL_ERROR "SINEW_LAPACK is ON but no library with dposv_ was found. "
            "Install OpenBLAS (Debian: libopenblas-dev) or set SINEW_LAPACK=OFF.")
    endif()

    sinew_by_name(SINEW_LAPACK_LIBRARIES ${SINEW_LAPACK_LIBRARIES})
endif()

if(SINEW_LAPACK_LIBRARIES)
    target_compile_definitions(sinew_internal INTERFACE SN__HAVE_LAPACK=1)
endif()
