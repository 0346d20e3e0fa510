/* PNG by libpng. Its errors come back by longjmp: all that must outlive one is in struct reading, which is not on the stack of
 * the function that jumps, and rows are read one by one into memory that is there before the first of them. */
#include "import/picture.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

bool sn__picture_is_png(const char *data, size_t size) {
    return size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0;
}

#if !SN__HAVE_PNG

sn_status sn__picture_read(const char *data, size_t size, struct sn__picture *picture, sn_error *error) {
    (void)data, (void)size;
    *picture = (struct sn__picture){0};
    return sn__fail(error, SN_ERROR_UNSUPPORTED,
                    "pictures cannot be read: libpng was not there to build with");
}

#else

#include <png.h>
#include <setjmp.h>

struct reading {
    const char *data;
    size_t size, at;
    png_structp png;
    png_infop info;
    png_bytep line; /* all rows, where they are interlaced */
    struct sn__picture picture;
    char message[160];
};

static PNG_NORETURN void complain(png_structp png, png_const_charp message) {
    struct reading *r = png_get_error_ptr(png);
    strncpy(r->message, message, sizeof r->message - 1);
    png_longjmp(png, 1);
}

static void be_silent(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}

static void give(png_structp png, png_bytep to, size_t count) {
    struct reading *r = png_get_io_ptr(png);
    if (count > r->size - r->at) png_error(png, "it ends too soon");
    memcpy(to, r->data + r->at, count);
    r->at += count;
}

/* Every kind of picture as 8 bits of grey, or of red, green and blue: lower depths are widened, palettes looked up, of 16 bits
   the upper 8 count, and what is transparent is not. Gamma is left as it is: these are heights. */
static void ask_for_bytes(struct reading *r) {
    png_set_expand(r->png);
    png_set_strip_16(r->png);
    png_set_strip_alpha(r->png);
}

static void decode(struct reading *r) {
    png_set_user_limits(r->png, SN__PICTURE_SIDE, SN__PICTURE_SIDE);
    png_set_chunk_malloc_max(r->png, 1 << 22);
    png_set_read_fn(r->png, r, give);
    png_read_info(r->png, r->info);
    const int rows = (int)png_get_image_height(r->png, r->info);
    const int columns = (int)png_get_image_width(r->png, r->info);
    if ((long)rows * columns > SN__PICTURE_POINTS) png_error(r->png, "it is too large");
    ask_for_bytes(r);
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    const size_t stride = png_get_rowbytes(r->png, r->info), samples = png_get_channels(r->png, r->info);
    r->picture = (struct sn__picture){rows, columns, sn__alloc((size_t)rows * (size_t)columns, 1)};
    r->line = sn__alloc(passes > 1 ? (size_t)rows : 1, stride);
    if (!r->picture.value || !r->line) png_error(r->png, "out of memory");
    for (int pass = 0; pass < passes; pass++)
        for (int row = 0; row < rows; row++) {
            png_bytep line = r->line + (passes > 1 ? (size_t)row * stride : 0);
            png_read_row(r->png, line, NULL);
            for (int k = 0; k < columns; k++)
                r->picture.value[(size_t)row * (size_t)columns + (size_t)k] = line[(size_t)k * samples];
        }
}

/* libpng's and zlib's words for it, and our own. */
static bool lacks_memory(const struct reading *r) {
    return strstr(r->message, "memory") || strstr(r->message, "Memory");
}

static bool try_to_decode(struct reading *r) {
    if (setjmp(png_jmpbuf(r->png))) return false;
    decode(r);
    return true;
}

sn_status sn__picture_read(const char *data, size_t size, struct sn__picture *picture, sn_error *error) {
    *picture = (struct sn__picture){0};
    struct reading *r = sn__alloc(1, sizeof *r);
    if (!r) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    r->data = data, r->size = size;
    r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, complain, be_silent);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    const bool good = r->info && try_to_decode(r);
    sn_status status = SN_OK;
    if (good)
        *picture = r->picture;
    else if (!r->info || lacks_memory(r))
        status = sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    else
        status = sn__fail(error, SN_ERROR_FORMAT, "it is not a picture that can be read: %s", r->message);
    if (!good) sn__free(r->picture.value);
    if (r->png) png_destroy_read_struct(&r->png, r->info ? &r->info : NULL, NULL);
    sn__free(r->line);
    sn__free(r);
    return status;
}

#endif
