/* Height fields: an asset of nrow rows along y and ncol columns along x, its heights brought to 0 ... 1 and then to the size's
 * third number. The rows of `elevation` and of pictures run from the far side to the near one, those of MuJoCo's own files the
 * other way. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "import/load.h"
#include "import/picture.h"

#include <math.h>
#include <string.h>

enum { MAX_FIELDS = 256, MOST_POINTS = SN__PICTURE_SIDE };

struct mjcf_hfield {
    char *name; /* given, or that of the file without folders and ending */
    int nrow, ncol;
    double size[4]; /* half the extent along x and y, top, base */
    double *height; /* [nrow][ncol] from the near side, 0 ... 1 */
};

void sn__mjcf_hfields_free(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->nhfield; i++)
        sn__free_all(mjcf->hfield[i].name, mjcf->hfield[i].height);
    sn__free(mjcf->hfield);
}

static bool allocate(struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_hfield *field) {
    if (field->nrow < 2 || field->ncol < 2 || field->nrow > MOST_POINTS || field->ncol > MOST_POINTS ||
        (long)field->nrow * field->ncol > SN__PICTURE_POINTS) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT,
                     "has %d by %d points: there should be 2 to %d each way, and 4194304 at most",
                     field->nrow, field->ncol, (int)MOST_POINTS);
        return false;
    }
    field->height = sn__alloc((size_t)field->nrow * (size_t)field->ncol, sizeof *field->height);
    return field->height || sn__mjcf_no_memory(mjcf);
}

/* Two whole numbers, rows and columns, then as many floats; the lowest byte first. */
static bool read_binary(struct mjcf *mjcf, const struct sn__xml_node *node, const char *file,
                        const char *text, size_t size, struct mjcf_hfield *field) {
    int32_t rows[2] = {0, 0};
    if (size >= sizeof rows) memcpy(rows, text, sizeof rows);
    field->nrow = rows[0], field->ncol = rows[1];
    if (rows[0] < 2 || rows[1] < 2 || size != sizeof rows + 4 * (size_t)rows[0] * (size_t)rows[1]) {
        sn__xml_fail_attribute(node, "file", mjcf->error,
                               "'%.200s' is not a height field in MuJoCo's binary format", file);
        return false;
    }
    if (!allocate(mjcf, node, field)) return false;
    for (int i = 0; i < field->nrow * field->ncol; i++) {
        float height;
        memcpy(&height, text + sizeof rows + 4 * (size_t)i, sizeof height);
        if (!isfinite(height)) {
            sn__xml_fail_attribute(node, "file", mjcf->error, "'%.200s': a height is not finite", file);
            return false;
        }
        field->height[i] = (double)height;
    }
    return true;
}

/* True and no heights: this library reads no pictures, and it is reported. */
static bool read_picture(struct mjcf *mjcf, const struct sn__xml_node *node, const char *file,
                         const char *text, size_t size, struct mjcf_hfield *field) {
    struct sn__picture picture;
    sn_error why;
    const sn_status status = sn__picture_read(text, size, &picture, &why);
    if (status == SN_ERROR_MEMORY) return sn__mjcf_no_memory(mjcf);
    if (status == SN_ERROR_UNSUPPORTED) {
        sn__mjcf_warn_once(mjcf, node, "picture", "is flat here: %s", why.message);
        return true;
    }
    if (status != SN_OK) {
        sn__xml_fail_attribute(node, "file", mjcf->error, "'%.200s': %s", file, why.message);
        return false;
    }
    field->nrow = picture.rows, field->ncol = picture.columns;
    const bool good = allocate(mjcf, node, field);
    for (int i = 0; good && i < picture.rows; i++)
        for (int k = 0; k < picture.columns; k++)
            field->height[(picture.rows - 1 - i) * picture.columns + k] =
                picture.value[i * picture.columns + k];
    sn__free(picture.value);
    return good;
}

/* The file's bytes: where it should be, or by its bare name beside the model. NULL and why. */
static char *find_file(struct mjcf *mjcf, const struct sn__xml_node *node, const char *file, size_t *size,
                       sn_error *why) {
    char *path = sn__mjcf_path_from(mjcf, node, mjcf->compiler.meshdir, file), *text = NULL;
    sn_error unused;
    if (path && !sn__mjcf_is_file(path)) {
        char *beside = sn__mesh_find(mjcf->path, file, &unused);
        if (beside) sn__free(path), path = beside;
    }
    if (!path)
        sn__xml_fail(node, why, SN_ERROR_MEMORY, "out of memory");
    else if (!sn__mjcf_is_file(path))
        sn__xml_fail(node, why, SN_ERROR_FILE, "'%.200s' is not a file", file);
    else if (!(text = sn__file_read(path, size, why))) {
        sn_error reason = *why;
        sn__xml_fail(node, why, reason.status, "%s", reason.message);
    }
    sn__free(path);
    return text;
}

static bool read_file(struct mjcf *mjcf, const struct sn__xml_node *node, const char *file,
                      struct mjcf_hfield *field) {
    sn_error why = {.status = SN_OK};
    size_t size = 0;
    char *text = find_file(mjcf, node, file, &size, &why);
    if (!text) {
        if (mjcf->error) *mjcf->error = why;
        return false;
    }
    const bool good = sn__picture_is_png(text, size) ? read_picture(mjcf, node, file, text, size, field)
                                                     : read_binary(mjcf, node, file, text, size, field);
    sn__free(text);
    return good;
}

static bool read_elevation(struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_hfield *field) {
    if (!allocate(mjcf, node, field)) return false;
    if (!sn__xml_string(node, "elevation")) return true; /* flat, until a program says otherwise */
    const int count = field->nrow * field->ncol;
    if (sn__xml_vector(node, "elevation", count, field->height, mjcf->error) < 0) return false;
    for (int row = 0; row < field->nrow / 2; row++)
        for (int k = 0; k < field->ncol; k++) {
            double *near = &field->height[row * field->ncol + k];
            double *far = &field->height[(field->nrow - 1 - row) * field->ncol + k], swap = *near;
            *near = *far, *far = swap;
        }
    return true;
}

static void normalise(struct mjcf_hfield *field) {
    const int count = field->height ? field->nrow * field->ncol : 0;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, field->height[i]), most = fmax(most, field->height[i]);
    for (int i = 0; i < count; i++)
        field->height[i] = most > least ? (field->height[i] - least) / (most - least) : 0;
}

bool sn__mjcf_hfield_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    struct mjcf_hfield field = {0};
    const char *file = sn__xml_string(node, "file");
    if (!mjcf->scene) return true;
    if (mjcf->nhfield == MAX_FIELDS) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE, "is one too many: at most %d are read",
                     (int)MAX_FIELDS);
        return false;
    }
    int sized = sn__xml_vector(node, "size", 4, field.size, mjcf->error);
    if (sized < 0 || sn__xml_integer(node, "nrow", &field.nrow, mjcf->error) < 0 ||
        sn__xml_integer(node, "ncol", &field.ncol, mjcf->error) < 0)
        return false;
    if (sized == 0 || !(field.size[0] > 0 && field.size[1] > 0 && field.size[2] > 0)) {
        sn__xml_fail_attribute(node, "size", mjcf->error, "should be four positive numbers");
        return false;
    }
    struct mjcf_hfield *grown =
        sn__grow(mjcf->hfield, &mjcf->hfield_capacity, mjcf->nhfield + 1, sizeof *grown);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    mjcf->hfield = grown;
    field.name = sn__mjcf_asset_name(node);
    if (!field.name) return sn__mjcf_no_memory(mjcf);
    bool good = file && file[0] ? read_file(mjcf, node, file, &field) : read_elevation(mjcf, node, &field);
    normalise(&field);
    mjcf->hfield[mjcf->nhfield++] = field;
    return good;
}

bool sn__mjcf_hfield_ground(struct mjcf *mjcf, const struct sn__xml_node *node, const char *name,
                            struct sn__scene_ground *ground) {
    const struct mjcf_hfield *field = NULL;
    for (int i = 0; i < mjcf->nhfield && !field; i++)
        if (strcmp(mjcf->hfield[i].name, name) == 0) field = &mjcf->hfield[i];
    if (!field) {
        sn__xml_fail_attribute(node, "hfield", mjcf->error, "there is no height field '%.63s'", name);
        return false;
    }
    const int count = field->height ? field->nrow * field->ncol : 4;
    double *height = sn__alloc((size_t)count, sizeof *height);
    if (!height) return sn__mjcf_no_memory(mjcf);
    for (int i = 0; i < count && field->height; i++)
        height[i] = field->size[2] * field->height[i];
    ground->field = (sn_heightfield_def){
        .struct_size = sizeof(sn_heightfield_def),
        .nx = field->height ? field->ncol : 2,
        .ny = field->height ? field->nrow : 2,
        .size = {2 * field->size[0], 2 * field->size[1]},
        .origin = {-field->size[0], -field->size[1], 0},
        .height = height,
    };
    return true;
}
