# The sinew command. It sees the public header and its own folder, nothing of src.

sinew_find(CJSON cjson/cJSON.h cjson libcjson)
if(NOT SINEW_CJSON_INCLUDE_DIR OR NOT SINEW_CJSON_LIBRARY)
    message(FATAL_ERROR "The sinew command needs cJSON: install it (Debian: libcjson-dev) or set SINEW_CLI=OFF.")
endif()

file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c ${PROJECT_SOURCE_DIR}/cli/*/*.c)
list(FILTER cli_sources EXCLUDE REGEX "/cli/mpi/") # cmake/mpi.cmake
if(WIN32) # trainings by several processes need signals
    list(FILTER cli_sources EXCLUDE REGEX "/cli/ranks\\.c$")
else()
    list(FILTER cli_sources EXCLUDE REGEX "/cli/ranks_alone\\.c$")
endif()
add_executable(sinew_cli ${cli_sources} ${study_select}) # cmake/studies.cmake
set_target_properties(sinew_cli PROPERTIES
    OUTPUT_NAME sinew RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cli
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cli) # mingw writes libsinew.dll.a for programs, too
target_include_directories(sinew_cli PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cli)
target_include_directories(sinew_cli SYSTEM PRIVATE ${SINEW_CJSON_INCLUDE_DIR})
target_link_libraries(sinew_cli PRIVATE sinew_scenes sinew_studies sinew_static sinew_warnings
    ${SINEW_CJSON_LIBRARY} m ${CMAKE_DL_LIBS})
if(WIN32)
    target_link_libraries(sinew_cli PRIVATE ws2_32 shell32)
endif()
if(CMAKE_BUILD_TYPE MATCHES "^Rel") # nothing of it takes time but what the library does
    target_compile_options(sinew_cli PRIVATE -O1)
endif()
file(RELATIVE_PATH module_folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/sinew)
target_compile_definitions(sinew_cli PRIVATE SINEW_MPI_FOLDER="${module_folder}")
install(TARGETS sinew_cli RUNTIME)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/policies DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew FILES_MATCHING PATTERN "*.sinew")

# The manual page is made by asking the command, where it can run here; shells complete by asking it, too.
if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/sinew.1
        COMMAND ${PROJECT_SOURCE_DIR}/scripts/man.sh $<TARGET_FILE:sinew_cli> > ${PROJECT_BINARY_DIR}/sinew.1
        DEPENDS sinew_cli ${PROJECT_SOURCE_DIR}/scripts/man.sh VERBATIM)
    add_custom_target(sinew_man ALL DEPENDS ${PROJECT_BINARY_DIR}/sinew.1)
    install(FILES ${PROJECT_BINARY_DIR}/sinew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/completions/sinew.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sinew)
install(FILES ${PROJECT_SOURCE_DIR}/completions/_sinew DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/completions/sinew.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
