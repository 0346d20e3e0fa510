# Two flag sets every target of the project draws from.
#   sinew_warnings  what the compiler should complain about
#   sinew_internal  what code that may look inside the library needs: paths, definitions, and the warnings

add_library(sinew_warnings INTERFACE)
target_compile_options(sinew_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow
    $<$<C_COMPILER_ID:GNU>:-Wdouble-promotion> # clang takes NAN in a double for one
    $<$<BOOL:${SINEW_WERROR}>:-Werror>)

add_library(sinew_internal INTERFACE)
target_include_directories(sinew_internal INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sinew_internal INTERFACE sinew_warnings)

if(MINGW)
    add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 _POSIX_C_SOURCE=200809L) # printf of the standard, clocks
endif()
if(SINEW_STRICT)
    add_compile_options(-ffp-contract=off)
    add_compile_definitions(SINEW_STRICT=1)
endif()

# sinew_find(NAME header library module): SINEW_<NAME>_INCLUDE_DIR and SINEW_<NAME>_LIBRARY, where CMake looks,
# or else where pkg-config has the module. The linker's own folders come first, for
# sinew_by_name. With an empty header, only the library is searched for.
find_package(PkgConfig QUIET)
function(sinew_find name header library module)
    if(PKG_CONFIG_FOUND AND NOT CMAKE_CROSSCOMPILING)
        pkg_check_modules(SINEW_PC_${name} QUIET ${module})
    endif()
    if(header)
        find_path(SINEW_${name}_INCLUDE_DIR ${header} PATHS ${SINEW_PC_${name}_INCLUDE_DIRS})
    endif()
    find_library(SINEW_${name}_LIBRARY NAMES ${library} ${SINEW_PC_${name}_LIBRARIES} PATHS ${SINEW_PC_${name}_LIBRARY_DIRS})
    mark_as_advanced(SINEW_${name}_INCLUDE_DIR SINEW_${name}_LIBRARY)
endfunction()

# Libraries in the linker's own folders go by name, so that installed files hold no path of this machine.
function(sinew_by_name result)
    set(names "")
    foreach(library IN LISTS ARGN)
        get_filename_component(folder ${library} DIRECTORY)
        if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
            get_filename_component(library ${library} NAME_WE)
            string(REGEX REPLACE "^lib" "" library ${library})
        endif()
        list(APPEND names ${library})
    endforeach()
    set(${result} ${names} PARENT_SCOPE)
endfunction()

# sinew_optional(NAME "what it does" header library pkg-config-module package [condition]): an option SINEW_NAME of AUTO, ON and
# OFF, and the library it asks for. SINEW_NAME_LIBRARIES is then what to link, empty without it. ON without the library, whose
# Debian package is named, is an error. A condition that is false switches it off.
function(sinew_optional name what header library module package)
    set(SINEW_${name} AUTO CACHE STRING "${what}: ON, OFF, or AUTO (where it is found)")
    set_property(CACHE SINEW_${name} PROPERTY STRINGS AUTO ON OFF)
    set(found "")
    if(SINEW_${name} AND NOT EMSCRIPTEN AND (ARGC LESS 7 OR ARGV6))
        sinew_find(${name} ${header} ${library} ${module})
        if(SINEW_${name}_INCLUDE_DIR AND SINEW_${name}_LIBRARY)
            sinew_by_name(found ${SINEW_${name}_LIBRARY})
        elseif(SINEW_${name} STREQUAL "ON")
            message(FATAL_ERROR "SINEW_${name} is ON but ${module} was not found: "
                "install it (Debian: ${package}) or set SINEW_${name}=OFF.")
        endif()
    endif()
    set(SINEW_${name}_LIBRARIES ${found} PARENT_SCOPE)
endfunction()

# sinew_import_uses(NAME file): the one file of src/import that calls the library, where there is one.
function(sinew_import_uses name file)
    if(SINEW_${name}_LIBRARIES)
        set_source_files_properties(${PROJECT_SOURCE_DIR}/src/import/${file} PROPERTIES
            COMPILE_DEFINITIONS SN__HAVE_${name}=1 INCLUDE_DIRECTORIES ${SINEW_${name}_INCLUDE_DIR})
    endif()
endfunction()
