/* sinew bench contact --stability: a standing humanoid with gains from soft to stiff and steps from short to long.
 * Does it stand, how deep does it sink, how far does it creep. */
#include "bench_contact.h"

#include "experiment.h"
#include "peer.h"
#include "progress.h"
#include "experiment_print.h"
#include "ground_scene.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { GAINS = 5, STEPS = 4, WAYS = 4 };

static const double gains[GAINS] = {1e3, 1e4, 1e5, 1e6, 1e7};
static const int hertz[STEPS] = {240, 120, 60, 30};
static const struct {
    const char *engine, *contact;
} ways[WAYS] = {{"sinew", "rows"}, {"sinew", "implicit"}, {"mujoco", "implicit"}, {"mujoco", "armature"}};

struct seen {
    bool known, finite;
    double penetration, drift, height;
};

static struct seen watch_ours(const sn_model *model, int way, double kp, double dt, double seconds) {
    struct ground_scene_def def = ground_scene_def_default();
    def.kp = kp;
    def.kd = 0.1 * kp;
    def.world.dt = dt;
    def.world.contact = way == 0 ? SN_CONTACT_ROWS : SN_CONTACT_IMPLICIT;
    struct ground_scene scene;
    sn_error error = {0};
    if (!ground_scene_create(&scene, model, &def, &error)) {
        complain(EXIT_FAILED, "humanoid on the ground: %s", error.message);
        return (struct seen){0};
    }
    const struct watched w = ground_scene_watch(&scene, dt, seconds);
    ground_scene_free(&scene);
    return (struct seen){true, w.finite, w.penetration, w.drift, w.height};
}

static struct seen watch_peer(const struct peer *peer, int way, double kp, double dt, double seconds) {
    const struct peer_run run = {
        .scene = "stand", .method = ways[way].contact, .dt = dt, .seconds = seconds, .kp = kp, .kd = 0.1 * kp};
    cJSON *answer = peer_ask(peer, &run);
    if (!answer) return (struct seen){0};
    const struct seen seen = {true, cJSON_IsTrue(cJSON_GetObjectItem(answer, "finite")),
                              peer_number(answer, "penetration"), peer_number(answer, "drift"),
                              peer_number(answer, "height")};
    cJSON_Delete(answer);
    return seen;
}

/* The root has sunk less than 0.1 m of its 0.9. */
static bool stands(const struct seen *seen) {
    return seen->finite && fabs(seen->height) < 0.1;
}

static void put_row(struct result *result, int way, double kp, double dt, const struct seen *seen) {
    add_row(result, NULL, {"engine", text(ways[way].engine)}, {"contact", text(ways[way].contact)},
            {"kp", number(kp)}, {"dt", number(dt)},
            {"stands", text(!seen->finite  ? "diverges"
                            : stands(seen) ? "stands"
                                           : "topples")},
            {"penetration_mm", number(1e3 * seen->penetration)}, {"drift_m", number(seen->drift)},
            {"height_m", number(seen->height)});
}

static void put_count(struct result *result, int way, int stood, int runs) {
    add_row(result, NULL, {"engine", text(ways[way].engine)}, {"contact", text(ways[way].contact)},
            {"stands", number(stood)}, {"of", number(runs)});
}

int bench_contact_stability(const struct contact_settings *settings) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create("humanoid", &error);
    if (!model) return complain(EXIT_FAILED, "humanoid: %s", error.message);
    struct peer peer;
    struct result rows = {0}, counts = {0};
    const bool found = peer_find(&peer, model);
    const double seconds = settings->quick ? 0.1 : 10.0;
    bool good = true;
    progress_start("bench contact --stability", (found ? WAYS : 2) * GAINS * STEPS);
    for (int w = 0; w < (found ? WAYS : 2); w++) {
        int stood = 0, runs = 0;
        for (int i = 0; i < GAINS * STEPS && good && !interrupted(); i++) {
            const double kp = gains[i / STEPS], dt = 1.0 / hertz[i % STEPS];
            progress_step("%s, %s, kp %g, 1/%d s", ways[w].engine, ways[w].contact, kp, hertz[i % STEPS]);
            const struct seen seen =
                w < 2 ? watch_ours(model, w, kp, dt, seconds) : watch_peer(&peer, w, kp, dt, seconds);
            good = seen.known || interrupted();
            if (!seen.known) break;
            put_row(&rows, w, kp, dt, &seen);
            stood += stands(&seen);
            runs++;
        }
        put_count(&counts, w, stood, runs);
    }
    progress_end();
    cJSON *json = settings->json ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "a humanoid that stands for 10 s, kd = kp / 10", &rows);
    print_part(json, "counts", "how many stand", &counts);
    if (json) print_json(stdout, json);
    peer_free(&peer);
    sn_model_free(model);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return good ? EXIT_DONE : EXIT_FAILED;
}
