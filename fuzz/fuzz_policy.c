/* Policy files, which pages take from an address. The hash at the end is put right, or nothing else would ever be read. */
#include "fuzz_helpers.h"
#include "sinew/learn.h"

#include "base/hash.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_error error = {0};
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return 0;
    if (size) memcpy(bytes, data, size);
    if (size >= 16) {
        const uint64_t hash = sn__hash(bytes, size - sizeof hash, 0);
        memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    }
    sn_policy *policy = sn_policy_parse(bytes, size, &error);
    if (!policy) {
        if (error.status == SN_OK || !error.message[0]) abort();
    } else {
        sn_policy_data about;
        sn_policy_get(policy, &about);
        const int in = about.width[0], out = about.width[about.layers];
        float *observation = calloc(2 * (size_t)in, sizeof *observation),
              *action = calloc(2 * (size_t)out, sizeof *action);
        if (observation && action) sn_policy_act(policy, 2, observation, action);
        free(observation), free(action);
        const size_t length = sn_policy_write(policy, NULL, 0);
        uint8_t *again = malloc(length + 1);
        if (again && sn_policy_write(policy, again, length) == length) {
            sn_policy *same = sn_policy_parse(again, length, &error);
            if (!same) abort(); /* what was written can be read */
            sn_policy_free(same);
        }
        free(again);
    }
    sn_policy_free(policy);
    free(bytes);
    return 0;
}
