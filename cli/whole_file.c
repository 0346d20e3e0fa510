#include "whole_file.h"

#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void release(struct whole_file *w) {
    free(w->path);
    free(w->partial);
    *w = (struct whole_file){0};
}

bool whole_file_open(struct whole_file *w, const char *path) {
    *w = (struct whole_file){.path = copy_text(path), .partial = need_memory(NULL, strlen(path) + 9)};
    sprintf(w->partial, "%s.partial", path);
    w->file = fopen(w->partial, "wb");
    if (w->file) return true;
    complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    release(w);
    return false;
}

bool whole_file_close(struct whole_file *w) {
    if (!w->file) return true;
    bool good = !ferror(w->file);
    good = fclose(w->file) == 0 && good;
    good = good && rename(w->partial, w->path) == 0;
    if (!good) {
        complain(EXIT_FAILED, "%s cannot be written: %s", w->path, strerror(errno));
        remove(w->partial);
    }
    release(w);
    return good;
}

void whole_file_drop(struct whole_file *w) {
    if (!w->file) return;
    fclose(w->file);
    remove(w->partial);
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
