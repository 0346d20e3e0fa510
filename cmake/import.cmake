# What reading and writing files needs: expat (XML) and cJSON (JSON). Without them the library has no importers, and
# its loaders answer SN_ERROR_UNSUPPORTED.
#   SINEW_IMPORT_LIBRARIES  what to link, empty without importers

set(SINEW_IMPORT_LIBRARIES "")
if(SINEW_IMPORT)
    sinew_find(EXPAT expat.h expat expat)
    sinew_find(CJSON cjson/cJSON.h cjson libcjson)
    if(SINEW_EXPAT_INCLUDE_DIR AND SINEW_EXPAT_LIBRARY AND SINEW_CJSON_INCLUDE_DIR AND SINEW_CJSON_LIBRARY)
        sinew_by_name(SINEW_IMPORT_LIBRARIES ${SINEW_EXPAT_LIBRARY} ${SINEW_CJSON_LIBRARY})
        target_compile_definitions(sinew_internal INTERFACE SN__HAVE_IMPORT=1)
        target_include_directories(sinew_internal SYSTEM INTERFACE
            ${SINEW_EXPAT_INCLUDE_DIR} ${SINEW_CJSON_INCLUDE_DIR})
    elseif(SINEW_IMPORT STREQUAL "ON")
        message(FATAL_ERROR "SINEW_IMPORT is ON but expat or cJSON was not found. "
            "Install them (Debian: libexpat1-dev libcjson-dev) or set SINEW_IMPORT=OFF.")
    endif()
endif()
