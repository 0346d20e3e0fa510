/* A character under a stick, in a world of your own: it walks, runs a curve, goes back, turns, and is let go.
 * usage: puppet [POLICY], by default policies/humanoid-stick.sinew of the project. docs/puppets.md explains puppets. */
#include <sinew/learn.h>
#include <stdio.h>

enum { NQ = 43, SECOND = 240 };

int main(int argc, char **argv) {
    static const double stick[][3] = {{0, 0, 0}, {1.2, 0, 0}, {3, 0, .6}, {-.6, 0, 0}, {0, 0, 1.5}};
    static const char *const mode[] = {"goes", "lies", "gets up", "is limp"};
    sn_world_def def = sn_world_def_default();
    sn_error error;
    double q[NQ];
    def.dt = 1. / SECOND;
    sn_world *world = sn_world_create(&def, &error);
    sn_model *human = sn_builtin_create("humanoid", &error);
    sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, &error);
    sn_member member = sn_world_add(world, human, &error);
    sn_model_zero_pose(human, q);
    sn_world_stand(world, member, q);
    sn_world_set_state(world, member, q, NULL);
    sn_policy *go = sn_policy_load(argc > 1 ? argv[1] : "policies/humanoid-stick.sinew", &error);
    sn_puppet *puppet = go ? sn_puppet_create(world, member, 0, go, NULL, &error) : NULL;
    if (!puppet) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < 12 * SECOND; i++) {
        if (i % (2 * SECOND) == 0) sn_puppet_stick(puppet, i < 10 * SECOND ? stick[i / (2 * SECOND)] : NULL);
        if (sn_puppets_step(&puppet, 1, &error) || sn_world_step(world)) return 1;
        if ((i + 1) % SECOND) continue;
        sn_world_get(world, member, SN_FIELD_Q, 0, 1, q);
        printf("%2d s: at (%5.2f, %5.2f), pelvis %.2f m high, %s\n", (i + 1) / SECOND, q[0], q[1], q[2],
               mode[sn_puppet_get(puppet, NULL, NULL)]);
    }
    size_t size;
    sn_puppet_state(puppet, &size);
    printf("its state has %zu bytes\n", size);
    sn_puppet_free(puppet);
    sn_policy_free(go);
    sn_world_free(world);
    sn_model_free(human);
    return 0;
}
