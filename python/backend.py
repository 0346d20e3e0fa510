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


def version():
    header = (ROOT / "include/sinew/sinew.h").read_text()
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


def static(name):
    """The static form of a library, so that wheels need less of the machine they run on; None where there is none."""
    found = subprocess.run([os.environ.get("CC", "cc"), "-print-file-name=lib%s.a" % name], stdout=subprocess.PIPE).stdout.decode().strip()
    return found if os.path.isabs(found) and os.path.exists(found) else None


def library():
    """libsinew.so and the command, built without LAPACK and lbfgs, which would come into conflict with those of other packages."""
    given = os.environ.get("SINEW_PYTHON_LIBRARY")
    if given:
        return pathlib.Path(given), None
    build = folder() / "cmake"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_TESTS=OFF", "-DSINEW_LAPACK=OFF", "-DSINEW_LBFGS=OFF", "-DSINEW_MPI=OFF",
               "-DSINEW_IMPORT=ON", "-DSINEW_PNG=OFF", "-DSINEW_CLI=ON", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON"]
    for name, variable in (("expat", "EXPAT"), ("cjson", "CJSON"), ("z", "ZLIB")):
        if static(name):
            options.append("-DSINEW_%s_LIBRARY=%s" % (variable, static(name)))
    options += shlex.split(os.environ.get("SINEW_PYTHON_CMAKE", ""))
    run("cmake", "-S", ROOT, "-B", build, *options)
    run("cmake", "--build", build, "--target", "sinew_shared", "sinew_cli", "-j%d" % (os.cpu_count() or 1))
    return build / "libsinew.so", build / "cli" / "sinew"


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
    lib, command = library()
    stripped = work / "libsinew.so"
    shutil.copyfile(lib, stripped)
    strip(stripped)
    binaries = [stripped]
    files = [("sinew/libsinew.so", stripped)]
    fast = work / "_hot.abi3.so"
    if hot(fast):
        files.append(("sinew/_hot.abi3.so", fast))
        binaries.append(fast)
    if command:
        own = work / "sinew"
        shutil.copyfile(command, own)
        own.chmod(0o755)
        strip(own)
        files.append(("sinew-%s.data/scripts/sinew" % version(), own))
        binaries.append(own)
    files += carried(lib, work)
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


def carried(lib, work):
    """Libraries that the wheel brings along because there is no static form of them here: none that every Linux has."""
    return []


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
            add(name, data, 0o755 if "/scripts/" in name or name.endswith(".so") else 0o644)
        for name, text in texts.items():
            add(name, text.encode())
        record.append(info + "/RECORD,,")
        add(info + "/RECORD", "\n".join(record).encode() + b"\n")


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
