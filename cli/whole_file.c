#include "whole_file.h"

#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 40 };

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

/* Where the links at a path lead to, whether anything is there or not. The caller frees it. */
static char *follow_links(const char *path) {
    char *at = copy_text(path), next[LONGEST_PATH];
    for (int i = 0; i < MOST_LINKS && !is_device(at) && read_link(at, next); i++) {
        const char *slash = strrchr(at, '/');
        const size_t folder = slash && next[0] != '/' ? (size_t)(slash - at) + 1 : 0;
        char *joined = need_memory(NULL, folder + strlen(next) + 1);
        memcpy(joined, at, folder);
        strcpy(joined + folder, next);
        free(at);
        at = joined;
    }
    return at;
}

bool whole_file_open(struct whole_file *w, const char *path) {
    *w = (struct whole_file){.path = copy_text(path), .target = follow_links(path)};
    if (is_standard_output(path) || is_the_output(w->target)) {
        w->file = stdout;
        return true;
    }
    if (is_replaceable(w->target)) {
        const size_t size = strlen(w->target) + 32;
        w->partial = need_memory(NULL, size);
        snprintf(w->partial, size, "%s.%ld.partial", w->target, platform_process());
        remove_file(w->partial);
        w->file = open_new_file(w->partial, w->target);
    }
    if (!w->file) { /* also in a folder that takes no new files */
        free(w->partial);
        w->partial = NULL;
        w->file = open_file(path, "wb");
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
    if (w->partial) good = good && replace_file(w->partial, w->target);
    if (!good) {
        if (w->file != stdout) complain(EXIT_FAILED, "%s cannot be written: %s", w->path, strerror(errno));
        if (w->partial) remove_file(w->partial);
    }
    release(w);
    return good;
}

void whole_file_drop(struct whole_file *w) {
    if (!w->file) return;
    if (w->file != stdout) fclose(w->file);
    if (w->partial) remove_file(w->partial);
    release(w);
}

char *whole_file_read(const char *path, size_t *size) {
    FILE *file = open_file(path, "rb");
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
