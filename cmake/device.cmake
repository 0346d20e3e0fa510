# The text of the kernels as one C file, for devices (src/device). Any awk will do.
#   device_text   the file that has it; empty without SINEW_DEVICE

set(device_text "")
if(NOT SINEW_DEVICE)
    return()
endif()
set(device_text ${PROJECT_BINARY_DIR}/device/program_text.c)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/device)
file(GLOB device_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/*.h ${PROJECT_SOURCE_DIR}/src/kernels/*/*.h
    ${PROJECT_SOURCE_DIR}/src/model/compiled*.h ${PROJECT_SOURCE_DIR}/src/base/*.h)
add_custom_command(OUTPUT ${device_text}
    COMMAND ${SINEW_AWK} -v what=c -f ${PROJECT_SOURCE_DIR}/scripts/program.awk >${device_text}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${device_text}.new ${device_text}
    DEPENDS ${device_headers} ${PROJECT_SOURCE_DIR}/scripts/program.awk
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/src
    COMMENT "Putting the program of devices together")
