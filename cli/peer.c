#include "peer.h"

#include "subject.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program_name[] = "peer_mujoco_ground";

static char *program_in(const char *folder) {
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, program_name);
    return n > 0 && (size_t)n < sizeof path && access(path, X_OK) == 0 ? copy_text(path) : NULL;
}

static char *find_program(void) {
    const char *folder = getenv("SINEW_PEERS");
    if (folder && folder[0]) return program_in(folder);
    char here[PATH_MAX - 16];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length <= 0) return NULL;
    here[length] = '\0';
    char *end = strrchr(here, '/');
    if (!end) return NULL;
    *end = '\0';
    char beside[PATH_MAX];
    snprintf(beside, sizeof beside, "%s/../bench", here);
    return program_in(beside);
}

/* A file of our own with a name that ends as sn_model_save wants it. */
static char *temporary_file(void) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/sinew-XXXXXX.xml", folder && folder[0] ? folder : "/tmp");
    const int file = n > 0 && (size_t)n < sizeof path ? mkstemps(path, 4) : -1;
    if (file < 0) return NULL;
    close(file);
    return copy_text(path);
}

bool peer_find(struct peer *peer, const sn_model *model) {
    *peer = (struct peer){.program = find_program()};
    if (!peer->program) {
        complain(EXIT_FAILED, "%s was not found (see SINEW_PEERS): only our own rows are measured",
                 program_name);
        return false;
    }
    sn_error error = {0};
    peer->model = temporary_file();
    const char *wrong = strerror(errno);
    if (peer->model) wrong = sn_model_save(model, peer->model, &error) == SN_OK ? NULL : error.message;
    if (!wrong) return true;
    complain(EXIT_FAILED, "cannot write the character for %s: %s", program_name, wrong);
    peer_free(peer);
    return false;
}

void peer_free(struct peer *peer) {
    if (peer->model) unlink(peer->model);
    free(peer->model);
    free(peer->program);
    *peer = (struct peer){0};
}

/* Everything the child writes, and its exit code. */
static char *read_child(int from, pid_t child, int *code) {
    size_t size = 0, room = 4096;
    char *text = need_memory(NULL, room);
    for (ssize_t n; (n = read(from, text + size, room - size - 1)) != 0;) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        size += (size_t)n;
        if (size + 1 == room) text = need_memory(text, room *= 2);
    }
    text[size] = '\0';
    close(from);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text;
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
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0) {
        complain(EXIT_FAILED, "%s: %s", program_name, strerror(errno));
        return NULL;
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(peer->program, (char *const *)argv);
        _exit(127);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        complain(EXIT_FAILED, "%s: %s", program_name, strerror(errno));
        return NULL;
    }
    int code = 0;
    char *printed = read_child(ends[0], child, &code);
    cJSON *answer = code == 0 ? cJSON_Parse(printed) : NULL;
    if (!answer && !interrupted()) complain(EXIT_FAILED, "%s failed (exit code %d)", program_name, code);
    free(printed);
    return answer;
}

double peer_number(const struct cJSON *answer, const char *key) {
    const cJSON *value = cJSON_GetObjectItem(answer, key);
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}
