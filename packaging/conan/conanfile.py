"""Conan 2. Not tried: put the address of the source archive and its SHA-256 where RELEASE stands."""
from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import get


class Sinew(ConanFile):
    name = "sinew"
    version = "0.3.0"
    license = "MIT"
    description = "Physics-based characters under stable PD control, in linear time"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "files": [True, False]}
    default_options = {"shared": False, "files": True}

    def requirements(self):
        if self.options.files:
            self.requires("expat/[>=2.5]")
            self.requires("cjson/[>=1.7]")

    def source(self):
        get(self, "RELEASE/sinew-%s.tar.gz" % self.version, sha256="RELEASE", strip_root=True)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SINEW_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["SINEW_IMPORT"] = "ON" if self.options.files else "OFF"
        for name in ("CLI", "TESTS", "STUDIES", "LAPACK", "LBFGS", "MPI", "PNG", "ZLIB"):
            toolchain.cache_variables["SINEW_" + name] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["sinew"]
        self.cpp_info.set_property("cmake_file_name", "sinew")
        self.cpp_info.set_property("cmake_target_name", "sinew::sinew")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
