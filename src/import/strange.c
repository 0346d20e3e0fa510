/* What a file is that cannot be read, by its first bytes. */
#include "import/strange.h"

#include "import/zip.h"

#include <stdbool.h>
#include <string.h>

static bool starts(const char *data, size_t size, const char *mark, size_t length) {
    return size >= length && memcmp(data, mark, length) == 0;
}
#define STARTS(mark) starts(data, size, mark, sizeof mark - 1)

static bool ends(const struct sn__zip_entry *entry, const char *word) {
    const size_t length = strlen(word);
    return entry->length >= length && memcmp(entry->name + entry->length - length, word, length) == 0;
}

#define BY_NUMPY                                                                                             \
    "in Python, load it and save its arrays: numpy.savez(\"motion.npz\", poses=..., trans=..., "             \
    "mocap_framerate=...) for an SMPL body, or numpy.savetxt(\"motion.csv\", ...) with root place, "         \
    "quaternion "                                                                                            \
    "and joint angles of a robot"

/* Protocols 2 to 5 say so; 0 and 1 are texts that begin with a dictionary, a list or the name of a class. */
static bool is_pickle(const char *data, size_t size) {
    if (size > 2 && data[0] == '\x80' && data[1] >= 2 && data[1] <= 5) return true;
    return STARTS("(dp") || STARTS("(lp") || STARTS("ccopy_reg\n") || STARTS("cnumpy");
}

/* NULL: arrays of numpy, which are read. */
static const char *of_archive(const char *data, size_t size) {
    struct sn__zip_entry entry;
    const char *found = "a zip archive: unpack it and name the file in it";
    for (int i = 0; i < 1000 && sn__zip_entry(data, size, i, &entry); i++) {
        if (ends(&entry, ".npy")) return NULL;
        if (ends(&entry, "data.pkl"))
            found =
                "a file of PyTorch (a pickle), as ProtoMotions has its motions, which is not read: " BY_NUMPY;
    }
    return found;
}

const char *sn__strange_file(const char *data, size_t size) {
    if (STARTS("version https://git-lfs"))
        return "a pointer of Git LFS, not the file itself: run 'git lfs pull' where it comes from";
    if (sn__zip_is(data, size)) return of_archive(data, size);
    if (is_pickle(data, size))
        return "a pickle of Python, as MimicKit and AIST++ have their motions, which is not read: " BY_NUMPY;
    if (STARTS("Kaydara FBX Binary") || STARTS("; FBX"))
        return "an FBX file, which is not read: export BVH from the program that made it";
    if (STARTS("glTF")) return "a glTF file, which is read as a level only. Export BVH for motions.";
    if (STARTS("\x1f\x8b")) return "packed by gzip: unpack it";
    if (STARTS("\x89HDF")) return "an HDF5 file, which is not read: " BY_NUMPY;
    if (STARTS("BLENDER")) return "a file of Blender, which is not read: export BVH";
    if (STARTS("#usda") || STARTS("PXR-USDC")) return "a USD file, which is not read: export MJCF or URDF";
    if (STARTS("solid ") || STARTS("ply\n")) return "a mesh: name the model that uses it";
    return NULL;
}
