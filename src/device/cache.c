/* Compiled programs on the disk: "sinewcl1", the hash of the bytes, then the bytes. */
#include "device/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/platform.h"

static const char MAGIC[8] = "sinewcl1";
enum { HEAD = 16, MOST = 1 << 28 };

/* The path of a program; makes the folder if `make`. False: there is no place for it. */
static bool path_of(uint64_t hash, bool make, char path[1024]) {
    const char *const variable[] = {"XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"};
    const char *folder = NULL;
    int i = 0;
    for (; i < 3 && !(folder && *folder); i++)
        folder = getenv(variable[i]);
    if (!folder || !*folder) return false;
    const int n = snprintf(path, 900, "%s%s", folder, i == 3 ? "/.cache" : "");
    if (n < 0 || n >= 900) return false;
    if (make) sn__platform_make_folder(path);
    snprintf(path + n, 100, "/sinew");
    if (make) sn__platform_make_folder(path);
    snprintf(path + n, 100, "/sinew/%016llx.clbin", (unsigned long long)hash);
    return true;
}

unsigned char *sn__cache_read(uint64_t hash, size_t *size) {
    char path[1024], magic[8];
    uint64_t sum = 0;
    FILE *file = path_of(hash, false, path) ? sn__platform_open(path, "rb") : NULL;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long all = ftell(file);
    rewind(file);
    const bool headed = all > HEAD && all < MOST && fread(magic, 8, 1, file) == 1 &&
                        fread(&sum, 8, 1, file) == 1 && !memcmp(magic, MAGIC, 8);
    *size = headed ? (size_t)all - HEAD : 0;
    unsigned char *program = headed ? sn__alloc(*size, 1) : NULL;
    const bool good =
        program && fread(program, 1, *size, file) == *size && sn__hash(program, *size, 0) == sum;
    fclose(file);
    if (good) return program;
    sn__free(program);
    return NULL;
}

void sn__cache_write(uint64_t hash, const unsigned char *program, size_t size) {
    char path[1024], part[1100];
    if (!path_of(hash, true, path)) return;
    const uint64_t sum = sn__hash(program, size, 0);
    snprintf(part, sizeof part, "%s.%ld", path, sn__platform_process());
    FILE *file = sn__platform_open(part, "wb");
    if (!file) return;
    const bool good = fwrite(MAGIC, 8, 1, file) == 1 && fwrite(&sum, 8, 1, file) == 1 &&
                      fwrite(program, 1, size, file) == size;
    if (fclose(file) != 0 || !good || !sn__platform_replace(part, path)) remove(part);
}
