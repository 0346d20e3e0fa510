#include "base/definition.h"
#include "import/load.h"

#include "base/memory.h"
#include "base/platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sn__load_begin(const char *path, const sn_model *model, const sn_load_def *options, sn_load_def *own,
                    sn_error *error) {
    sn__succeed(error);
    if (!sn__definition_take_or("sn_load_def", options, own, error)) return false;
    if (path && model) return true;
    sn__fail(error, SN_ERROR_ARGUMENT, "there is no path or no model");
    return false;
}

char *sn__file_read(const char *path, size_t *size, sn_error *error) {
    FILE *file = sn__platform_open(path, "rb");
    if (!file) {
        sn__fail(error, SN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    int capacity = 0;
    size_t length = 0, got;
    const char *reason = NULL;
    errno = 0;
    do { /* in pieces: what it says of its size is not to be trusted, pipes say nothing */
        char *grown = sn__grow(text, &capacity, (int)length + (64 << 10) + 1, 1);
        if (!grown) {
            reason = "out of memory";
            break;
        }
        text = grown;
        got = fread(text + length, 1, (size_t)capacity - length - 1, file);
        length += got;
        if (length > SN__MAX_FILE) reason = "it is larger than 256 MB";
    } while (got > 0 && !reason);
    if (!reason && ferror(file)) reason = errno ? strerror(errno) : "reading failed";
    fclose(file);
    if (reason) {
        sn__fail(error, SN_ERROR_FILE, "%s: cannot be read: %s", path, reason);
        sn__free(text);
        return NULL;
    }
    text[length] = '\0';
    *size = length;
    return text;
}

static void pass_on(void (*whom)(void *user, const char *message), void *user, const char *format,
                    va_list arguments) {
    char message[1024]; /* room for a long path */
    if (!whom) return;
    vsnprintf(message, sizeof message, format, arguments);
    whom(user, message);
}

void sn__warn(const sn_load_def *options, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pass_on(options->warn, options->user, format, arguments);
    va_end(arguments);
}

void sn__note(const sn_load_def *options, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pass_on(options->note, options->user, format, arguments);
    va_end(arguments);
}

sn_model *sn__finish_model(sn_builder *builder, const char *path, sn_error *error) {
    sn_error why = {.status = SN_ERROR_MEMORY, .message = "out of memory"};
    sn_model *model = builder ? sn_builder_build(builder, &why) : NULL;
    sn_builder_free(builder);
    if (!model) sn__fail(error, why.status, "%s: %s", path, why.message);
    return model;
}

size_t sn__folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

char *sn__path_beside(const char *beside, const char *name) {
    size_t folder = name[0] == '/' ? 0 : sn__folder_length(beside), length = strlen(name);
    char *path = sn__alloc(folder + length + 1, 1);
    if (!path) return NULL;
    memcpy(path, beside, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}
