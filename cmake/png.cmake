# libpng reads height fields of MJCF that are pictures (src/import/picture.c). Without it they are flat, with a warning.
sinew_optional(PNG "Read height fields from PNG pictures by libpng" png.h png libpng libpng-dev "${SINEW_IMPORT_LIBRARIES}")
sinew_import_uses(PNG picture.c)
