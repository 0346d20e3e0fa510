/* A humanoid stands on the ground and is pushed. */
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    sn_world *world = sn_world_create(NULL, &error);
    if (!model || !world) return puts(error.message), 1;
    sn_world_add_floor(world);
    sn_member human = sn_world_add(world, model, &error);
    sn_world_hold(world, human, 1000, 100); /* stands on its feet: kp in N m/rad, kd in N m s/rad */
    for (int i = 1; i <= 480; i++) {
        double pos[3];
        if (i == 241) sn_world_push(world, human, 0, (double[]){150, 0, 0}, NULL, 0.1); /* N, for 0.1 s */
        if (sn_world_step(world)) return puts("the simulation diverged"), 1;
        sn_world_body_pose(world, human, 0, pos, NULL);
        if (i % 60 == 0)
            printf("t = %.2f s: pelvis at x = %.3f, z = %.3f m\n", sn_world_time(world), pos[0], pos[2]);
    }
    sn_world_free(world);
    sn_model_free(model);
}
