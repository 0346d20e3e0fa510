/* A humanoid stands on the ground and is pushed. */
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    double q[43], kp[34], kd[34]; /* nq and nv of the humanoid */
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, shove[3] = {150, 0, 0};
    const sn_world_def def = sn_world_def_default();
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    sn_world *world = sn_world_create(&def, &error);
    if (!model || !world || sn_world_add(world, model, &error) != 0 ||
        sn_world_add_plane(world, origin, up, NULL, &error) != 0)
        return puts(error.message), 1;
    sn_gains_uniform(model, 0, 0, 1000, 100, kp, kd); /* nothing holds the root: it stands on its feet */
    sn_model_zero_pose(model, q);
    sn_status status = sn_world_stand(world, 0, q); /* the lowest point of the pose on the ground */
    if (!status) status = sn_world_set_gains(world, 0, kp, kd);
    if (!status) status = sn_world_set_state(world, 0, q, NULL);
    if (!status) status = sn_world_set_target(world, 0, q, NULL);
    for (int i = 0; i < 480 && !status; i++) {
        if (i == 240) status = sn_world_set_push(world, 0, 0, shove, NULL); /* at 1 s, for 0.1 s */
        if (i == 264) status = sn_world_set_push(world, 0, 0, NULL, NULL);
        if (!status) status = sn_world_step(world);
        if (!status) status = sn_world_get_state(world, 0, q, NULL);
        if (i % 60 == 59)
            printf("t = %.2f s: pelvis at x = %.3f, z = %.3f m\n", sn_world_time(world), q[0], q[2]);
    }
    puts(sn_status_text(status));
    sn_world_free(world);
    sn_model_free(model);
    return status != SN_OK;
}
