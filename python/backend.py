"""Builds wheels and source archives of the package with cmake, a C compiler and the standard library (PEP 517).

pip calls these functions; `python3 python/backend.py [FOLDER]` builds a wheel without pip. SINEW_PYTHON_BUILD names the folder of the
build, SINEW_PYTHON_CMAKE more options for cmake, and SINEW_PYTHON_LIBRARY a libsinew.so to take instead of building one."""
import base64
import hashlib
import io
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "sinew"
LAUNCHER = """#!python
# The command, which is a function of the library.
import ctypes, importlib.util, os, signal, sys
folder = importlib.util.find_spec("sinew").submodule_search_locations[0]
os.environ.setdefault("SINEW_SHARE", folder)
words = [os.fsencode(one) for one in ["sinew"] + sys.argv[1:]]
signal.signal(signal.SIGINT, signal.SIG_DFL)
command = ctypes.CDLL(os.path.join(folder, "libsinew.so")).sinew_command
sys.exit(command(len(words), (ctypes.c_char_p * (len(words) + 1))(*words)))
"""


def version():
    header = "".join(one.read_text() for one in sorted((ROOT / "include/sinew").glob("*.h")))
    return ".".join(re.search(r"SN_VERSION_%s (\d+)" % part, header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def metadata():
    about = (ROOT / "pyproject.toml").read_text()
    lines = ["Metadata-Version: 2.1", "Name: sinew", "Version: " + version(),
             "Summary: " + re.search(r'description = "(.*)"', about)[1],
             "Requires-Python: " + re.search(r'requires-python = "(.*)"', about)[1]]
    lines += ["Requires-Dist: " + one for one in re.findall(r'"(.*?)"', re.search(r"\ndependencies = \[(.*)\]", about)[1])]
    for name, needs in re.findall(r"\n(\w+) = \[(.*)\]", about.split("[project.optional-dependencies]")[1]):
        lines.append("Provides-Extra: " + name)
        lines += ['Requires-Dist: %s; extra == "%s"' % (one, name) for one in re.findall(r'"(.*?)"', needs)]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text()]
    return "\n".join(lines)


def folder():
    return pathlib.Path(os.environ.get("SINEW_PYTHON_BUILD") or ROOT / "build" / "python")


def run(*command):
    result = subprocess.run([str(one) for one in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        sys.stderr.write(result.stdout.decode(errors="replace")[-4000:])
        sys.exit("sinew: '%s' failed" % " ".join(map(str, command)))


def find(name):
    """A library of the linker's own folders; None where there is none."""
    command = [os.environ.get("CC", "cc"), "-print-file-name=" + name]
    found = subprocess.run(command, stdout=subprocess.PIPE).stdout.decode().strip()
    return pathlib.Path(found).resolve() if os.path.isabs(found) and os.path.exists(found) else None


def can_be_linked_in(archive, work):
    """Whether the objects of a static library can be part of a shared one."""
    command = [os.environ.get("CC", "cc"), "-shared", "-o", str(work / "try.so"), "-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def library(work):
    """libsinew.so with the command in it, and what the wheel must bring along. It is built without LAPACK and lbfgs, which would come
    into conflict with those of other packages. Libraries with a static form are linked in."""
    given = os.environ.get("SINEW_PYTHON_LIBRARY")
    if given:
        return pathlib.Path(given), []
    build = folder() / "cmake"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_WHEEL=ON", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DSINEW_TESTS=OFF", "-DSINEW_LAPACK=OFF", "-DSINEW_LBFGS=OFF", "-DSINEW_MPI=OFF",
               "-DSINEW_IMPORT=ON", "-DSINEW_PNG=OFF", "-DSINEW_CLI=ON", "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
               "-DCMAKE_INSTALL_RPATH=$ORIGIN"]
    brought = []
    for name, variable in (("expat", "EXPAT"), ("cjson", "CJSON")):  # every Linux has zlib
        whole = find("lib%s.a" % name)
        if whole and can_be_linked_in(whole, work):
            shutil.copyfile(whole, work / whole.name)  # a path of its own: cmake links those in the linker's folders by name
            options.append("-DSINEW_%s_LIBRARY=%s" % (variable, work / whole.name))
        elif find("lib%s.so" % name):
            shared = find("lib%s.so" % name)
            brought.append(("sinew/%s" % ".".join(shared.name.split(".")[:3]), shared))
    options += shlex.split(os.environ.get("SINEW_PYTHON_CMAKE", ""))
    run("cmake", "-S", ROOT, "-B", build, *options)
    run("cmake", "--build", build, "--target", "sinew_wheel", "-j%d" % (os.cpu_count() or 1))
    return build / "wheel" / "libsinew.so", brought


def hot(target):
    """_hot.c by the stable interface of CPython 3.11; False where it cannot be built: the package then uses ctypes alone."""
    include = sysconfig.get_paths()["include"]
    if sys.version_info < (3, 11) or not os.path.exists(os.path.join(include, "Python.h")) or sysconfig.get_config_var("Py_GIL_DISABLED"):
        print("sinew: no Python.h of CPython 3.11 or later (Debian: python3-dev): calls will be slower")
        return False
    compiler = shlex.split(os.environ.get("CC", "cc"))
    extra = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    run(*compiler, "-O2", "-g0", "-shared", "-fPIC", "-fvisibility=hidden", "-I", include, "-I", ROOT / "include", *extra,
        PACKAGE / "_hot.c", "-o", target)
    return True


def needed_libc(*files):
    """The newest version of the C library that any symbol asks for, as (2, 35)."""
    versions = [(2, 17)]
    for file in files:
        text = pathlib.Path(file).read_bytes()
        versions += [tuple(map(int, one.split(b"."))) for one in re.findall(rb"GLIBC_(2\.\d+)\b", text)]
    return max(versions)


def platform_tag(*files):
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not machine.startswith("linux"):
        return machine
    return "manylinux_%d_%d_%s" % (needed_libc(*files) + (machine[len("linux_"):],))


def contents(work):
    """(name in the wheel, path) of everything, and the tag of the platform."""
    work.mkdir(parents=True, exist_ok=True)
    lib, brought = library(work)
    stripped = work / "libsinew.so"
    shutil.copyfile(lib, stripped)
    strip(stripped)
    binaries = [stripped]
    files = [("sinew/libsinew.so", stripped)]
    fast = work / "_hot.abi3.so"
    if hot(fast):
        files.append(("sinew/_hot.abi3.so", fast))
        binaries.append(fast)
    files.append(("sinew-%s.data/scripts/sinew" % version(), LAUNCHER.encode()))
    files += brought
    for path in sorted(PACKAGE.iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            files.append(("sinew/" + path.name, path))
    files.append(("sinew/report.html", ROOT / "web/prebuilt/report.html"))
    for path in sorted((ROOT / "policies").glob("*.sinew")):
        files.append(("sinew/policies/" + path.name, path))
    return files, platform_tag(*binaries)


def strip(path):
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-unneeded", str(path)], stderr=subprocess.DEVNULL)


def wheel_name(tag):
    return "sinew-%s-py3-none-%s.whl" % (version(), tag)


def write_wheel(files, tag, target):
    info = "sinew-%s.dist-info" % version()
    texts = {info + "/METADATA": metadata(), info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\nTag: py3-none-%s\n" % tag,
             info + "/LICENSE": (ROOT / "LICENSE").read_text()}
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append("%s,sha256=%s,%d" % (name, digest, len(data)))

        for name, path in files:
            data = path.read_bytes() if isinstance(path, pathlib.Path) else path
            add(name, data, 0o755 if "/scripts/" in name or ".so" in name else 0o644)
        for name, text in texts.items():
            add(name, text.encode())
        record.append(info + "/RECORD,,")
        add(info + "/RECORD", "\n".join(record).encode() + b"\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory) / ("sinew-%s.dist-info" % version())
    info.mkdir()
    (info / "METADATA").write_text(metadata())
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: sinew\nRoot-Is-Purelib: false\nTag: py3-none-any\n")
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files, tag = contents(folder() / "wheel")
    write_wheel(files, tag, os.path.join(wheel_directory, wheel_name(tag)))
    return wheel_name(tag)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The sources stay where they are; the library and _hot are put beside them."""
    files, tag = contents(folder() / "wheel")
    for name, path in files:
        if name.startswith("sinew/") and isinstance(path, pathlib.Path) and path.parent != PACKAGE:
            target = PACKAGE / name[len("sinew/"):]
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)
    write_wheel([("sinew.pth", (str(PACKAGE.parent) + "\n").encode())], tag, os.path.join(wheel_directory, wheel_name(tag)))
    return wheel_name(tag)


def build_sdist(sdist_directory, config_settings=None):
    """All files that git knows, or all of an unpacked archive."""
    name = "sinew-%s" % version()
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if listed.returncode == 0 and listed.stdout:
        files = [ROOT / one for one in listed.stdout.decode().splitlines()]
    else:
        files = [one for one in ROOT.rglob("*") if not {"build", "__pycache__", ".git"} & set(one.relative_to(ROOT).parts)]
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(one for one in files if one.is_file()):
            archive.add(path, "%s/%s" % (name, path.relative_to(ROOT)))
        data = metadata().encode()
        entry = tarfile.TarInfo(name + "/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return name + ".tar.gz"


if __name__ == "__main__":
    place = sys.argv[1] if len(sys.argv) > 1 else "."
    os.makedirs(place, exist_ok=True)
    print(os.path.join(place, build_wheel(place)))
