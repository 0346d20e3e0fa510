# The source archive, build/release/sinew-VERSION.tar.gz: `cmake --build build/release --target package_source`.

set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR "The Sinew developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME sinew-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/build/" "/[.]git/" "/[.]cache/" "/node_modules/" "/__pycache__/" "/debian/(tmp|python)/" "/debian/(files|.*substvars)$"
    "[.]so$" "/compile_commands[.]json$")
set(CPACK_GENERATOR TGZ)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
