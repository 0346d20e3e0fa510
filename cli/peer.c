#include "peer.h"

#include "platform.h"
#include "subject.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char program_name[] = "peer_mujoco_ground";

static char *program_in(const char *folder, const char *name) {
    char path[LONGEST_PATH];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && (size_t)n < sizeof path && can_run(path) ? copy_text(path) : NULL;
}

char *peer_program(const char *name) {
    const char *folder = getenv("SINEW_PEERS");
    if (folder && folder[0]) return program_in(folder, name);
    char here[LONGEST_PATH], beside[LONGEST_PATH + 16];
    own_folder(here);
    snprintf(beside, sizeof beside, "%s/../bench", here);
    return program_in(beside, name);
}

/* A file of our own with a name that ends as sn_model_save wants it. */
static char *model_file(void) {
    char path[LONGEST_PATH];
    return temporary_file("sinew", ".xml", path) ? copy_text(path) : NULL;
}

bool peer_find(struct peer *peer, const sn_model *model) {
    *peer = (struct peer){.program = peer_program(program_name)};
    if (!peer->program) {
        complain(EXIT_FAILED, "%s was not found (see SINEW_PEERS): only our own rows are measured",
                 program_name);
        return false;
    }
    sn_error error = {0};
    peer->model = model_file();
    const char *wrong = strerror(errno);
    if (peer->model) wrong = sn_model_save(model, peer->model, &error) == SN_OK ? NULL : error.message;
    if (!wrong) return true;
    complain(EXIT_FAILED, "cannot write the character for %s: %s", program_name, wrong);
    peer_free(peer);
    return false;
}

void peer_free(struct peer *peer) {
    if (peer->model) remove_file(peer->model);
    free(peer->model);
    free(peer->program);
    *peer = (struct peer){0};
}

struct cJSON *peer_ask(const struct peer *peer, const struct peer_run *run) {
    char value[7][32];
    const bool own = run->hertz > 0;
    const double number[4] = {run->dt, run->seconds, run->kp, run->kd};
    for (int i = 0; i < 4; i++)
        snprintf(value[i], sizeof value[i], "%.17g", number[i]);
    snprintf(value[4], sizeof value[4], "%d", run->repeat);
    snprintf(value[5], sizeof value[5], "%.17g", run->hertz);
    snprintf(value[6], sizeof value[6], "%.17g", run->sway);
    const char *const argv[] = {
        peer->program, peer->model, "--scene",   run->scene,     "--method",    run->method,
        "--dt",        value[0],    "--seconds", value[1],       "--kp",        value[2],
        "--kd",        value[3],    "--repeat",  value[4],       "--root-free", own ? "--hertz" : NULL,
        value[5],      "--sway",    value[6],    "--root-still", (char *)NULL};
    size_t size = 0;
    char *printed = NULL;
    const int code = run_program(argv, run->quiet, &printed, &size);
    cJSON *answer = code == 0 ? cJSON_Parse(printed) : NULL;
    if (!answer && !run->quiet && !interrupted())
        complain(EXIT_FAILED, "%s failed (exit code %d)", program_name, code);
    free(printed);
    return answer;
}

double peer_number(const struct cJSON *answer, const char *key) {
    const cJSON *value = cJSON_GetObjectItem(answer, key);
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}
