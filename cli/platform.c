#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#if defined(_WIN32)
#define _CRT_RAND_S /* rand_s */
#endif
#include "platform.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#if defined(_WIN32)

#include <io.h>
#include <windows.h>

#include <shellapi.h>
#include <shlobj.h>

wchar_t *wide_text(const char *text) {
    const int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = need_memory(NULL, (size_t)(length > 0 ? length : 1) * sizeof *wide);
    wide[0] = 0;
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

/* The text in UTF-8, with slashes; false: there is not enough room. */
static bool narrow(const wchar_t *wide, char *text, size_t room) {
    if (!WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)room, NULL, NULL)) return false;
    for (char *c = text; *c; c++)
        if (*c == '\\') *c = '/';
    return true;
}

void platform_begin(int *argc, char ***argv) {
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    HANDLE screen = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD mode = 0;
    if (GetConsoleMode(screen, &mode)) SetConsoleMode(screen, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (!wide) return;
    char **all = need_memory(NULL, (size_t)(count + 1) * sizeof *all);
    for (int i = 0; i < count; i++) {
        const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        all[i] = need_memory(NULL, (size_t)size);
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, all[i], size, NULL, NULL);
    }
    all[count] = NULL;
    LocalFree(wide);
    *argc = count;
    *argv = all;
}

void platform_on_interrupt(void (*handler)(int)) {
    signal(SIGINT, handler); /* the system takes it back by itself at the first one */
}

int platform_cores(void) {
    DWORD_PTR mine = 0, all = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) || !mine) return 1;
    return (int)__builtin_popcountll((unsigned long long)mine);
}

long platform_process(void) {
    return (long)GetCurrentProcessId();
}

void platform_sleep(double seconds) {
    Sleep((DWORD)(seconds * 1000));
}

bool platform_random(void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value) != 0) return false;
        ((unsigned char *)bytes)[i] = (unsigned char)value;
    }
    return true;
}

FILE *open_file(const char *path, const char *mode) {
    wchar_t *wide = wide_text(path), *how = wide_text(mode);
    FILE *file = _wfopen(wide, how);
    free(wide);
    free(how);
    return file;
}

FILE *open_new_file(const char *path, const char *like) {
    (void)like;
    wchar_t *wide = wide_text(path);
    const int descriptor = _wopen(wide, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
    free(wide);
    return descriptor < 0 ? NULL : _fdopen(descriptor, "wb");
}

bool replace_file(const char *from, const char *to) {
    wchar_t *a = wide_text(from), *b = wide_text(to);
    const bool good = MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING);
    free(a);
    free(b);
    return good;
}

bool remove_file(const char *path) {
    wchar_t *wide = wide_text(path);
    const bool good = DeleteFileW(wide);
    free(wide);
    return good;
}

static DWORD attributes(const char *path) {
    wchar_t *wide = wide_text(path);
    const DWORD found = GetFileAttributesW(wide);
    free(wide);
    return found;
}

bool exists(const char *path) {
    return attributes(path) != INVALID_FILE_ATTRIBUTES;
}

bool can_read(const char *path) {
    return exists(path);
}

bool can_run(const char *path) {
    return exists(path) && !is_folder(path);
}

bool is_folder(const char *path) {
    const DWORD found = attributes(path);
    return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY);
}

bool is_regular(const char *path) {
    return exists(path) && !is_folder(path);
}

bool is_device(const char *path) {
    return _stricmp(path, "nul") == 0 || _stricmp(path, "con") == 0;
}

bool is_replaceable(const char *path) {
    const DWORD found = attributes(path);
    if (found == INVALID_FILE_ATTRIBUTES) return !is_device(path);
    return !(found & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_READONLY));
}

bool is_the_output(const char *path) {
    (void)path;
    return false;
}

bool read_link(const char *path, char target[LONGEST_PATH]) {
    (void)path, (void)target;
    return false;
}

bool real_path(const char *path, char real[LONGEST_PATH]) {
    wchar_t *wide = wide_text(path), full[LONGEST_PATH];
    const DWORD length = GetFullPathNameW(wide, LONGEST_PATH, full, NULL);
    free(wide);
    return length > 0 && length < LONGEST_PATH && narrow(full, real, LONGEST_PATH) && exists(real);
}

bool make_folder(const char *path) {
    wchar_t *wide = wide_text(path);
    const bool made = CreateDirectoryW(wide, NULL);
    free(wide);
    if (!made) errno = GetLastError() == ERROR_ALREADY_EXISTS ? EEXIST : EACCES;
    return made || is_folder(path);
}

void remove_folder(const char *path) {
    wchar_t *wide = wide_text(path);
    const size_t length = wcslen(wide);
    wchar_t *list =
        need_memory(NULL, (length + 2) * sizeof *list); /* a list of one, with an empty one at its end */
    memcpy(list, wide, length * sizeof *list);
    list[length] = list[length + 1] = 0;
    SHFILEOPSTRUCTW job = {
        .wFunc = FO_DELETE, .pFrom = list, .fFlags = FOF_NOCONFIRMATION | FOF_SILENT | FOF_NOERRORUI};
    SHFileOperationW(&job);
    free(list);
    free(wide);
}

void own_folder(char folder[LONGEST_PATH]) {
    wchar_t path[LONGEST_PATH];
    const DWORD length = GetModuleFileNameW(NULL, path, LONGEST_PATH);
    char *slash = NULL;
    if (length > 0 && length < LONGEST_PATH && narrow(path, folder, LONGEST_PATH))
        slash = strrchr(folder, '/');
    strcpy(slash ? slash : folder, slash ? "" : ".");
}

static void temporary_place(char path[LONGEST_PATH]) {
    wchar_t wide[MAX_PATH + 1];
    const DWORD length = GetTempPathW(MAX_PATH + 1, wide);
    if (!length || !narrow(wide, path, LONGEST_PATH)) strcpy(path, ".");
    const size_t end = strlen(path);
    if (end > 1 && path[end - 1] == '/') path[end - 1] = '\0';
}

#else

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

void platform_begin(int *argc, char ***argv) {
    (void)argc, (void)argv;
}

void platform_on_interrupt(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

int platform_cores(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < count) return CPU_COUNT(&set);
#endif
    return count > 1 ? (int)count : 1;
}

long platform_process(void) {
    return (long)getpid();
}

void platform_sleep(double seconds) {
    const struct timespec nap = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&nap, NULL);
}

bool platform_random(void *bytes, size_t size) {
    FILE *file = fopen("/dev/urandom", "rb");
    const bool good = file && fread(bytes, 1, size, file) == size;
    if (file) fclose(file);
    return good;
}

FILE *open_file(const char *path, const char *mode) {
    return fopen(path, mode);
}

FILE *open_new_file(const char *path, const char *like) {
    struct stat what;
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return NULL;
    if (stat(like, &what) == 0) (void)!fchmod(descriptor, what.st_mode & 07777);
    return fdopen(descriptor, "wb");
}

bool replace_file(const char *from, const char *to) {
    return rename(from, to) == 0;
}

bool remove_file(const char *path) {
    return unlink(path) == 0;
}

bool can_read(const char *path) {
    return access(path, R_OK) == 0;
}

bool can_run(const char *path) {
    return access(path, X_OK) == 0;
}

bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool is_folder(const char *path) {
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

bool is_regular(const char *path) {
    struct stat what;
    return stat(path, &what) == 0 && S_ISREG(what.st_mode);
}

bool is_device(const char *path) {
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

bool is_replaceable(const char *path) {
    struct stat what;
    if (is_device(path)) return false;
    if (stat(path, &what) != 0) return errno == ENOENT;
    return S_ISREG(what.st_mode) && access(path, W_OK) == 0;
}

bool is_the_output(const char *path) {
    struct stat what, output;
    return is_device(path) && stat(path, &what) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
           what.st_dev == output.st_dev && what.st_ino == output.st_ino;
}

bool read_link(const char *path, char target[LONGEST_PATH]) {
    const ssize_t length = readlink(path, target, LONGEST_PATH - 1);
    if (length < 0 || length == LONGEST_PATH - 1) return false;
    target[length] = '\0';
    return true;
}

bool real_path(const char *path, char real[LONGEST_PATH]) {
    char *found = realpath(path, NULL);
    const bool fits = found && strlen(found) < LONGEST_PATH;
    if (fits) strcpy(real, found);
    free(found);
    return fits;
}

bool make_folder(const char *path) {
    if (mkdir(path, 0777) == 0) return true;
    const int reason = errno;
    if (is_folder(path)) return true;
    errno = reason;
    return false;
}

void remove_folder(const char *path) {
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char inside[LONGEST_PATH];
        struct stat what;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) >= (int)sizeof inside) continue;
        if (lstat(inside, &what) == 0 && S_ISDIR(what.st_mode))
            remove_folder(inside);
        else
            unlink(inside);
    }
    if (list) closedir(list);
    rmdir(path);
}

void own_folder(char folder[LONGEST_PATH]) {
#if defined(__APPLE__)
    uint32_t room = LONGEST_PATH;
    if (_NSGetExecutablePath(folder, &room) != 0) folder[0] = '\0';
#else
    if (!read_link("/proc/self/exe", folder)) folder[0] = '\0';
#endif
    char *slash = strrchr(folder, '/');
    strcpy(slash ? slash : folder, slash ? "" : ".");
}

static void temporary_place(char path[LONGEST_PATH]) {
    const char *wish = getenv("TMPDIR");
    snprintf(path, LONGEST_PATH, "%s", wish && *wish ? wish : "/tmp");
}

#endif

/* ----------------------------------------------------------------------------------------------------- both */

/* A name that nothing has yet. */
static bool find_name(const char *name, const char *ending, char path[LONGEST_PATH],
                      bool (*take)(const char *)) {
    char place[LONGEST_PATH];
    temporary_place(place);
    uint64_t state = (uint64_t)platform_process() * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)&state;
    for (int tries = 0; tries < 100; tries++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (snprintf(path, LONGEST_PATH, "%s/%s-%08x%s", place, name, (unsigned)(state >> 32), ending) >=
            LONGEST_PATH)
            break;
        if (take(path)) return true;
        if (errno != EEXIST) break;
    }
    return false;
}

static bool take_file(const char *path) {
    FILE *file = open_new_file(path, "");
    if (file) fclose(file);
    return file != NULL;
}

static bool take_folder(const char *path) {
    if (exists(path)) errno = EEXIST;
    return !exists(path) && make_folder(path);
}

bool temporary_file(const char *name, const char *ending, char path[LONGEST_PATH]) {
    return find_name(name, ending, path, take_file);
}

bool temporary_folder(const char *name, char path[LONGEST_PATH]) {
    return find_name(name, "", path, take_folder);
}
