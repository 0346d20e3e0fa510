#include "whole_file.h"

#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, LONGEST = 4096 };

bool is_standard_output(const char *path) {
    return strcmp(path, "-") == 0;
}

FILE *beside_output(const char *path) {
    return is_standard_output(path) ? stderr : stdout;
}

static void release(struct whole_file *w) {
    free(w->path);
    free(w->target);
    free(w->partial);
    *w = (struct whole_file){0};
}

/* Names of what is open already, such as /dev/stdout, and of devices. */
static bool is_of_the_system(const char *path) {
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* A file that names standard output as the system does: it is to be written where that stands, not from its start. */
static bool leads_to_output(const char *target) {
    struct stat what, output;
    return is_of_the_system(target) && stat(target, &what) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
           what.st_dev == output.st_dev && what.st_ino == output.st_ino;
}

/* Where the links at a path lead to, whether anything is there or not. The caller frees it. */
static char *follow_links(const char *path) {
    char *at = copy_text(path), next[LONGEST];
    for (int i = 0; i < MOST_LINKS && !is_of_the_system(at); i++) {
        const ssize_t length = readlink(at, next, sizeof next - 1);
        if (length < 0 || length == sizeof next - 1) break;
        next[length] = '\0';
        const char *slash = strrchr(at, '/');
        const size_t folder = slash && next[0] != '/' ? (size_t)(slash - at) + 1 : 0;
        char *joined = need_memory(NULL, folder + (size_t)length + 1);
        memcpy(joined, at, folder);
        memcpy(joined + folder, next, (size_t)length + 1);
        free(at);
        at = joined;
    }
    return at;
}

/* Regular files are, and what is not there yet. A file the user may not write is not: opening it then says why. */
static bool may_be_replaced(const char *target) {
    struct stat what;
    if (is_of_the_system(target)) return false;
    if (stat(target, &what) != 0) return errno == ENOENT;
    return S_ISREG(what.st_mode) && access(target, W_OK) == 0;
}

/* A new file beside the target, with the rights of what it should replace; NULL: it is not available. */
static FILE *open_partial(const char *partial, const char *target) {
    struct stat what;
    unlink(partial);
    const int descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return NULL;
    if (stat(target, &what) == 0) (void)!fchmod(descriptor, what.st_mode & 07777);
    return fdopen(descriptor, "wb");
}

bool whole_file_open(struct whole_file *w, const char *path) {
    *w = (struct whole_file){.path = copy_text(path), .target = follow_links(path)};
    if (is_standard_output(path) || leads_to_output(w->target)) {
        w->file = stdout;
        return true;
    }
    if (may_be_replaced(w->target)) {
        const size_t size = strlen(w->target) + 32;
        w->partial = need_memory(NULL, size);
        snprintf(w->partial, size, "%s.%ld.partial", w->target, (long)getpid());
        w->file = open_partial(w->partial, w->target);
    }
    if (!w->file) { /* also in a folder that takes no new files */
        free(w->partial);
        w->partial = NULL;
        w->file = fopen(path, "wb");
    }
    if (w->file) return true;
    complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    release(w);
    return false;
}

bool whole_file_close(struct whole_file *w) {
    if (!w->file) return true;
    bool good = !ferror(w->file);
    good = (w->file == stdout ? fflush(stdout) : fclose(w->file)) == 0 && good;
    if (w->partial) good = good && rename(w->partial, w->target) == 0;
    if (!good) {
        if (w->file != stdout) complain(EXIT_FAILED, "%s cannot be written: %s", w->path, strerror(errno));
        if (w->partial) remove(w->partial);
    }
    release(w);
    return good;
}

void whole_file_drop(struct whole_file *w) {
    if (!w->file) return;
    if (w->file != stdout) fclose(w->file);
    if (w->partial) remove(w->partial);
    release(w);
}

char *whole_file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 1 << 16, got = 1;
    while (file && got > 0) {
        if (!text || used + 1 >= room) text = need_memory(text, room = text ? 2 * room : room);
        got = fread(text + used, 1, room - used - 1, file);
        used += got;
    }
    if (!file || ferror(file)) { /* a folder opens, but cannot be read */
        complain(EXIT_FAILED, "%s cannot be read: %s", path, strerror(errno));
        if (file) fclose(file);
        free(text);
        return NULL;
    }
    fclose(file);
    text[used] = '\0';
    if (size) *size = used;
    return text;
}
