#include "throws.h"

#include "parts.h"

#include <string.h>

const struct reaction_scene reaction_scene[REACTION_SCENES] = {
    {"soccer (light)", "kick", SCENE_KICK, 0.11, 0.43, 0, 0, 8, 0.1, 0.5, 2e-4},
    {"soccer (heavy)", "kick", SCENE_KICK, 0.11, 5, 0, 0, 8, 0.1, 0.5, 2e-4},
    {"volleyball (slow)", "pass", SCENE_PASS, 0.105, 0.27, 4, 0.6, 8, 0.1, 0.5, 4e-4},
    {"volleyball (fast)", "pass", SCENE_PASS, 0.105, 0.27, 16, 0.6, 16, 0.1, 0.5, 4e-5},
    {"basketball (slow)", "catch", SCENE_CATCH, 0.12, 0.62, 4, 0.6, 16, 0.6, 5, 0.025},
    {"basketball (fast)", "catch", SCENE_CATCH, 0.12, 0.62, 12, 0.6, 16, 0.6, 5, 0.025},
};

void point_of_body(const double *pose, int body, const double local[3], double place[3]) {
    const double *p = pose + 7 * body, *r = p + 3, *v = r + 1;
    const double c[3] = {v[1] * local[2] - v[2] * local[1], v[2] * local[0] - v[0] * local[2],
                         v[0] * local[1] - v[1] * local[0]};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        place[k] = p[k] + local[k] + 2 * (r[0] * c[k] + v[i] * c[j] - v[j] * c[i]);
    }
}

/* Where the ball should be met, and the way it comes: in front of the toe; above the forearms; between the hands. */
static void meeting(struct thrown *t, const struct reaction_scene *s, double place[3], double way[3]) {
    static const char *const names[2] = {"right_forearm", "left_forearm"};
    const double middle[3] = {0, 0, s->kind == SCENE_PASS ? -0.16 : -0.259};
    double q[SCENE_VALUES], qd[SCENE_VALUES], pose[SCENE_VALUES], hand[2][3];
    memset(way, 0, 3 * sizeof *way);
    if (s->kind == SCENE_KICK) {
        const double lies[3] = {0.47, -0.085, s->radius};
        memcpy(place, lies, sizeof lies);
        return;
    }
    sn_motion_sample(t->motion, s->arrives, q, qd);
    sn_world_set_state(t->world, 0, q, NULL);
    sn_world_get(t->world, 0, SN_FIELD_BODY_POSE, 0, 1, pose);
    for (int side = 0; side < 2; side++)
        point_of_body(pose, sn_model_find_body(t->human, names[side]), middle, hand[side]);
    for (int k = 0; k < 3; k++)
        place[k] = 0.5 * (hand[0][k] + hand[1][k]);
    if (s->kind == SCENE_PASS)
        place[2] += 0.02, way[0] = -0.8, way[2] = -0.6;
    else
        place[0] += 0.1, way[0] = -1;
}

static void throw_ball(struct thrown *t, const struct reaction_scene *s, double dt) {
    double place[3], way[3], state[7] = {0, 0, 0, 1}, velocity[6] = {0};
    meeting(t, s, place, way);
    for (int k = 0; k < 3; k++) {
        const double g = k == 2 && s->speed > 0 ? -9.81 : 0;
        velocity[k] = s->speed * way[k] - g * s->arrives;
        /* as the steps have it: after n of them n (n + 1) / 2 g dt^2 */
        state[k] = place[k] - velocity[k] * s->arrives - 0.5 * g * s->arrives * (s->arrives + dt);
    }
    sn_world_set_state(t->world, 1, state, velocity);
}

/* A table just under the ball, which no foot comes near. */
static bool add_table(sn_world *world, sn_error *error) {
    const sn_shape_def table = box_of(0.05, 0.05, 0.01, 0);
    const double place[3] = {0.5, -0.085, -0.0101};
    return sn_world_add_shape(world, &table, place, (const double[4]){1, 0, 0, 0}, error) >= 0;
}

static bool make_models(struct thrown *t, const struct reaction_scene *scene, sn_error *error) {
    const sn_joint_def free_joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_shape_def ball = sphere_of(scene->radius, scene->mass);
    ball.restitution = scene->kind == SCENE_CATCH ? 0 : 0.6;
    t->human = sn_builtin_create("humanoid", error);
    t->ball = t->human ? one_body_model("ball", &free_joint, &ball, error) : NULL;
    t->motion = t->ball ? sn_builtin_motion_create(scene->motion, t->human, error) : NULL;
    return t->motion != NULL;
}

bool thrown_create(struct thrown *t, const struct reaction_scene *scene, double dt, sn_form form,
                   sn_error *error) {
    double q[SCENE_VALUES], qd[SCENE_VALUES];
    sn_world_def def = sn_world_def_default();
    def.setting = SN_SETTING_EXACT, def.products = SN_PRODUCTS_EXPLICIT;
    def.dt = dt, def.form = form;
    def.joint_limits = false, def.contact = SN_CONTACT_ROWS;
    *t = (struct thrown){0};
    if (!make_models(t, scene, error)) return false;
    t->world = sn_world_create(&def, error);
    if (!t->world || sn_world_add(t->world, t->human, error) != 0 ||
        sn_world_add(t->world, t->ball, error) != 1 ||
        (scene->kind == SCENE_KICK && !add_table(t->world, error)))
        return false;
    throw_ball(t, scene, dt);
    sn_motion_sample(t->motion, 0, q, qd);
    return sn_world_set_state(t->world, 0, q, qd) == SN_OK;
}

sn_status thrown_react(struct thrown *t, const struct reaction_scene *scene, double threshold) {
    sn_reaction_def reaction = sn_reaction_def_default();
    reaction.threshold = threshold, reaction.reaction = scene->reaction;
    reaction.hold = scene->hold, reaction.recover = scene->recover;
    return sn_world_set_reaction(t->world, 0, &reaction);
}

void thrown_free(struct thrown *t) {
    sn_world_free(t->world);
    sn_motion_free(t->motion);
    sn_model_free(t->ball);
    sn_model_free(t->human);
    *t = (struct thrown){0};
}
