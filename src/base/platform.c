#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/platform.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "base/memory.h"

#if defined(__EMSCRIPTEN__) && !defined(SN__NO_THREADS)
#define SN__NO_THREADS 1
#endif
#if !defined(SN__NO_THREADS)
#include <pthread.h>
#endif

#if defined(_WIN32)

#include <io.h>
#include <malloc.h>
#include <process.h>
#include <windows.h>

/* ------------------------------------------------------------------------------------------------ Windows */

void *sn__platform_alloc(size_t bytes, size_t alignment) {
    return _aligned_malloc(bytes, alignment);
}

void *sn__platform_calloc(size_t count, size_t size) {
    void *memory = _aligned_malloc(count * size, _Alignof(max_align_t));
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void *sn__platform_realloc(void *memory, size_t bytes) {
    return _aligned_realloc(memory, bytes, _Alignof(max_align_t));
}

void sn__platform_free(void *memory) {
    _aligned_free(memory);
}

int sn__platform_cores(void) {
    DWORD_PTR mine = 0, all = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) || !mine) return 1;
    return (int)__builtin_popcountll((unsigned long long)mine);
}

long sn__platform_process(void) {
    return 0; /* there is no fork */
}

/* UTF-8 as the system's own wide characters; sn__free it. NULL: not UTF-8, or no memory. */
static wchar_t *widen(const char *text) {
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? sn__alloc((size_t)length, sizeof *wide) : NULL;
    if (wide) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, length);
    return wide;
}

FILE *sn__platform_open(const char *path, const char *mode) {
    wchar_t *wide_path = widen(path), *wide_mode = widen(mode);
    FILE *file = wide_path && wide_mode ? _wfopen(wide_path, wide_mode) : NULL;
    sn__free(wide_path);
    sn__free(wide_mode);
    return file;
}

/* The attributes of what is at a path; INVALID_FILE_ATTRIBUTES: nothing. */
static DWORD attributes(const char *path) {
    wchar_t *wide = widen(path);
    const DWORD found = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    sn__free(wide);
    return found;
}

bool sn__platform_exists(const char *path) {
    return attributes(path) != INVALID_FILE_ATTRIBUTES;
}

bool sn__platform_is_file(const char *path) {
    return !(attributes(path) & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE));
}

bool sn__platform_is_other(const char *path) {
    const DWORD found = attributes(path);
    return found != INVALID_FILE_ATTRIBUTES && (found & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE));
}

bool sn__platform_sync(FILE *file) {
    return _commit(_fileno(file)) == 0;
}

bool sn__platform_replace(const char *from, const char *to) {
    wchar_t *wide_from = widen(from), *wide_to = widen(to);
    const bool good = wide_from && wide_to &&
                      MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    sn__free(wide_from);
    sn__free(wide_to);
    return good;
}

void sn__platform_make_folder(const char *path) {
    wchar_t *wide = widen(path);
    if (wide) CreateDirectoryW(wide, NULL);
    sn__free(wide);
}

void *sn__platform_library(const char *name) {
    char file[64];
    snprintf(file, sizeof file, "%s.dll", name);
    return (void *)LoadLibraryA(file);
}

void *sn__platform_symbol(void *library, const char *name) {
    return (void *)(uintptr_t)GetProcAddress((HMODULE)library, name);
}

#else

/* --------------------------------------------------------------------------------------------------- POSIX */

#if !defined(__EMSCRIPTEN__)
#include <dlfcn.h>
#endif
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

void *sn__platform_alloc(size_t bytes, size_t alignment) {
    /* aligned_alloc wants a multiple of the alignment */
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    return rounded < bytes ? NULL : aligned_alloc(alignment, rounded);
}

void *sn__platform_calloc(size_t count, size_t size) {
    return calloc(count, size);
}

void *sn__platform_realloc(void *memory, size_t bytes) {
    return realloc(memory, bytes);
}

void sn__platform_free(void *memory) {
    free(memory);
}

int sn__platform_cores(void) {
    long n = 0;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) n = CPU_COUNT(&set);
#endif
#if !defined(SN__NO_THREADS)
    if (n < 1) n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n > 1 << 20 ? 1 << 20 : (int)n;
}

long sn__platform_process(void) {
    return (long)getpid();
}

FILE *sn__platform_open(const char *path, const char *mode) {
    return fopen(path, mode);
}

bool sn__platform_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool sn__platform_is_file(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

bool sn__platform_is_other(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode);
}

bool sn__platform_sync(FILE *file) {
    return fsync(fileno(file)) == 0;
}

/* A folder's entry is on the disk only when the folder is. */
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = sn__alloc(length + 2, 1);
    if (!folder) return;
    memcpy(folder, slash ? path : ".", slash ? length : 1);
    const int descriptor = open(folder, O_RDONLY);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    sn__free(folder);
}

bool sn__platform_replace(const char *from, const char *to) {
    if (rename(from, to) != 0) return false;
    sync_folder(to);
    return true;
}

void sn__platform_make_folder(const char *path) {
    mkdir(path, 0700);
}

#if defined(__EMSCRIPTEN__)
void *sn__platform_library(const char *name) {
    (void)name;
    return NULL;
}

void *sn__platform_symbol(void *library, const char *name) {
    (void)library, (void)name;
    return NULL;
}
#else
void *sn__platform_library(const char *name) {
    const char *const form[] = {"lib%s.so.1", "lib%s.so", "/System/Library/Frameworks/%s.framework/%s"};
    char file[160];
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, form[i], name, name);
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

void *sn__platform_symbol(void *library, const char *name) {
    return dlsym(library, name);
}
#endif

#endif

/* ---------------------------------------------------------------------------------------------------- both */

int64_t sn__platform_nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#if !defined(SN__NO_THREADS)

struct sn__thread {
    pthread_t handle;
};

struct sn__thread *sn__thread_start(void *(*run)(void *), void *argument, int *failed) {
    struct sn__thread *thread = sn__alloc(1, sizeof *thread);
    *failed = 0;
    if (!thread) return NULL;
#if defined(_WIN32)
    *failed = pthread_create(&thread->handle, NULL, run, argument);
#else
    sigset_t all, before;
    sigfillset(&all);
    const bool masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    *failed = pthread_create(&thread->handle, NULL, run, argument);
    if (masked) pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    if (!*failed) return thread;
    sn__free(thread);
    return NULL;
}

void sn__thread_join(struct sn__thread *thread) {
    pthread_join(thread->handle, NULL);
    sn__free(thread);
}

#endif
