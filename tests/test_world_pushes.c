/* Two humanoids in a heap with ten balls, pushed at random: nothing is read or written out of place (under the
 * sanitizers), nothing ends up not finite. SINEW_SOAK says how many steps; `make soak` takes 10000 under sanitizers. */
#include <stdlib.h>

#include "world_helpers.h"

enum { BALLS = 10 };

static void push_at_random(struct rng *rng, sn_world *w) {
    for (int i = 0; i < sn_world_get_info(w).members; i++) {
        const sn_model *model = sn_world_model(w, i);
        const int body = (int)uniform(rng, 0, sn_model_get(model)->nbody - 1e-9);
        const double size = 10 * sn_model_get(model)->mass;
        const double force[3] = {uniform(rng, -size, size), uniform(rng, -size, size),
                                 uniform(rng, -size, size)};
        assert_int_equal(sn_world_push(w, i, body, uniform(rng, 0, 1) < 0.5 ? force : NULL, NULL, INFINITY),
                         SN_OK);
    }
}

static void push_around(const sn_world_def *given, int steps) {
    struct rng rng = {11};
    sn_world_def def = *given;
    def.self_contact = true;
    sn_world *w = world_of(&def);
    const double turn[4] = {1, 0, 0, 0};
    sn_model *humanoid = sn_builtin_create("humanoid", NULL);
    sn_shape_def sphere = sn_shape_def_default(SN_SHAPE_SPHERE);
    sphere.size[0] = 0.12, sphere.mass = 2, sphere.restitution = 0.5;
    sn_model *ball = free_body(&sphere);
    floor_of(w, NULL);
    const double wall[4][6] = {
        {-2, 0, 0, 1, 0, 0}, {2, 0, 0, -1, 0, 0}, {0, -2, 0, 0, 1, 0}, {0, 2, 0, 0, -1, 0}};
    for (int i = 0; i < 4; i++)
        assert_true(sn_world_add_plane(w, wall[i], wall[i] + 3, NULL, NULL) >= 0);
    double q[MAX_NQ];
    for (int i = 0; i < 2; i++) {
        const int c = member_of(w, humanoid);
        uniform_gains(w, c, 0, 0, 300, 30);
        stand_humanoid(w, c, q);
        q[0] = 0.1 * i, q[2] += 1.7 * i; /* one on the other's head */
        assert_int_equal(sn_world_set_state(w, c, q, NULL), SN_OK);
    }
    for (int i = 0; i < BALLS; i++) {
        const double pos[3] = {uniform(&rng, -1, 1), uniform(&rng, -1, 1), 0.3 + 0.3 * i};
        put_body(w, member_of(w, ball), pos, turn, NULL);
    }
    long touches = 0;
    for (int k = 0; k < steps; k++) {
        if (k % 20 == 0) push_at_random(&rng, w);
        const sn_status status = sn_world_step(w);
        if (status != SN_OK) fail_msg("step %d: %s", k, sn_status_text(status));
        touches += contact_count(w);
    }
    print_message("  %d steps, %.1f contacts in the mean\n", steps, (double)touches / steps);
    assert_true(touches > steps);
    sn_world_free(w);
    sn_model_free(ball);
    sn_model_free(humanoid);
}

static int steps_wanted(void) {
    const char *soak = getenv("SINEW_SOAK");
    return soak && *soak ? atoi(soak) : 150;
}

TEST(rows_survive_pushes) {
    const sn_world_def def = rows_def();
    push_around(&def, steps_wanted());
}

TEST(implicit_contact_survives_pushes) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_IMPLICIT;
    push_around(&def, steps_wanted());
}

TEST(the_event_stepper_survives_pushes) {
    sn_world_def def = rows_def();
    def.stepper = SN_STEPPER_EVENT, def.shortest = 1.0 / 16, def.iterations = 100;
    push_around(&def, steps_wanted() / 5);
}

int main(void) {
    return run_all("world pushes");
}
