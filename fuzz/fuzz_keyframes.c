/* Keyframes in JSON, of the built-in mouse: what is read gives finite drives and poses at every time. */
#include "motion/keyframes.h"
#include "fuzz_helpers.h"

#include <math.h>

static void check_finite(int n, const double *x) {
    for (int i = 0; i < n; i++)
        if (isnan(x[i])) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static sn_model *mouse;
    static double q[128], kp[128], kd[128], target[128], qd[128];
    sn_error error = {0};
    if (!mouse) mouse = sn_builtin_create("mouse", NULL);
    sn_load_def options = sn_load_def_default();
    options.text = size ? (const char *)data : "", options.size = size;
    sn_keyframes *keys = sn_keyframes_load("fuzz", mouse, &options, &error);
    if (!keys) {
        if (!error.message[0]) __builtin_trap();
        return 0;
    }
    for (int i = 0; i < sn_keyframes_get(keys)->count && i < 8; i++) {
        const double time = sn_keyframes_get(keys)->time[i];
        sn_keyframes_spline(keys, sn_keyframes_get(keys)->time[i], q, NULL);
        if (!(fabs(time) < 1e6)) continue; /* beyond it a difference of times means nothing */
        sn_keyframes_spline(keys, time + 0.01, target, qd);
        sn__keyframes_drive(keys, time - 0.01, 0.01, q, kp, kd, target);
        check_finite(sn_model_get(mouse)->nv, kp);
    }
    sn_keyframes_free(keys);
    return 0;
}
