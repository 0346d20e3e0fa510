# Definitions, enumerators and functions of the public headers as tables, for src/base/definition.c and schema.c. Any awk will do.
#   schema_folder  where schema_tables.h is made
#   schema_tables  the file, a source of whatever includes it

get_filename_component(schema_root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(schema_folder ${CMAKE_CURRENT_BINARY_DIR}/schema)
set(schema_tables ${schema_folder}/schema_tables.h)
find_program(SINEW_AWK NAMES awk mawk gawk nawk REQUIRED)
mark_as_advanced(SINEW_AWK)
file(MAKE_DIRECTORY ${schema_folder})
file(GLOB public_headers CONFIGURE_DEPENDS ${schema_root}/include/sinew/*.h)
add_custom_command(OUTPUT ${schema_tables}
    COMMAND ${SINEW_AWK} -v what=tables -f ${schema_root}/scripts/schema.awk ${public_headers} >${schema_tables}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${schema_tables}.new ${schema_tables}
    DEPENDS ${public_headers} ${schema_root}/scripts/schema.awk
    COMMENT "Reading the public headers")
