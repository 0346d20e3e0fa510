# What `cmake --install` puts where: headers, libraries, a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
if(SINEW_STUDIES)
    list(APPEND SINEW_LIBRARIES sinew_studies)
endif()
install(TARGETS ${SINEW_LIBRARIES} EXPORT sinewTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sinewConfig.cmake.in
    ${PROJECT_BINARY_DIR}/sinewConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
    DESTINATION ${package_dir})

# The pkg-config file finds its prefix from where it lies, so an installed tree can be moved.
set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} AND NOT IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    file(RELATIVE_PATH up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
    string(REGEX REPLACE "/$" "" up ${up})
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
# Libraries as a linker takes them, in `out`: paths as they are, names behind -l.
function(link_words out)
    set(words "")
    foreach(library IN LISTS ARGN)
        if(IS_ABSOLUTE ${library})
            string(APPEND words " ${library}")
        else()
            string(APPEND words " -l${library}")
        endif()
    endforeach()
    set(${out} "${words}" PARENT_SCOPE)
endfunction()
link_words(pc_private ${SINEW_PRIVATE_LIBRARIES})
set(pc_all "${pc_private}")
if(SINEW_SHARED)
    set(pc_public "")
else()
    set(pc_public "${pc_private}")
    set(pc_private "")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(SINEW_STUDIES)
    link_words(pc_studies ${SINEW_LBFGS_LIBRARIES})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/sinew-studies.pc.in ${PROJECT_BINARY_DIR}/sinew-studies.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/sinew-studies.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# The page that `sinew track --report` fills in comes built with the source (scripts/web.sh).
install(FILES ${PROJECT_SOURCE_DIR}/web/prebuilt/report.html DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew)

# Everything that is installed, without the tests: what `make` builds.
add_custom_target(product DEPENDS ${SINEW_LIBRARIES})
foreach(target sinew_cli sinew_man)
    if(TARGET ${target})
        add_dependencies(product ${target})
    endif()
endforeach()
