/* What tests that ask MuJoCo share. */
#ifndef SINEW_TESTS_MUJOCO_HELPERS_H
#define SINEW_TESTS_MUJOCO_HELPERS_H

#include "run_tests.h"

#include <mujoco/mujoco.h>

#include <stdlib.h>
#include <string.h>

/* The model of a text in memory; NULL and why. */
static inline mjModel *mujoco_of_text(const char *text, size_t size, char reason[1000]) {
    mjVFS *vfs = malloc(sizeof *vfs);
    assert_non_null(vfs);
    mj_defaultVFS(vfs);
    assert_int_equal(mj_makeEmptyFileVFS(vfs, "text.xml", (int)size), 0);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, "text.xml")], text, size);
    mjModel *model = mj_loadXML("text.xml", vfs, reason, 1000);
    mj_deleteVFS(vfs);
    free(vfs);
    return model;
}

#endif
