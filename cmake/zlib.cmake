# zlib unpacks arrays of numpy (src/import/zip.c), as AMASS has them. Without it only archives that are stored are read.
sinew_optional(ZLIB "Read packed archives of numpy by zlib" zlib.h z zlib zlib1g-dev "${SINEW_IMPORT_LIBRARIES}")
sinew_import_uses(ZLIB zip.c)
