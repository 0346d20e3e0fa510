# Not tried. RELEASE: the address of the source archive and its SHA-512 go here.
vcpkg_download_distfile(archive
    URLS "RELEASE/sinew-${VERSION}.tar.gz" FILENAME "sinew-${VERSION}.tar.gz" SHA512 0)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS
    -DSINEW_SHARED=${shared} -DSINEW_CLI=OFF -DSINEW_TESTS=OFF -DSINEW_STUDIES=OFF -DSINEW_IMPORT=ON
    -DSINEW_LAPACK=OFF -DSINEW_LBFGS=OFF -DSINEW_MPI=OFF -DSINEW_PNG=OFF -DSINEW_ZLIB=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sinew)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
