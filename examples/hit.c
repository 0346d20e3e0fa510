/* A humanoid walks, is hit by a ball of 5 kg at 10 m/s, gives way, and follows the clip again.
 *
 *     gcc hit.c $(pkg-config --cflags --libs sinew) -lm -o hit && ./hit */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

enum { RATE = 120, MOST = 256 };

static sn_model *make_ball(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    body.name = "ball", body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = 0.11, shape.mass = 5;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    return model;
}

/* How far the joints are from where the clip has them, rad (root mean square), and the root, m. */
static void look(sn_world *world, const sn_model *model, const sn_motion *clip, double *joints,
                 double *root) {
    double q[MOST], target[MOST], off[MOST], sum = 0;
    const int nv = sn_model_get(model)->nv;
    sn_world_get_state(world, 0, q, NULL);
    sn_motion_sample(clip, sn_world_time(world), target, NULL);
    sn_model_pose_subtract(model, 1, q, target, off);
    for (int v = 6; v < nv; v++)
        sum += off[v] * off[v];
    *joints = sqrt(sum / (nv - 6));
    *root = sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
}

/* At the chest, from the left, at 10 m/s. */
static void throw_at(sn_world *world, int walker, int ball) {
    double q[MOST], at[7], velocity[6] = {0, -10, 0.6};
    sn_world_get_state(world, walker, q, NULL);
    for (int k = 0; k < 7; k++)
        at[k] = k < 3 ? q[k] + (k == 1 ? 1.2 : k == 2 ? 0.33 : 0.13) : k == 3;
    sn_world_set_active(world, ball, true);
    sn_world_set_state(world, ball, at, velocity);
}

int main(void) {
    sn_error error = {0};
    sn_model *human = sn_builtin_create("humanoid", &error), *ball = make_ball();
    sn_motion *walk = human ? sn_builtin_motion_create("walk", human, &error) : NULL;
    double q[MOST], qd[MOST], kp[MOST], kd[MOST];
    if (!walk || !ball) return printf("%s\n", error.message), 1;

    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / RATE, def.report_torque = def.torque_limits = true;
    sn_world *world = sn_world_create(&def, &error);
    if (!world) return printf("%s\n", error.message), 1;

    /* The ten lines: a walk on the ground, gains, what a blow does, and a hand that holds the root. */
    const int walker = sn_world_add(world, human, &error);
    sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL);
    sn_gains_uniform(human, 20000, 3000, 2000, 150, kp, kd);
    sn_world_set_gains(world, walker, kp, kd);
    sn_motion_sample(walk, 0, q, qd);
    sn_world_set_state(world, walker, q, qd);
    sn_world_set_motion(world, walker, walk);
    sn_reaction_def reaction = sn_reaction_def_default();
    reaction.threshold = 10, reaction.reaction = 0.02, reaction.hold = 0.2, reaction.recover = 0.6;
    sn_world_set_reaction(world, walker, &reaction);
    sn_world_set_assistance(world, walker, 600, 300); /* N, N m */

    const int thrown = sn_world_add(world, ball, &error);
    sn_world_set_active(world, thrown, false);
    double joints, root, impacts = 0, before = 0, most = 0, back = -1;
    printf("%5s %8s %8s %7s %8s\n", "s", "rad", "root m", "gains", "hits");
    for (int i = 1; i <= 4 * RATE; i++) {
        if (i == RATE) throw_at(world, walker, thrown);
        if (sn_world_step(world) != SN_OK) return printf("diverged\n"), 1;
        double scale[MOST];
        look(world, human, walk, &joints, &root);
        sn_world_get(world, walker, SN_FIELD_GAIN_SCALE, 0, 1, scale);
        sn_world_get(world, walker, SN_FIELD_IMPACTS, 0, 1, &impacts);
        if (!impacts && joints > before) before = joints; /* the most without a blow */
        if (joints > most) most = joints;
        if (impacts && joints > 1.1 * before) back = sn_world_time(world);
        if (i % (RATE / 6) == 0)
            printf("%5.2f %8.4f %8.4f %7.3f %8.0f\n", sn_world_time(world), joints, root, scale[1], impacts);
    }
    sn_assistance used;
    sn_world_get_assistance(world, walker, 0, &used);
    printf("walking it is %.4f rad off at most; hit, %.4f rad; back at %.2f s, %.2f s after the throw; %.0f "
           "impacts\n",
           before, most, back, back - 1, impacts);
    printf("the root's assistance: work %.1f J, effort %.1f J, impulse %.0f N s, at most %.0f N and %.0f N "
           "m, %.2f s at "
           "its budget\n",
           used.work, used.effort, used.impulse, used.peak_force, used.peak_torque, used.at_budget);
    sn_world_free(world);
    sn_motion_free(walk);
    sn_model_free(ball);
    sn_model_free(human);
    return impacts > 0 && back < 3 && most > 1.5 * before ? 0 : 1;
}
